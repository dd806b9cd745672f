import type { PartPlan } from '#src/local/db/rows.ts'

/** The bytes of one part: `start` included, `end` excluded, as `Blob.slice` takes them. */
export interface PartRange {
  readonly partNumber: number
  readonly start: number
  readonly end: number
}

/**
 * The server's plan, after checking that it covers the file exactly; null when it does not. The
 * client never makes a plan of its own.
 */
export function planOf(
  cut: { readonly partSizeBytes: number; readonly partCount: number } | null,
  sizeBytes: number,
): PartPlan | null {
  if (cut === null || cut.partSizeBytes <= 0 || sizeBytes <= 0) return null
  return cut.partCount === Math.ceil(sizeBytes / cut.partSizeBytes) ? { ...cut, sizeBytes } : null
}

/**
 * The range of part `partNumber` (1..partCount) in the file. Throws for a number outside the plan,
 * which is a bug.
 */
export function partRange(plan: PartPlan, partNumber: number): PartRange {
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > plan.partCount)
    throw new RangeError(`part ${partNumber} is outside 1..${plan.partCount}`)
  const start = (partNumber - 1) * plan.partSizeBytes
  return { partNumber, start, end: Math.min(start + plan.partSizeBytes, plan.sizeBytes) }
}

/** Size of one part in bytes. */
export function partSize(plan: PartPlan, partNumber: number): number {
  const { start, end } = partRange(plan, partNumber)
  return end - start
}

/** Numbers of the parts that are missing in `safe`, in file order. */
export function missingParts(plan: PartPlan, safe: ReadonlySet<number>): readonly number[] {
  return Array.from({ length: plan.partCount }, (_, index) => index + 1).filter(
    (partNumber) => !safe.has(partNumber),
  )
}

/**
 * The order of sending: the missing parts in file order, but the last part of the file right after
 * the first missing one. Cameras and phones write a movie's index at the end; once both ends have
 * arrived, the server can measure the video and price its edits.
 */
export function endsFirst(plan: PartPlan, missing: readonly number[]): readonly number[] {
  const [first, ...rest] = missing
  const last = rest.at(-1)
  return first === undefined || last !== plan.partCount
    ? missing
    : [first, last, ...rest.slice(0, -1)]
}
