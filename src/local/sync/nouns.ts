import { definePull, keepList, keepRows, type PullDeps } from './pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { readNounRows, tableOf, writeListedAt } from '#src/local/db/nouns.ts'
import type { Noun, NounWithOne, ParentId } from '#src/local/nouns/define-noun.ts'
import type { Result } from '#src/lib/result.ts'

/** Pulls the complete list of a noun, or of one parent; what the server left out disappears. */
export function pullList<Value extends { readonly _id: string }, Columns, Parent extends ParentId>(
  deps: PullDeps,
  noun: Noun<string, Value, Columns, Parent>,
  ...parent: Parent
): Promise<Result<null, ApiFailure>> {
  const pull = definePull({
    ask: (api, init) => noun.askList(api, init, ...parent),
    keep: ({ db }, values: readonly Value[], pulledAtEpochMs) => {
      const rows = values.map((value, position) => noun.toRow(value, pulledAtEpochMs, position))
      const table = tableOf(db, noun)
      return db.transaction('rw', table, db.facts, async () => {
        await writeListedAt(db, noun, pulledAtEpochMs, ...parent)
        return keepList(db, table, rows, pulledAtEpochMs, () => readNounRows(db, noun, ...parent))
      })
    },
  })
  return pull(deps)
}

/** Pulls one thing of a noun. A 404 removes its row. */
export function pullOne<Value extends { readonly _id: string }, Columns, Parent extends ParentId>(
  deps: PullDeps,
  noun: NounWithOne<string, Value, Columns, Parent>,
  id: string,
): Promise<Result<null, ApiFailure>> {
  const pull = definePull({
    ask: (api, init) => noun.askOne(api, init, id),
    keep: ({ db }, value: Value, pulledAtEpochMs) =>
      keepRows(db, tableOf(db, noun), [noun.toRow(value, pulledAtEpochMs)]),
    forget: ({ db }) => tableOf(db, noun).delete(id),
  })
  return pull(deps)
}
