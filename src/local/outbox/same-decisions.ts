import type { FaceDecisions } from '#src/local/db/rows.ts'

/** Whether two say the same of every face. */
export function isSameDecisions(some: FaceDecisions, other: FaceDecisions): boolean {
  return JSON.stringify(inOrder(some)) === JSON.stringify(inOrder(other))
}

/** The server may give the fields of an object in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, inOrder(each)]),
  )
}
