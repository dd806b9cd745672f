import { createRandom, pickOne } from '#tests/faults/random.ts'

/** What a creator and the server went through in one phase of the bench. */
export interface Phase {
  readonly name: string
  /** How long each call of the creator took. */
  readonly callsMs: readonly number[]
  /** From the end of each small upload of the creator to its verdict. */
  readonly checksS: readonly number[]
  /** How many answers had each status, the creator's and the strangers'. */
  readonly answers: ReadonlyMap<number, number>
  readonly memoryMb: number
  /** What the server's process took of the processors. */
  readonly cpuS: number
  /** The longest that one thing held the event loop, as the server's log has it; 0: under 200. */
  readonly heldMs: number
}

/** Of fewer calls than this on either side, five lie above the p99, which one chance can move. */
export const LEAST_CALLS = 500

/** Issue: p99 under three times its quiet value, a small check in 60 s, 200 MB, no 5xx. */
const [TIMES, CHECK_S, MORE_MB] = [3, 60, 200]

/** Of numbers, the one that so large a share of them is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Phases of one kind as one. Quiet ones that follow an attack may have kept memory of it, so that
 * `memory` takes the least of theirs.
 */
export function together(phases: readonly Phase[], memory: (...mb: number[]) => number): Phase {
  const answers = new Map<number, number>()
  for (const phase of phases)
    for (const [status, count] of phase.answers)
      answers.set(status, (answers.get(status) ?? 0) + count)
  return {
    name: phases[0]?.name ?? '',
    callsMs: phases.flatMap(({ callsMs }) => callsMs),
    checksS: phases.flatMap(({ checksS }) => checksS),
    answers,
    memoryMb: memory(...phases.map(({ memoryMb }) => memoryMb)),
    cpuS: phases.reduce((sum, { cpuS }) => sum + cpuS, 0),
    heldMs: Math.max(...phases.map(({ heldMs }) => heldMs)),
  }
}

/** How often calls are drawn again to see what chance does to a ratio, and what of that is told. */
const [DRAWS, LEAST, MOST] = [400, 0.05, 0.95] as const

/**
 * Between what the ratio of two p99 lies in nine of ten cases, where as many calls are drawn by
 * chance from those of each side (the bootstrap).
 */
export function timesBetween(quiet: Phase, attacked: Phase): readonly [number, number] {
  const random = createRandom(1)
  const p99Of = ({ callsMs }: Phase): number =>
    quantile(
      callsMs.map(() => pickOne(random, callsMs)),
      0.99,
    )
  const times = Array.from({ length: DRAWS }, () => p99Of(attacked) / p99Of(quiet))
  return [quantile(times, LEAST), quantile(times, MOST)]
}

/** What does not hold while strangers attack, measured by the quiet before; empty when all does. */
export function missedBy(quiet: Phase, attacked: Phase): readonly string[] {
  const [before, during] = [quantile(quiet.callsMs, 0.99), quantile(attacked.callsMs, 0.99)]
  const fewest = Math.min(quiet.callsMs.length, attacked.callsMs.length)
  const slowest = Math.max(...attacked.checksS)
  const faults = [...attacked.answers].filter(([status]) => status >= 500)
  return [
    fewest >= LEAST_CALLS ? null : `${fewest} calls are too few for a p99`,
    during < TIMES * before
      ? null
      : `the slowest hundredth of calls took ${during.toFixed(0)} ms, ${(during / before).toFixed(1)} times as long`,
    slowest <= CHECK_S ? null : `a small upload was checked after ${slowest.toFixed(0)} s`,
    attacked.checksS.length > 0 ? null : 'no small upload was checked',
    attacked.memoryMb - quiet.memoryMb <= MORE_MB
      ? null
      : `memory grew by ${(attacked.memoryMb - quiet.memoryMb).toFixed(0)} MB`,
    ...faults.map(([status, count]) => `${count} answers were ${status}`),
  ].filter((words) => words !== null)
}
