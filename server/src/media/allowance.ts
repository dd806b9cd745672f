import type { RunLimits } from './confinement/methods.ts'

/**
 * What all runs of tools for one purpose may use together: each run has limits of its own beside
 * it. A tool that `runConfined` starts with it reports what it has used so far.
 */
export interface Allowance {
  /** The limits of the next run; null when nothing is left for one. */
  grant(limits: RunLimits): RunLimits | null
  /** From now on a run gets all that is left: for work whose half would say nothing. */
  grantAll(): void
  /** Counts a run that ended, or did not begin, because of these limits or its own. */
  noteCut(): void
  /** How many such runs there were. */
  cuts(): number
  /** Counts processor time of a run, as it goes on. */
  spend(cpuSeconds: number): void
  /** Processor time of all runs until now. */
  usedSeconds(): number
  /** Aborts when the runs have to end before their time, with the reason. */
  readonly signal: AbortSignal
}

export interface AllowanceOptions {
  /** Of all runs together. */
  readonly cpuSeconds: number
  /** What each run may write to; left out = what every tool may. */
  readonly memoryBytes?: number
  /** When it is passed, `mayGoOn` is asked, once. */
  readonly quickSeconds?: number
  readonly mayGoOn?: () => boolean
}

/** The work passed its quick part and has to go on later, from its beginning. */
export class GaveWay extends Error {
  constructor() {
    super('The work takes longer than it seemed and gives way to other work')
  }
}

/** Whole seconds are what the system can limit; a run with less is not started. */
const LEAST_SECONDS = 1

/**
 * A run gets half of what is left, so that one that never ends leaves some for those after it: a
 * look at the pictures that takes too long is left out, and the file is still measured.
 */
export function createAllowance({
  cpuSeconds,
  memoryBytes,
  quickSeconds = Infinity,
  mayGoOn = () => true,
}: AllowanceOptions): Allowance {
  const stop = new AbortController()
  const state = { used: 0, cuts: 0, share: 0.5, isAsked: false }
  return {
    grant: (limits) => {
      const left = cpuSeconds - state.used
      if (left < LEAST_SECONDS) return null
      const share = Math.max(LEAST_SECONDS, Math.floor(left * state.share))
      return {
        ...limits,
        cpuSeconds: Math.min(limits.cpuSeconds, share),
        ...(memoryBytes === undefined
          ? {}
          : { memoryBytes: Math.min(memoryBytes, limits.memoryBytes ?? Infinity) }),
      }
    },
    grantAll: () => {
      state.share = 1
    },
    noteCut: () => {
      state.cuts += 1
    },
    cuts: () => state.cuts,
    spend: (seconds) => {
      state.used += seconds
      if (state.used <= quickSeconds || state.isAsked) return
      state.isAsked = true
      if (!mayGoOn()) stop.abort(new GaveWay())
    },
    usedSeconds: () => state.used,
    signal: stop.signal,
  }
}
