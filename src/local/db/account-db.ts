import {
  Dexie,
  type DBCore,
  type EntityTable,
  type Middleware,
  type Table,
  type Transaction,
} from 'dexie'
import { entryOf } from './library-entry.ts'
import type { SealKeys } from './seal.ts'
import { sealRows, type RowSeal } from './sealed-rows.ts'
import type {
  BlobRow,
  CheckoutRow,
  DraftRow,
  ExcerptRow,
  FaceReviewRow,
  FactRow,
  FoundMomentsRow,
  HandleRow,
  ImageRow,
  KeptFileRow,
  LibraryEntryRow,
  MadeFileRow,
  MediaJobRow,
  OrderRow,
  OutboxRow,
  PaymentIntentRow,
  SelectionRow,
  UploadPartRow,
  UploadRow,
  UploadSoundsRow,
} from './rows.ts'
import { nouns } from '#src/local/nouns/all.ts'
import type { Noun, NounRow, ParentId } from '#src/local/nouns/define-noun.ts'

const NAME_PREFIX = 'onecut-account-'

/**
 * Tables that are no synced noun, by the version that brings them. A published version is never
 * edited; every change is a new number, also a changed index of a noun. Names of tables and fields
 * never change, because tabs of two versions share the database.
 */
const OWN_STORES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: {
    mediaJobs: '_id, createdAt, name, uploadRequestId',
    orders: '_id, mediaJobId',
    facts: 'key',
    images: 'key',
    uploads: 'id, uploadRequestId, createdAtEpochMs',
    uploadParts: '[uploadId+partNumber], uploadId',
    handles: 'uploadId',
    blobs: 'uploadId',
    selections: 'key',
    outbox: 'id, createdAtEpochMs',
    drafts: 'key',
    paymentIntents: 'orderId',
  },
  2: { checkouts: 'key' },
  3: { libraryEntries: '_id' },
  5: { faceReviews: '_id' },
  9: { uploadSounds: '_id' },
  10: { excerpts: 'uploadId' },
  11: { madeFiles: 'id, uploadId, createdAtEpochMs' },
  12: { keptFiles: '&outputId, mediaJobId, lastOpenedAtEpochMs' },
  13: { foundMoments: 'uploadId' },
}

/** What a version does with the rows that it finds. */
const UPGRADES: Readonly<Record<number, (tx: Transaction) => PromiseLike<unknown>>> = {
  3: async (tx) => {
    const jobs = tx.table<MediaJobRow>('mediaJobs')
    const entries: LibraryEntryRow[] = []
    await jobs.each((row) => entries.push(entryOf(row)))
    await tx.table<LibraryEntryRow>('libraryEntries').bulkPut(entries)
  },
}

type AnyNoun = (typeof nouns)[number]
type RowOf<N> =
  N extends Noun<string, infer Value, infer Columns, infer _Parent extends ParentId>
    ? NounRow<Value, Columns>
    : never
type NounTables = { readonly [N in AnyNoun as N['table']]: EntityTable<RowOf<N>, '_id'> }

/**
 * The database of one account on this device. Open through `openAccountDb`; close before wiping.
 */
export type AccountDb = AccountDexie & NounTables

class AccountDexie extends Dexie {
  declare readonly mediaJobs: EntityTable<MediaJobRow, '_id'>
  declare readonly libraryEntries: EntityTable<LibraryEntryRow, '_id'>
  declare readonly orders: EntityTable<OrderRow, '_id'>
  declare readonly faceReviews: EntityTable<FaceReviewRow, '_id'>
  declare readonly uploadSounds: EntityTable<UploadSoundsRow, '_id'>
  declare readonly facts: EntityTable<FactRow, 'key'>
  declare readonly images: EntityTable<ImageRow, 'key'>
  declare readonly uploads: EntityTable<UploadRow, 'id'>
  declare readonly uploadParts: Table<UploadPartRow, [string, number]>
  declare readonly handles: EntityTable<HandleRow, 'uploadId'>
  declare readonly blobs: EntityTable<BlobRow, 'uploadId'>
  declare readonly excerpts: EntityTable<ExcerptRow, 'uploadId'>
  declare readonly madeFiles: EntityTable<MadeFileRow, 'id'>
  declare readonly foundMoments: EntityTable<FoundMomentsRow, 'uploadId'>
  declare readonly keptFiles: EntityTable<KeptFileRow, 'outputId'>
  declare readonly selections: EntityTable<SelectionRow, 'key'>
  declare readonly outbox: EntityTable<OutboxRow, 'id'>
  declare readonly drafts: EntityTable<DraftRow, 'key'>
  declare readonly paymentIntents: EntityTable<PaymentIntentRow, 'orderId'>
  declare readonly checkouts: EntityTable<CheckoutRow, 'key'>
  readonly userId: string
  /** With the app lock on, what rows and files are sealed by ([Note: seal]); null without. */
  readonly keys: SealKeys | null
  #isNew = false
  #onLost = (): void => undefined

  constructor(userId: string, options: DbOptions, seal: RowSeal | null) {
    // Strict durability: a part is safe, and an intention kept, only when it is on disk. Dexie
    // offers no durability for single transactions.
    // A database that was taken away is not created again by the next query.
    super(accountDbName(userId), {
      chromeTransactionDurability: 'strict',
      autoOpen: false,
      ...options,
    })
    this.userId = userId
    this.keys = seal?.keys ?? null
    this.use(sealRows(seal))
    for (const [version, stores] of versionsToDeclare()) {
      const defined = this.version(version).stores(stores)
      const upgrade = UPGRADES[version]
      if (upgrade !== undefined) defined.upgrade(upgrade)
    }
    this.on('populate', () => {
      this.#isNew = true
    })
    // Another tab deletes or upgrades the database: close at once. An upgrade is for newer code
    // than this.
    this.on('versionchange', ({ newVersion }) => {
      this.close({ disableAutoOpen: true })
      if (newVersion === null) this.#onLost()
      return false
    })
  }

  /** True when there was no database of this account when it was opened. */
  get isNew(): boolean {
    return this.#isNew
  }

  /**
   * Calls the listener when the database is taken away from this open connection: deleted by
   * another tab, or closed by the browser, which deletes the data of the site or has lost its disk.
   */
  whenLost(listener: () => void): void {
    this.#onLost = listener
    this.backendDB().addEventListener('close', listener)
  }
}

/** The tables that each version of the database brings or changes, with their indexes. */
export function storesByVersion(): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const versions = new Set([...Object.keys(OWN_STORES).map(Number), ...nouns.map((n) => n.since)])
  return new Map(
    [...versions].map((version) => [
      version,
      {
        ...OWN_STORES[version],
        ...Object.fromEntries(
          nouns
            .filter(({ since }) => since === version)
            .map(({ table, indexes }) => [table, indexes === '' ? '_id' : `_id, ${indexes}`]),
        ),
      },
    ]),
  )
}

/**
 * What Dexie is told of the versions. For each of them it reads the tables of all of them again, so
 * a version that only brings tables comes with the next one that changes rows, or with the last:
 * then a connection opens in a third of the processor time.
 */
function versionsToDeclare(): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const stores = storesByVersion()
  const versions = [...stores.keys()].sort((a, b) => a - b)
  const declared = new Map<number, Readonly<Record<string, string>>>()
  let brought = {}
  for (const version of versions) {
    brought = { ...brought, ...stores.get(version) }
    if (UPGRADES[version] === undefined && version !== versions.at(-1)) continue
    declared.set(version, brought)
    brought = {}
  }
  return declared
}

/** Tests pass another IndexedDB implementation. */
export interface DbOptions {
  readonly indexedDB?: IDBFactory
  readonly IDBKeyRange?: typeof IDBKeyRange
}

/** Name of the account's database; ids are UUIDs, so nothing needs escaping. */
export function accountDbName(userId: string): string {
  return `${NAME_PREFIX}${userId}`
}

/**
 * Opens (or creates) the account's database, in a page or a worker. The caller closes it.
 * @param seal null where the app lock is off
 * @param further what stands between this connection and the rows
 */
export async function openAccountDb(
  userId: string,
  options: DbOptions = {},
  seal: RowSeal | null = null,
  further: readonly Middleware<DBCore>[] = [],
): Promise<AccountDb> {
  // Dexie gives the object a property for each table of `storesByVersion`, which no class can say.
  const db = new AccountDexie(userId, options, seal) as AccountDb
  for (const middleware of further) db.use(middleware)
  await db.open()
  return db
}
