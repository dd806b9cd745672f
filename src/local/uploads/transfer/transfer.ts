/**
 * Sends the parts of one upload: fills the slots from the queue, and ends when no part is left or
 * an obstacle appears.
 */
import {
  AGAIN,
  runAttempt,
  type AttemptContext,
  type AttemptEnd,
  type AttemptInput,
} from './attempt.ts'
import { PartQueue } from './part-queue.ts'
import { PartsInFlight } from './parts-in-flight.ts'
import type { PartUrl } from './part-urls.ts'
import { UrlFetcher } from './url-fetcher.ts'
import { isAbort } from '#src/lib/abort.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { backOffEvent, because } from '#src/local/uploads/model/problems.ts'
import { LIMITS } from '#src/local/uploads/network/reachability.ts'
import type { ReachWatch } from '#src/local/uploads/network/watch.ts'

/** A shorter pause gets no state of its own. */
const QUIET_PAUSE_MS = 2_000
/**
 * A look this late means that the computer slept or the clock was changed: connections are dead,
 * even if they look open.
 */
const CLOCK_JUMP_MS = 10_000
/** The row and the unsaved writes follow this often. */
const SAVE_EVERY_MS = 1_000

/** What one driver keeps over all its transfers. */
export interface TransferInput extends AttemptInput {
  /** Whether a part gets its URL only with its hash. */
  readonly urlsNeedChecksums: boolean
  readonly reach: ReachWatch
  /** Every part that is not safe yet is hashed: what changes in the file now is in no part. */
  readonly allHashed: () => void
  /** After its abort no further part starts; attempts in flight may end. */
  readonly draining: AbortSignal
}

/**
 * Sends the missing parts, at most five at a time, until none is left or an obstacle appears.
 * Returns that as an event for the machine; null when the claim ended or the engine drains. All its
 * requests have ended when it resolves.
 */
export async function transferParts(input: TransferInput): Promise<UploadEvent | null> {
  return await new Transfer(input).run()
}

class Transfer {
  readonly #input: TransferInput
  readonly #queue: PartQueue
  readonly #inFlight: PartsInFlight
  readonly #context: AttemptContext
  readonly #urls: UrlFetcher
  /** Everything that has to end before the transfer does. */
  readonly #tasks = new Set<Promise<void>>()
  readonly #bell = createBell()
  #ending: UploadEvent | null = null

  constructor(input: TransferInput) {
    const { deps, claim, plan, notes, retries, reach, urlsNeedChecksums } = input
    this.#input = input
    this.#queue = new PartQueue(deps, plan, claim.parts.missing(plan), notes)
    this.#inFlight = new PartsInFlight(input, {
      giveUp: () => this.#end(backOffEvent(deps, retries, because('network'))),
      mayBegin: this.#bell.ring,
    })
    this.#context = {
      ...input,
      queue: this.#queue,
      inFlight: this.#inFlight,
      hashed: () => this.#hashed(),
      end: (event) => this.#end(event),
      askApi: () => this.#urls.askApi(),
    }
    this.#urls = new UrlFetcher({ ...this.#context, reach, urlsNeedChecksums })
  }

  async run(): Promise<UploadEvent | null> {
    const { claim, draining, reach, meter } = this.#input
    const over = new AbortController()
    const watching = AbortSignal.any([over.signal, claim.signal])
    const watch = Promise.all([reach.watch(this.#inFlight, watching), this.#tick(watching)])
    claim.signal.addEventListener('abort', this.#bell.ring)
    draining.addEventListener('abort', this.#bell.ring)
    try {
      for (;;) {
        const next = this.#step()
        if (next !== undefined) return next
        await this.#bell.next()
      }
    } finally {
      claim.signal.removeEventListener('abort', this.#bell.ring)
      draining.removeEventListener('abort', this.#bell.ring)
      this.#inFlight.dropAll()
      meter.waits(null)
      over.abort()
      await Promise.allSettled([...this.#tasks, watch])
    }
  }

  /** What the loop does next; undefined means that it waits for the next ring. */
  #step(): UploadEvent | null | undefined {
    const { claim, draining } = this.#input
    if (claim.signal.aborted) return null
    const isQuiet = this.#tasks.size === 0
    if (this.#ending !== null) return isQuiet ? this.#ending : undefined
    if (this.#queue.waiting().length === 0 && this.#inFlight.count() === 0)
      return isQuiet ? { kind: 'all-safe' } : undefined
    if (draining.aborted) return isQuiet ? null : undefined
    this.#fillSlots()
    return this.#tasks.size === 0 ? this.#pause() : undefined
  }

  #fillSlots(): void {
    const { deps, claim, urls, notes, hashes } = this.#input
    while (this.#queue.hasFreeSlot(this.#inFlight.count()) && this.#inFlight.mayBegin()) {
      const partNumber = this.#queue.next()
      if (partNumber === null) break
      const url = urls.get(partNumber, deps.clock.now())
      if (url === null && !claim.parts.unproven().has(partNumber))
        return this.#follow(this.#urls.fetch())
      this.#launch(partNumber, url)
    }
    this.#follow(this.#urls.fetchAhead())
    hashes.ahead(
      this.#queue
        .waiting()
        .filter((partNumber) => notes.of(partNumber).sha256 === null)
        .slice(0, this.#queue.slots()),
    )
  }

  /**
   * All parts wait: a short pause is said beside the state 'uploading', a long one is a state of
   * its own.
   */
  #pause(): UploadEvent | undefined {
    const { deps, meter, reach } = this.#input
    const wait = reach.mayBegin() ? this.#queue.pause(this.#urls.problem()) : null
    if (wait === null) return undefined
    meter.waits(wait)
    const isLong = wait.retryAtEpochMs - deps.clock.now() > QUIET_PAUSE_MS
    return isLong ? { kind: 'back-off', wait } : undefined
  }

  #launch(partNumber: number, url: PartUrl | null): void {
    const notes = this.#input.notes.of(partNumber)
    this.#queue.take(partNumber)
    const signal = this.#inFlight.begin(partNumber)
    const attempt = runAttempt(this.#context, notes, url, signal).catch(
      (thrown: unknown): AttemptEnd => {
        if (isAbort(thrown)) notes.mustAsk = true
        else this.#fail(thrown)
        return AGAIN
      },
    )
    this.#follow(attempt.then((end) => this.#settle(partNumber, end)))
  }

  #settle(partNumber: number, end: AttemptEnd): void {
    this.#inFlight.ended(partNumber)
    if (end.kind === 'stored') this.#queue.stored(partNumber)
    else this.#queue.putBack(partNumber, end.cause, end.losesSlot)
  }

  #hashed(): void {
    const { notes, allHashed } = this.#input
    const isLast = this.#inFlight.numbers().every((each) => notes.of(each).sha256 !== null)
    if (isLast && this.#queue.waiting().length === 0) allHashed()
  }

  /** The transfer does not end before this work has; its end wakes the loop. */
  #follow(work: Promise<void> | null): void {
    if (work === null) return
    const task = work
      .catch((thrown: unknown) => {
        if (!isAbort(thrown)) this.#fail(thrown)
      })
      .finally(() => {
        this.#tasks.delete(task)
        this.#bell.ring()
      })
    this.#tasks.add(task)
  }

  #fail(thrown: unknown): void {
    this.#input.deps.log.error('the sending of parts stumbled', describeBug(thrown))
    this.#end({ kind: 'fail', code: 'upload/unexpected', message: null })
  }

  #end(event: UploadEvent): void {
    if (this.#ending !== null) return
    this.#ending = event
    // Parts in flight do not need the login: after a 401 they may finish.
    if (event.kind !== 'auth-lost') this.#inFlight.dropAll()
    this.#bell.ring()
  }

  /** Looks after everything that depends on time until `signal` aborts. */
  async #tick(signal: AbortSignal): Promise<void> {
    const { deps, claim, meter, notes } = this.#input
    let savedAtMs = deps.clock.now()
    for (let lastMs = savedAtMs; !signal.aborted;) {
      await deps.clock.sleep(LIMITS.lookEveryMs, signal).catch(() => undefined)
      const nowMs = deps.clock.now()
      if (Math.abs(nowMs - lastMs - LIMITS.lookEveryMs) > CLOCK_JUMP_MS) {
        this.#inFlight.dropAll()
        notes.endWaits()
        meter.interrupted()
      }
      lastMs = nowMs
      if (Math.abs(nowMs - savedAtMs) >= SAVE_EVERY_MS) {
        savedAtMs = nowMs
        void (claim.isUnsaved() ? claim.save() : claim.reportSafeBytes())
      }
      meter.tick(claim.isUnsaved())
      this.#bell.ring()
    }
  }
}

/** Wakes the loop; a ring between two waits is not lost. */
function createBell(): { ring: () => void; next(): Promise<void> } {
  let bell = Promise.withResolvers<void>()
  return {
    ring: () => bell.resolve(),
    next: async () => {
      await bell.promise
      bell = Promise.withResolvers<void>()
    },
  }
}
