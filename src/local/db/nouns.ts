import type { Table } from 'dexie'
import type { AccountDb } from './account-db.ts'
import type { Noun, NounRow, ParentId } from '#src/local/nouns/define-noun.ts'

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
