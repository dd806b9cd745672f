import { foundList, type Shown } from './shown.ts'
import { usePulled, usePulls } from './use-pull.ts'
import { readListedAt, readNounRows, tableOf } from '#src/local/db/nouns.ts'
import type { Noun, NounWithOne, ParentId } from '#src/local/nouns/define-noun.ts'

/**
 * The list of a noun in its order: `useNounList(wallets)`, or of one parent where the noun has
 * parents: `useNounList(walletTransactions, walletId)`. Empty only when the server has none.
 */
export function useNounList<
  Value extends { readonly _id: string },
  Columns,
  Parent extends ParentId,
>(noun: Noun<string, Value, Columns, Parent>, ...parent: Parent): Shown<readonly Value[]> {
  return usePulled(usePulls().list(noun, ...parent), {
    key: ['list', noun.table, ...parent].join(':'),
    find: async (db) => {
      const rows = await readNounRows(db, noun, ...parent)
      return foundList(
        rows,
        rows.map((row) => row.value),
        await readListedAt(db, noun, ...parent),
      )
    },
    emptyData: [],
  })
}

/** One thing of a noun. A 404 is `failed` with `statusOf(failure) === 404`. */
export function useNounOne<
  Value extends { readonly _id: string },
  Columns,
  Parent extends ParentId,
>(noun: NounWithOne<string, Value, Columns, Parent>, id: string): Shown<Value> {
  return usePulled(usePulls().thing(noun, id), {
    key: `one:${noun.table}:${id}`,
    find: async (db) => {
      const row = await tableOf(db, noun).get(id)
      return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
    },
  })
}
