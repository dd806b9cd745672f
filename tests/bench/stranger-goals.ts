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

/** Issue: p99 under three times its quiet value, a small check in 60 s, 200 MB, no 5xx. */
const [TIMES, CHECK_S, MORE_MB] = [3, 60, 200]

/** Of numbers, the one that so large a share of them is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** What does not hold while strangers attack, measured by the quiet before; empty when all does. */
export function missedBy(quiet: Phase, attacked: Phase): readonly string[] {
  const [before, during] = [quantile(quiet.callsMs, 0.99), quantile(attacked.callsMs, 0.99)]
  const slowest = Math.max(...attacked.checksS)
  const faults = [...attacked.answers].filter(([status]) => status >= 500)
  return [
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
