import type {
  DBCore,
  DBCoreCursor,
  DBCoreMutateRequest,
  DBCoreMutateResponse,
  DBCoreTable,
  Middleware,
} from 'dexie'
import { openValue, sealValue, type SealKeys } from './seal.ts'

/**
 * How rows are kept. `sealed`: all that is written is sealed. `opening`: what is sealed can be
 * read, and what is written is not sealed any more.
 */
export interface RowSeal {
  readonly keys: SealKeys
  readonly writes: 'sealed' | 'opening'
}

/** The account is locked, and this context has no key to it. */
export class AccountLocked extends Error {
  constructor() {
    super('this account is locked on this device')
    this.name = 'AccountLocked'
  }
}

/**
 * Indexed and yet not in clear beside a sealed row: they say what is in it. No query asks for them
 * by the index; a test holds this.
 */
const SAYING: Readonly<Record<string, readonly string[]>> = { mediaJobs: ['name'] }

/**
 * What cannot be sealed is not kept: the way to a file of the device, which has its name, and
 * copies of whole files. After a start an upload asks for its file again, as it does in browsers
 * without such ways.
 */
const NOT_KEPT: ReadonlySet<string> = new Set(['handles', 'blobs'])

/** Whether rows of this table are not kept where rows are sealed. */
export function isNeverSealed(table: string): boolean {
  return NOT_KEPT.has(table)
}

/**
 * Seals the rows of an account below everything that Dexie does with them: keys and indexes stay as
 * they are, which are ids, times and the names of facts; all else of a row is one sealed value. See
 * [Note: seal]. Without a seal, rows that are sealed cannot be read.
 */
export function sealRows(seal: RowSeal | null): Middleware<DBCore> {
  return {
    stack: 'dbcore',
    name: 'seal',
    // Nearer to the database than what Dexie itself puts there, down to its cache at -1.
    level: -2,
    create: (down) => ({ ...down, table: (name) => sealTable(down.table(name), seal) }),
  }
}

function sealTable(table: DBCoreTable, seal: RowSeal | null): DBCoreTable {
  const { keyPath } = table.schema.primaryKey
  const open = (row: unknown): unknown => {
    if (!isSealed(row)) return row
    if (seal === null) throw new AccountLocked()
    return openValue(seal.keys, placeOf(table.name, keyPath, row), row.sealed)
  }
  return {
    ...table,
    // By `then` on the promises of Dexie, which know their transaction; those of `async` do not.
    get: (request) => table.get(request).then(open),
    getMany: (request) => table.getMany(request).then((rows) => rows.map(open)),
    query: (request) =>
      table
        .query(request)
        .then((answer) =>
          request.values === true ? { ...answer, result: answer.result.map(open) } : answer,
        ),
    openCursor: (request) =>
      table
        .openCursor(request)
        .then((cursor) =>
          cursor === null || request.values !== true ? cursor : openedCursor(cursor, open),
        ),
    mutate: seal?.writes === 'sealed' ? sealedMutate(table, seal.keys) : table.mutate,
  }
}

function sealedMutate(table: DBCoreTable, keys: SealKeys): DBCoreTable['mutate'] {
  const { primaryKey, indexes } = table.schema
  const saying = SAYING[table.name] ?? []
  const clear = [primaryKey, ...indexes]
    .flatMap(({ keyPath }) => keyPath ?? [])
    .filter((path) => !saying.includes(path))
  const sealRow = (row: object): object => ({
    ...Object.fromEntries(Object.entries(row).filter(([field]) => clear.includes(field))),
    sealed: sealValue(keys, placeOf(table.name, primaryKey.keyPath, row), row),
  })
  return (request) => {
    if (request.type !== 'add' && request.type !== 'put') return table.mutate(request)
    if (NOT_KEPT.has(table.name)) return Promise.resolve(asIfWritten(request))
    return table.mutate({ ...request, values: request.values.map(sealRow) })
  }
}

function asIfWritten({ values }: Extract<DBCoreMutateRequest, { values: unknown }>) {
  const answer: DBCoreMutateResponse = {
    numFailures: 0,
    failures: {},
    lastResult: undefined,
    results: values.map(() => undefined),
  }
  return answer
}

/** The members of a cursor of the browser refuse every other `this`. */
function openedCursor(cursor: DBCoreCursor, open: (row: unknown) => unknown): DBCoreCursor {
  return Object.create(cursor, {
    key: { get: (): unknown => cursor.key },
    primaryKey: { get: (): unknown => cursor.primaryKey },
    value: { get: () => open(cursor.value) },
  }) as DBCoreCursor
}

interface SealedRow {
  readonly sealed: Uint8Array
}

function isSealed(row: unknown): row is SealedRow {
  return (
    typeof row === 'object' && row !== null && 'sealed' in row && row.sealed instanceof Uint8Array
  )
}

function placeOf(table: string, keyPath: string | string[] | null, row: object): string {
  const fields = new Map<string, unknown>(Object.entries(row))
  return JSON.stringify([table, ...[keyPath ?? []].flat().map((path) => fields.get(path))])
}
