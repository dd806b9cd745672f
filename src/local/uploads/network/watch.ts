import { LIMITS, MOVING, mayBegin, stepReach, type Reach, type ReachEvent } from './reachability.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/**
 * Whether the server holds more of a part in flight than before: `not-yet` when there is nothing
 * to compare with so far, `unknown` when it cannot be asked or did not answer.
 */
export type HeldLook = 'grew' | 'still' | 'not-yet' | 'unknown'

/** What the watch does to the transfer that it watches; see `ReachEffect`. */
export interface Watched {
  /** Since when all parts in flight are silent, in milliseconds; 0 without parts in flight. */
  quietMs(): number
  gapMs(): number | null
  dropLongest(): void
  dropTrial(): void
  dropSilent(sinceMs: number): void
  giveUp(): void
  /** One part may begin although the upload is stalled. */
  beginOne(): void
  lookAtHeld(signal: AbortSignal): Promise<HeldLook>
}

/** Where an upload does not send, silence has no meaning: only the server's answers count. */
const NOT_SENDING: Watched = {
  quietMs: () => Number.POSITIVE_INFINITY,
  gapMs: () => null,
  dropLongest: () => undefined,
  dropTrial: () => undefined,
  dropSilent: () => undefined,
  giveUp: () => undefined,
  beginOne: () => undefined,
  lookAtHeld: () => Promise.resolve('unknown'),
}

/** Runs the reachability machine of one driver, over all its transfers. */
export class ReachWatch {
  readonly #deps: Pick<UploadDeps, 'api' | 'clock' | 'transport'>
  #state: Reach = MOVING
  #isChecking = false
  #watched: Watched = NOT_SENDING

  constructor(deps: Pick<UploadDeps, 'api' | 'clock' | 'transport'>) {
    this.#deps = deps
  }

  state(): Reach {
    return this.#state
  }

  mayBegin(): boolean {
    return mayBegin(this.#state)
  }

  /** A byte moved, or the storage answered a part. */
  moved(): void {
    this.#step({ kind: 'moved' })
  }

  /** An attempt of a stalled upload ended without an answer. */
  trialFailed(): void {
    this.#step({ kind: 'trial-failed' })
  }

  /** Watches a transfer until `signal` aborts; then resolves. Never rejects. */
  async watch(watched: Watched, signal: AbortSignal): Promise<void> {
    this.#watched = watched
    while (!signal.aborted) {
      await this.#deps.clock.sleep(LIMITS.lookEveryMs, signal).catch(() => undefined)
      if (!signal.aborted) this.look(signal)
    }
    this.#watched = NOT_SENDING
    if (this.#state.kind !== 'down') this.#state = MOVING
  }

  /**
   * Resolves when a server that was down answers again; waits for ever when it was not down and
   * answers. Rejects when aborted.
   */
  async isBack(signal: AbortSignal): Promise<void> {
    // Whether the network is down is asked at once, not only after the usual silence.
    if (this.#state.kind === 'moving') this.look(signal)
    for (let wasDown = this.#state.kind === 'down'; ;) {
      await this.#deps.clock.sleep(LIMITS.lookEveryMs, signal)
      if (wasDown && this.#state.kind !== 'down') return
      wasDown = wasDown || this.#state.kind === 'down'
      this.look(signal)
    }
  }

  /** One look at the transfer, as the machine wants it every `LIMITS.lookEveryMs`. */
  look(signal: AbortSignal): void {
    this.#step(
      {
        kind: 'look',
        quietMs: this.#watched.quietMs(),
        gapMs: this.#watched.gapMs(),
        reportsProgress: this.#watched !== NOT_SENDING && this.#deps.transport.reportsProgress,
      },
      signal,
    )
  }

  #step(event: ReachEvent, signal?: AbortSignal): void {
    const { state, effect } = stepReach(this.#state, event, this.#deps.clock.now())
    this.#state = state
    switch (effect?.kind) {
      case 'check':
        if (signal !== undefined) void this.#check(signal)
        return
      case 'drop-longest':
        this.#watched.dropLongest()
        this.#watched.beginOne()
        return
      case 'begin-one':
        return this.#watched.beginOne()
      case 'drop-trial':
        return this.#watched.dropTrial()
      case 'drop-silent':
        return this.#watched.dropSilent(effect.sinceMs)
      case 'give-up':
        return this.#watched.giveUp()
      case 'resume':
      case undefined:
        return
    }
  }

  /**
   * Asks the server whether it answers, and then whether more has arrived; one question at a time,
   * because browsers leave one connection beside five parts. While the server is down no part is
   * under way, and the next question does not wait until the one before is given up: its end would
   * come up to `LIMITS.answerWithinMs` later than that of the outage.
   */
  async #check(signal: AbortSignal): Promise<void> {
    if (this.#isChecking && this.#state.kind !== 'down') return
    this.#isChecking = true
    const { api } = this.#deps
    const doesAnswer = await this.#within(LIMITS.answerWithinMs, signal, false, (checking) =>
      api.ping(checking),
    )
    // While the upload is stalled, only the answer to its trial counts.
    const held =
      doesAnswer && this.#state.kind === 'asking'
        ? await this.#within<HeldLook>(LIMITS.heldWithinMs, signal, 'unknown', (checking) =>
            this.#watched.lookAtHeld(checking),
          )
        : 'unknown'
    this.#isChecking = false
    if (signal.aborted) return
    this.#step(
      held === 'grew'
        ? { kind: 'moved' }
        : { kind: 'checked', doesAnswer, isStill: held !== 'not-yet' },
    )
  }

  /** The answer of `ask`, or `otherwise` when there is none within `limitMs`. */
  async #within<T>(
    limitMs: number,
    signal: AbortSignal,
    otherwise: T,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const over = new AbortController()
    const asking = AbortSignal.any([signal, over.signal])
    const tooLate = this.#deps.clock.sleep(limitMs, asking).then(
      () => otherwise,
      () => otherwise,
    )
    const answer = await Promise.race([ask(asking), tooLate])
    over.abort()
    return answer
  }
}
