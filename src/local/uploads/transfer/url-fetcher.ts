import { hashOf, type AttemptContext } from './attempt.ts'
import { endedAtServer } from './ended-at-server.ts'
import type { Wait } from './part-queue.ts'
import { ok, type Result } from '#src/lib/result.ts'
import {
  apiProblemEvent,
  backOffEvent,
  because,
  type WaitCause,
} from '#src/local/uploads/model/problems.ts'
import type { ReachWatch } from '#src/local/uploads/network/watch.ts'
import type { ServerPart, UploadApiProblem } from '#src/local/uploads/ports.ts'

/** URLs asked for at once. */
const URLS_AHEAD = 50
/** The same where their parts are hashed first: what the fastest networks send in a moment. */
const HASHED_AHEAD = 10

export interface UrlFetcherContext extends AttemptContext {
  readonly reach: ReachWatch
  /** Whether a part gets its URL only with its hash. */
  readonly urlsNeedChecksums: boolean
}

/** Asks the API for the URLs of the queue's next parts, and whether the upload is still open. */
export class UrlFetcher {
  readonly #context: UrlFetcherContext
  #isAsking = false
  /** What the last call for URLs failed with; null after a good one. */
  #problem: Wait | null = null

  constructor(context: UrlFetcherContext) {
    this.#context = context
  }

  problem(): Wait | null {
    return this.#problem
  }

  /** URLs for the next parts, one call at a time; null where there is nothing to wait for. */
  fetch(): Promise<void> | null {
    if (this.#isAsking || (this.#problem?.untilMs ?? 0) > this.#nowMs()) return null
    this.#isAsking = true
    return this.#fetchNext().finally(() => {
      this.#isAsking = false
    })
  }

  /** Hashed parts have their URLs before a slot is free, or each would wait for a call. */
  fetchAhead(): Promise<void> | null {
    const { queue, reach, urlsNeedChecksums } = this.#context
    if (!urlsNeedChecksums || !reach.mayBegin()) return null
    const ready = queue.waiting().filter((each) => this.#hasUrl(each))
    return ready.length < queue.slots() && this.#withoutUrls().length > 0 ? this.fetch() : null
  }

  /**
   * Asks the server whether the upload is still open; ends the transfer if not. Resolves with what
   * to wait for when there was no usable answer, else null.
   */
  async askApi(): Promise<WaitCause | null> {
    const { deps, claim, urls, end } = this.#context
    const answer = await deps.api.read(claim.row().uploadRequestId ?? '', claim.signal)
    if (!answer.ok) return this.#passing(answer.error)
    if (answer.value.state !== 'open') end(await endedAtServer(deps, claim, answer.value))
    else urls.fill(answer.value.parts, this.#nowMs())
    return null
  }

  async #fetchNext(): Promise<void> {
    const { deps, retries, urls, queue } = this.#context
    const wanted = await this.#wanted()
    const answer = await this.#ask(wanted)
    const cause = answer.ok ? null : this.#passing(answer.error)
    if (answer.ok) urls.fill(answer.value, this.#nowMs(), wanted)
    const next = queue.next()
    // A server that names no URL for a missing part must not be asked in a loop.
    const isMissing = answer.ok && next !== null && wanted.has(next) && !this.#hasUrl(next)
    if (isMissing) await this.askApi()
    const waits = cause ?? (isMissing ? because('server') : null)
    this.#problem =
      waits === null
        ? null
        : { cause: waits, untilMs: backOffEvent(deps, retries, waits).wait.retryAtEpochMs }
  }

  /** The parts to ask for, with the hashes that the URLs are bound to. */
  async #wanted(): Promise<ReadonlyMap<number, string | null>> {
    const { queue, notes, urlsNeedChecksums } = this.#context
    const wanted = new Map<number, string | null>()
    const most = urlsNeedChecksums ? Math.max(queue.slots(), this.#hashedAhead()) : URLS_AHEAD
    for (const partNumber of this.#withoutUrls().slice(0, most)) {
      const sha256 = urlsNeedChecksums ? await hashOf(this.#context, notes.of(partNumber)) : null
      // Its file cannot be read, which ends the transfer.
      if (urlsNeedChecksums && sha256 === null) break
      wanted.set(partNumber, sha256)
    }
    return wanted
  }

  async #ask(
    wanted: ReadonlyMap<number, string | null>,
  ): Promise<Result<readonly ServerPart[], UploadApiProblem>> {
    const { deps, claim } = this.#context
    const parts = Array.from(wanted, ([partNumber, sha256]) => ({ partNumber, sha256 }))
    return parts.length === 0
      ? ok([])
      : deps.api.partUrls(claim.row().uploadRequestId ?? '', parts, claim.signal)
  }

  /** The first parts are sent as soon as they are hashed; later ones wait for no call. */
  #hashedAhead(): number {
    return this.#context.inFlight.count() === 0 ? 0 : HASHED_AHEAD
  }

  /** Parts of the queue that a URL may be asked for. */
  #withoutUrls(): readonly number[] {
    const { claim, queue, urlsNeedChecksums } = this.#context
    return queue
      .waiting()
      .filter(
        (each) => !claim.parts.unproven().has(each) && !(urlsNeedChecksums && this.#hasUrl(each)),
      )
  }

  #hasUrl(partNumber: number): boolean {
    return this.#context.urls.get(partNumber, this.#nowMs()) !== null
  }

  /** What to wait for after a failed call; ends the transfer where waiting does not help. */
  #passing(problem: UploadApiProblem): WaitCause {
    const { deps, end } = this.#context
    const event = apiProblemEvent(deps, { failedInARow: 0 }, problem)
    if (event.kind !== 'back-off') end(event)
    return {
      ...(event.kind === 'back-off' ? event.wait : { reason: 'server' as const }),
      retryAfterMs: problem.kind === 'busy' ? problem.retryAfterMs : null,
    }
  }

  #nowMs(): number {
    return this.#context.deps.clock.now()
  }
}
