/** Where an item stands in a list ordered by time of making, ties by id. */
export interface Edge {
  readonly createdAt: string
  readonly _id: string
}
export type SortDirection = 'asc' | 'desc'

/**
 * The stretch of the list that one page covers: behind `after`, up to and including `upTo`; null is
 * the list's own end.
 */
export interface PageScope {
  readonly after: Edge | null
  readonly upTo: Edge | null
  readonly direction: SortDirection
}

/**
 * Whether an item would be on the page if the server still had it. Times are the server's ISO
 * strings in one format, so that they compare as text.
 */
export function isInScope(scope: PageScope, item: Edge): boolean {
  const order = scope.direction === 'asc' ? compareEdges : (a: Edge, b: Edge) => compareEdges(b, a)
  return (
    (scope.after === null || order(item, scope.after) > 0) &&
    (scope.upTo === null || order(item, scope.upTo) <= 0)
  )
}

function compareEdges(a: Edge, b: Edge): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  if (a._id === b._id) return 0
  return a._id < b._id ? -1 : 1
}
