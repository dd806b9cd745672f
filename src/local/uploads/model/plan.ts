import { err, ok, type Result } from '#src/lib/result.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/** A part as the server plans it. */
export interface PlannedPart {
  readonly partNumber: number
  readonly sizeBytes: number
}

/** The bytes of one part: `start` included, `end` excluded, as `Blob.slice` takes them. */
export interface PartRange {
  readonly partNumber: number
  readonly start: number
  readonly end: number
}

export interface PartPlanProblem {
  readonly code: 'upload/plan-unusable'
  readonly why: 'empty' | 'gap' | 'uneven' | 'wrong-total'
}

/**
 * Turns the server's parts into a plan, after checking that they cover the file exactly: numbers
 * 1..n without a gap, one size for all parts but the last, which is not larger, and a total equal
 * to the file. The client never makes a plan of its own.
 */
export function planFromParts(
  parts: readonly PlannedPart[],
  sizeBytes: number,
): Result<PartPlan, PartPlanProblem> {
  const sorted = parts.toSorted((a, b) => a.partNumber - b.partNumber)
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined || sizeBytes <= 0) return problem('empty')
  if (sorted.some((part, index) => part.partNumber !== index + 1)) return problem('gap')
  if (
    sorted.some(
      (part, index) =>
        part.sizeBytes <= 0 || (index < sorted.length - 1 && part.sizeBytes !== first.sizeBytes),
    )
  )
    return problem('uneven')
  if (last.sizeBytes > first.sizeBytes) return problem('uneven')
  if (first.sizeBytes * (sorted.length - 1) + last.sizeBytes !== sizeBytes)
    return problem('wrong-total')
  return ok({ partSizeBytes: first.sizeBytes, partCount: sorted.length, sizeBytes })
}

/**
 * The limit of S3 (S3 user guide, read on 21 November 2026); for the largest files servers use
 * larger parts instead.
 */
const MAX_PARTS = 10_000

/**
 * How a server with parts of `partSizeBytes` will most likely cut a file: a guess for reading
 * ahead, never a plan for sending. Null when it cannot be guessed.
 */
export function likelyPlan(sizeBytes: number, partSizeBytes: number): PartPlan | null {
  const partCount = Math.ceil(sizeBytes / partSizeBytes)
  return partCount >= 1 && partCount <= MAX_PARTS
    ? { partSizeBytes: Math.min(partSizeBytes, sizeBytes), partCount, sizeBytes }
    : null
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

function problem(why: PartPlanProblem['why']): Result<never, PartPlanProblem> {
  return err({ code: 'upload/plan-unusable', why })
}
