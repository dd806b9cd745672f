import { LIMITS, MOVING, mayBegin, stepReach, type Reach, type ReachEvent } from './reachability.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/** What the watch does to the transfer that it watches; see `ReachEffect`. */
export interface Watched {
  /** Since when all parts in flight are silent, in milliseconds; 0 without parts in flight. */
  quietMs(): number
  gapMs(): number | null
  dropLongest(): void
  dropSilent(sinceMs: number): void
  giveUp(): void
  /** One part may begin although the upload is stalled. */
  beginOne(): void
}

/** Where an upload does not send, silence has no meaning: only the server's answers count. */
const NOT_SENDING: Watched = {
  quietMs: () => Number.POSITIVE_INFINITY,
  gapMs: () => null,
  dropLongest: () => undefined,
  dropSilent: () => undefined,
  giveUp: () => undefined,
  beginOne: () => undefined,
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
      if (wasDown && this.#state.kind !== 'down') return
      await this.#deps.clock.sleep(LIMITS.lookEveryMs, signal)
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
      case 'drop-silent':
        return this.#watched.dropSilent(effect.sinceMs)
      case 'give-up':
        return this.#watched.giveUp()
      case 'resume':
      case undefined:
        return
    }
  }

  /** Asks the server whether it answers; one question at a time. */
  async #check(signal: AbortSignal): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const over = new AbortController()
    const checking = AbortSignal.any([signal, over.signal])
    const tooLate = this.#deps.clock.sleep(LIMITS.answerWithinMs, checking).then(
      () => false,
      () => false,
    )
    const doesAnswer = await Promise.race([this.#deps.api.ping(checking), tooLate])
    over.abort()
    this.#isChecking = false
    if (!signal.aborted) this.#step({ kind: 'checked', doesAnswer })
  }
}
