import type { EntityTable } from 'dexie'

/** A row that knows how old it is. */
export interface Aged {
  readonly _id: string
  readonly pulledAtEpochMs: number
}

/**
 * Writes the rows of an answer, except where a newer answer wrote the row. Call inside a
 * transaction over the table.
 */
export async function putUnlessNewer<R extends Aged>(
  table: EntityTable<R, '_id'>,
  rows: readonly R[],
): Promise<void> {
  const present = await table.bulkGet(
    rows.map((row) => row._id) as Parameters<typeof table.bulkGet>[0],
  )
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
export async function replaceRows<R extends Aged>(
  table: EntityTable<R, '_id'>,
  rows: readonly R[],
  rowsInScope: readonly R[],
  pulledAtEpochMs: number,
): Promise<readonly string[]> {
  const listed = new Set(rows.map((row) => row._id))
  const gone = rowsInScope
    .filter((row) => !listed.has(row._id) && row.pulledAtEpochMs < pulledAtEpochMs)
    .map((row) => row._id)
  await table.bulkDelete(gone as Parameters<typeof table.bulkDelete>[0])
  await putUnlessNewer(table, rows)
  return gone
}
