/**
 * Whether a call of a database failed because it was taken away: the person deletes the data of the
 * site, or another tab deletes the database. The first calls fail with what the browser aborts, the
 * later ones because it is closed.
 */
export function isDatabaseLost(thrown: unknown): boolean {
  return thrown instanceof Error && LOST.has(thrown.name)
}

const LOST: ReadonlySet<string> = new Set(['DatabaseClosedError', 'AbortError'])
