import type { ApiClient } from '#src/api/client.ts'
import type { Answer } from '#src/api/send.ts'

/** A thing of the server as last pulled. */
export interface Pulled<T> {
  readonly _id: string
  readonly value: T
  /** When the request was sent, by this device's clock. See [Note: age of an answer]. */
  readonly pulledAtEpochMs: number
}

/** Arguments of a list: the id of the thing it belongs to, or none for a list of the user's own. */
export type ParentId = readonly [] | readonly [parentId: string]

// An alias, because the client takes only types that may have further fields.
type Init = { readonly signal?: AbortSignal }

interface Identified {
  readonly _id: string
}

/** A row of the device: the thing, its age, and what queries need as columns. */
export type NounRow<Value, Columns> = Pulled<Value> & Columns

/** A synced noun: what tables, pulls, wiping and hooks need to know about it. */
export interface Noun<
  Table extends string,
  Value extends Identified,
  Columns,
  Parent extends ParentId,
> {
  readonly table: Table
  readonly since: number
  readonly indexes: string
  readonly staleAfterMs: number
  readonly sort: (a: NounRow<Value, Columns>, b: NounRow<Value, Columns>) => number
  /** The column with the parent's id; null when the table is one list. */
  readonly parentColumn: string | null
  /** @param position place in the list's answer, from 0 */
  readonly toRow: (
    value: Value,
    pulledAtEpochMs: number,
    position?: number,
  ) => NounRow<Value, Columns>
  readonly askList: (
    api: ApiClient,
    init: Init,
    ...parent: Parent
  ) => Promise<Answer<readonly Value[]>>
}

/** A noun whose things can be pulled one at a time. */
export interface NounWithOne<
  Table extends string,
  Value extends Identified,
  Columns,
  Parent extends ParentId,
> extends Noun<Table, Value, Columns, Parent> {
  readonly askOne: (api: ApiClient, init: Init, id: string) => Promise<Answer<Value>>
}

interface Plan<
  Table extends string,
  Value extends Identified,
  Columns,
  Parent extends ParentId,
  Body,
> {
  /** Name of the table. It never changes, because tabs of two versions share the database. */
  readonly table: Table
  /** The version of the account's database that brings the table; never changes either. */
  readonly since: number
  /** Indexed columns beside `_id`, as Dexie writes them: `createdAt, name`. Empty for none. */
  readonly indexes: string
  /** How long an answer counts as fresh. */
  readonly staleAfterMs: number
  /**
   * The fields that queries need as columns. Only a noun without `one` may use `position`, the
   * place in the list's answer.
   */
  readonly columns: (value: Value, position: number) => Columns
  /** Order on screen: `newestFirst`, `oldestFirst`, or a comparison of rows. */
  readonly sort: (a: NounRow<Value, Columns>, b: NounRow<Value, Columns>) => number
  /** The complete list: the pull removes what it leaves out. */
  readonly list: {
    readonly ask: (api: ApiClient, init: Init, ...parent: Parent) => Promise<Answer<Body>>
    readonly pick: (body: Body) => readonly Value[]
  }
}

/** Of lists that belong to one thing each: the indexed column with that thing's id. */
interface ParentPlan<Columns> {
  readonly parentColumn: keyof Columns & string
}

interface OnePlan<Value, Body> {
  /** A single thing. A 404 removes its row. */
  readonly one: {
    readonly ask: (api: ApiClient, init: Init, id: string) => Promise<Answer<Body>>
    readonly pick: (body: Body) => Value
  }
}

/**
 * Makes a synced noun: a kind of thing that the server owns and this device shows, also offline.
 * List it in `all.ts`; table, wiping, pulls and hooks follow from it. With `parentColumn` each list
 * belongs to one thing, whose id `list.ask` gets; with `one`, single things can be pulled too.
 */
export function defineNoun<Table extends string, Value extends Identified, Columns, ListBody>(
  plan: Plan<Table, Value, Columns, readonly [parentId: string], ListBody> & ParentPlan<Columns>,
): Noun<Table, Value, Columns, readonly [parentId: string]>
export function defineNoun<
  Table extends string,
  Value extends Identified,
  Columns,
  ListBody,
  OneBody,
>(
  plan: Plan<Table, Value, Columns, readonly [], ListBody> & OnePlan<Value, OneBody>,
): NounWithOne<Table, Value, Columns, readonly []>
// Last, because the compiler reports the mistakes of a plan by the last signature.
export function defineNoun<Table extends string, Value extends Identified, Columns, ListBody>(
  plan: Plan<Table, Value, Columns, readonly [], ListBody> & {
    readonly parentColumn?: never
    readonly one?: never
  },
): Noun<Table, Value, Columns, readonly []>
export function defineNoun<
  Table extends string,
  Value extends Identified,
  Columns,
  Parent extends ParentId,
  ListBody,
  OneBody,
>({
  columns,
  list,
  one,
  parentColumn,
  ...rest
}: Plan<Table, Value, Columns, Parent, ListBody> &
  Partial<ParentPlan<Columns> & OnePlan<Value, OneBody>>):
  | Noun<Table, Value, Columns, Parent>
  | NounWithOne<Table, Value, Columns, Parent> {
  const noun: Noun<Table, Value, Columns, Parent> = {
    ...rest,
    parentColumn: parentColumn ?? null,
    toRow: (value, pulledAtEpochMs, position = 0) => ({
      _id: value._id,
      value,
      pulledAtEpochMs,
      ...columns(value, position),
    }),
    askList: async (api, init, ...parent) =>
      picked(await list.ask(api, init, ...parent), list.pick),
  }
  if (one === undefined) return noun
  return {
    ...noun,
    askOne: async (api, init, id) => picked(await one.ask(api, init, id), one.pick),
  }
}

/** An answer with what `pick` takes out of its body; failures pass unchanged. */
function picked<Body, T>({ data, ...rest }: Answer<Body>, pick: (body: Body) => T): Answer<T> {
  return data === undefined ? rest : { ...rest, data: pick(data) }
}

type Dated = Pulled<{ readonly createdAt: string }>

/** Ties go by id, so that every tab shows the same order. */
export function oldestFirst(a: Dated, b: Dated): number {
  return a.value.createdAt.localeCompare(b.value.createdAt) || a._id.localeCompare(b._id)
}

/** The reverse of `oldestFirst`. */
export function newestFirst(a: Dated, b: Dated): number {
  return oldestFirst(b, a)
}
