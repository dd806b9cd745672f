import type { Table } from 'dexie'
import type { AccountDb } from './account-db.ts'
import type { Noun, NounRow, ParentId } from '#src/local/nouns/define-noun.ts'

/** Under which fact it is kept when a list was last pulled whole. */
function listKey<Parent extends ParentId>(
  { table }: { readonly table: string },
  parent: Parent,
): string {
  return ['list', table, ...parent].join(':')
}

/**
 * Takes down that a list was pulled whole: an empty one leaves no row that says so. Call inside a
 * transaction over the table and the facts, so that the list never looks empty before its rows.
 */
export async function writeListedAt<Parent extends ParentId>(
  db: AccountDb,
  noun: { readonly table: string },
  pulledAtEpochMs: number,
  ...parent: Parent
): Promise<void> {
  await db.facts.put({ key: listKey(noun, parent), value: null, pulledAtEpochMs })
}

/** When a list was last pulled whole, by this device's clock; null when never. Local read. */
export async function readListedAt<Parent extends ParentId>(
  db: AccountDb,
  noun: { readonly table: string },
  ...parent: Parent
): Promise<number | null> {
  return (await db.facts.get(listKey(noun, parent)))?.pulledAtEpochMs ?? null
}

/** The table of a noun, for code that works with every noun; others name it: `db.wallets`. */
export function tableOf<Value extends { readonly _id: string }, Columns, Parent extends ParentId>(
  db: AccountDb,
  noun: Noun<string, Value, Columns, Parent>,
): Table<NounRow<Value, Columns>, string> {
  return db.table(noun.table)
}

/**
 * The rows of a noun on this device in its order, of one parent where it has parents. Empty when
 * there are none, or when they were never pulled. Local read.
 */
export async function readNounRows<
  Value extends { readonly _id: string },
  Columns,
  Parent extends ParentId,
>(
  db: AccountDb,
  noun: Noun<string, Value, Columns, Parent>,
  ...[parentId]: Parent
): Promise<readonly NounRow<Value, Columns>[]> {
  const table = tableOf(db, noun)
  const rows =
    noun.parentColumn === null || parentId === undefined
      ? await table.toArray()
      : await table.where(noun.parentColumn).equals(parentId).toArray()
  return rows.sort(noun.sort)
}
