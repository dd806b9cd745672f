import type { Table } from 'dexie'

/** A row that knows how old it is. */
export interface Aged {
  readonly _id: string
  readonly pulledAtEpochMs: number
}

/**
 * Writes the rows of an answer, except where a newer answer wrote the row. Call inside a
 * transaction over the table.
 */
export async function putUnlessNewer<R extends Aged, Insert>(
  table: Table<R, string, Insert>,
  rows: readonly (R & Insert)[],
): Promise<void> {
  const present = await table.bulkGet(rows.map((row) => row._id))
  const fresh = rows.filter(
    (row, index) => (present[index]?.pulledAtEpochMs ?? -Infinity) <= row.pulledAtEpochMs,
  )
  await table.bulkPut(fresh)
}

/**
 * Makes the table (or `rowsInScope` of it) equal to a complete answer: writes the listed rows and
 * deletes the others, except rows newer than the answer. Call inside a transaction over the table.
 * @returns the ids that were deleted
 */
export async function replaceRows<R extends Aged, Insert>(
  table: Table<R, string, Insert>,
  rows: readonly (R & Insert)[],
  rowsInScope: readonly R[],
  pulledAtEpochMs: number,
): Promise<readonly string[]> {
  const listed = new Set(rows.map((row) => row._id))
  const gone = rowsInScope
    .filter((row) => !listed.has(row._id) && row.pulledAtEpochMs < pulledAtEpochMs)
    .map((row) => row._id)
  await table.bulkDelete(gone)
  await putUnlessNewer(table, rows)
  return gone
}
