/**
 * The row of a statement that gives exactly one: an insert without `on conflict`, an update of a
 * row that is locked, or a view of one row. Throws when the statement gave another number.
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length !== 1)
    throw new Error(`Expected one row, found ${rows.length}`)
  return row
}
