/**
 * [Note: reachability] One pure machine judges every silence of an upload. A slow network is often
 * silent without being down, so the watchdogs of parts wait for 15 s to minutes. When all parts in
 * flight are silent, this machine asks the server:
 *
 * - No answer, three times: the server is *down*. The parts are dropped, the screen says so, and
 *   the upload resumes with the first answer.
 * - An answer that more has arrived: a slow network whose buffers hold whole pieces. It goes on.
 * - An answer of which nothing follows: all parts are with a store elsewhere, which cannot be asked
 *   what it has of them. It goes on too, until their watchdogs end them.
 * - Another answer: the connections of the parts are dead, or the storage is away. The upload is
 *   *stalled*: the part that has been silent longest is tried again on a fresh connection, one at a
 *   time, and asks first how much of it the server holds. When that is answered, the other silent
 *   parts follow.
 */
export type Reach =
  | { readonly kind: 'moving' }
  | {
      readonly kind: 'asking'
      readonly unanswered: number
      readonly isStill: boolean
      readonly nextCheckAtMs: number
      readonly everyMs: number
    }
  | {
      readonly kind: 'stalled'
      readonly sinceMs: number
      readonly trials: number
      readonly isTrialOut: boolean
      /** When the trial that is out is given up, or else the next one begins. */
      readonly trialUntilMs: number
      readonly unanswered: number
      readonly nextCheckAtMs: number
    }
  | { readonly kind: 'down'; readonly checks: number; readonly nextCheckAtMs: number }

export type ReachEvent =
  /** A byte moved, or the storage answered a part. */
  | { readonly kind: 'moved' }
  /** Every `LIMITS.lookEveryMs`. `quietMs`: time since all parts in flight are silent. */
  | {
      readonly kind: 'look'
      readonly quietMs: number
      /** Usual time between two progress events; null before anything was measured. */
      readonly gapMs: number | null
      /** False where the transport reports whole bodies only: its silence says nothing. */
      readonly reportsProgress: boolean
    }
  /**
   * A check whether the server answers is over. `isStill`: as far as can be known, nothing more of
   * the parts in flight has arrived there.
   */
  | { readonly kind: 'checked'; readonly doesAnswer: boolean; readonly isStill: boolean }
  /** The trial of a stalled upload ended without an answer. */
  | { readonly kind: 'trial-failed' }

/**
 * What to do now. `check`: ask the server. `drop-longest`: end the attempt that has been silent
 * longest; one part may begin. `begin-one`: one part may begin. `drop-trial`: end the attempt that
 * began so. `drop-silent`: end the attempts that are silent since `sinceMs`. `give-up`: end all
 * attempts. `resume`: send again.
 */
export type ReachEffect =
  | {
      readonly kind: 'check' | 'drop-longest' | 'begin-one' | 'drop-trial' | 'give-up' | 'resume'
    }
  | { readonly kind: 'drop-silent'; readonly sinceMs: number }

/** Every number of the machine, in milliseconds or counts. */
export const LIMITS = {
  lookEveryMs: 250,
  /** Silence after which the server is asked: four usual gaps between progress events. */
  quiet: { gaps: 4, leastMs: 1_500, mostMs: 10_000 },
  /**
   * Silence after which a server that answers makes the upload stalled: eight usual gaps, and the
   * most while the network was not measured.
   */
  stall: { gaps: 8, leastMs: 3_000, mostMs: 15_000 },
  /** A check without an answer within this time has failed. */
  answerWithinMs: 1_500,
  /** The question what the server holds waits in the same buffers as the parts. */
  heldWithinMs: 5_000,
  /** What is held is compared after this long: servers may write once a second. */
  heldAgainMs: 1_500,
  /** One or two misses may be an accident, or a server that waits for its disk. */
  unanswered: 3,
  /** Between two checks: first, and at most while the server answers. */
  checkAgainMs: 500,
  checkRarelyMs: 15_000,
  /**
   * A trial of a stalled upload has this long for its first answer, and the next one follows after
   * this long: so the storage is noticed 3 s after its return. After a minute both are longer, for
   * storages that answer slowly.
   */
  trial: { withinMs: 2_000, againMs: 1_000 },
  rareTrial: { withinMs: 20_000, againMs: 5_000 },
  trialOftenCount: 20,
  /**
   * While the server is down: each second; after ten minutes, which often become hours, less often,
   * to save a phone's battery.
   */
  downEveryMs: 1_000,
  downOftenCount: 600,
  downRarelyMs: 5_000,
} as const

export const MOVING: Reach = { kind: 'moving' }

interface Step {
  readonly state: Reach
  readonly effect: ReachEffect | null
}

/** The next state and what to do. Pure; `nowMs` may jump, which only changes how long it waits. */
export function stepReach(state: Reach, event: ReachEvent, nowMs: number): Step {
  switch (event.kind) {
    case 'moved':
      return state.kind === 'stalled'
        ? { state: MOVING, effect: { kind: 'drop-silent', sinceMs: state.sinceMs } }
        : stay(state.kind === 'down' ? state : MOVING)
    case 'look':
      return look(state, event, nowMs)
    case 'checked':
      return checked(state, event, nowMs)
    case 'trial-failed':
      return state.kind !== 'stalled'
        ? stay(state)
        : stay({
            ...state,
            isTrialOut: false,
            trialUntilMs: nowMs + trialLimits(state.trials).againMs,
          })
  }
}

/** Whether parts may begin freely; a stalled upload begins one at a time, by `begin-one`. */
export function mayBegin(state: Reach): boolean {
  return state.kind === 'moving' || state.kind === 'asking'
}

function look(state: Reach, event: Extract<ReachEvent, { kind: 'look' }>, nowMs: number): Step {
  const { quietMs, gapMs } = event
  switch (state.kind) {
    case 'moving':
      if (quietMs < silence(LIMITS.quiet, gapMs)) return stay(state)
      return check({
        kind: 'asking',
        unanswered: 0,
        isStill: false,
        nextCheckAtMs: nowMs + LIMITS.answerWithinMs + LIMITS.checkAgainMs,
        everyMs: LIMITS.checkAgainMs,
      })
    case 'asking':
      if (quietMs < silence(LIMITS.quiet, gapMs)) return stay(MOVING)
      if (state.isStill && event.reportsProgress && quietMs >= stallMs(gapMs))
        return {
          state: {
            kind: 'stalled',
            sinceMs: nowMs,
            trials: 1,
            isTrialOut: true,
            trialUntilMs: nowMs + LIMITS.trial.withinMs,
            unanswered: 0,
            nextCheckAtMs: nowMs + LIMITS.checkAgainMs,
          },
          effect: { kind: 'drop-longest' },
        }
      return !isDue(state.nextCheckAtMs, nowMs)
        ? stay(state)
        : check({ ...state, nextCheckAtMs: nowMs + LIMITS.answerWithinMs + state.everyMs })
    case 'stalled':
      if (isDue(state.trialUntilMs, nowMs)) return nextTrial(state, nowMs)
      return !isDue(state.nextCheckAtMs, nowMs)
        ? stay(state)
        : check({ ...state, nextCheckAtMs: nowMs + LIMITS.answerWithinMs + LIMITS.trial.againMs })
    case 'down':
      return !isDue(state.nextCheckAtMs, nowMs)
        ? stay(state)
        : check({
            ...state,
            checks: state.checks + 1,
            nextCheckAtMs:
              nowMs +
              (state.checks < LIMITS.downOftenCount ? LIMITS.downEveryMs : LIMITS.downRarelyMs),
          })
  }
}

function checked(
  state: Reach,
  { doesAnswer, isStill }: Extract<ReachEvent, { kind: 'checked' }>,
  nowMs: number,
): Step {
  switch (state.kind) {
    case 'moving':
      return stay(state)
    case 'down':
      return doesAnswer ? { state: MOVING, effect: { kind: 'resume' } } : stay(state)
    case 'asking':
      if (doesAnswer)
        return stay({
          ...state,
          unanswered: 0,
          isStill,
          nextCheckAtMs: nowMs + state.everyMs,
          everyMs: Math.min(LIMITS.checkRarelyMs, state.everyMs * 2),
        })
      return missed(
        { ...state, isStill: false, everyMs: LIMITS.checkAgainMs },
        state.unanswered + 1,
        nowMs,
      )
    case 'stalled':
      return doesAnswer
        ? stay({ ...state, unanswered: 0 })
        : missed(state, state.unanswered + 1, nowMs)
  }
}

/** Gives the trial up that is out, or begins the next one. */
function nextTrial(state: Extract<Reach, { kind: 'stalled' }>, nowMs: number): Step {
  const trials = state.trials + (state.isTrialOut ? 0 : 1)
  const { againMs, withinMs } = trialLimits(trials)
  return {
    state: {
      ...state,
      trials,
      isTrialOut: !state.isTrialOut,
      trialUntilMs: nowMs + (state.isTrialOut ? againMs : withinMs),
    },
    effect: { kind: state.isTrialOut ? 'drop-trial' : 'begin-one' },
  }
}

function trialLimits(trials: number): { readonly withinMs: number; readonly againMs: number } {
  return trials <= LIMITS.trialOftenCount ? LIMITS.trial : LIMITS.rareTrial
}

function missed(
  state: Extract<Reach, { kind: 'asking' | 'stalled' }>,
  unanswered: number,
  nowMs: number,
): Step {
  return unanswered < LIMITS.unanswered
    ? stay({ ...state, unanswered, nextCheckAtMs: nowMs + LIMITS.checkAgainMs })
    : {
        state: { kind: 'down', checks: 0, nextCheckAtMs: nowMs + LIMITS.downEveryMs },
        effect: { kind: 'give-up' },
      }
}

/** No wait of this machine is longer than a minute, unless the clock was set back. */
function isDue(atMs: number, nowMs: number): boolean {
  return nowMs >= atMs || atMs - nowMs > 60_000
}

/** Silence that counts, for a network that usually reports every `gapMs`. */
function silence(
  limit: { readonly gaps: number; readonly leastMs: number; readonly mostMs: number },
  gapMs: number | null,
): number {
  return Math.min(limit.mostMs, Math.max(limit.leastMs, limit.gaps * (gapMs ?? 0)))
}

function stallMs(gapMs: number | null): number {
  return gapMs === null ? LIMITS.stall.mostMs : silence(LIMITS.stall, gapMs)
}

function check(state: Reach): Step {
  return { state, effect: { kind: 'check' } }
}

function stay(state: Reach): Step {
  return { state, effect: null }
}
