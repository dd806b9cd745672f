import { Dexie, type EntityTable, type Table } from 'dexie'
import type {
  BlobRow,
  DraftRow,
  FactRow,
  HandleRow,
  ImageRow,
  MediaAssetRow,
  MediaJobRow,
  OrderRow,
  OutboxRow,
  PaymentIntentRow,
  PresetRow,
  SelectionRow,
  UploadPartRow,
  UploadRow,
  WalletRow,
  WalletTransactionRow,
} from './rows.ts'

const NAME_PREFIX = 'onecut-account-'

/**
 * The database of one account on this device. Open through `openAccountDb`; close before wiping.
 */
export class AccountDb extends Dexie {
  declare readonly mediaJobs: EntityTable<MediaJobRow, '_id'>
  declare readonly orders: EntityTable<OrderRow, '_id'>
  declare readonly wallets: EntityTable<WalletRow, '_id'>
  declare readonly walletTransactions: EntityTable<WalletTransactionRow, '_id'>
  declare readonly presets: EntityTable<PresetRow, '_id'>
  declare readonly mediaAssets: EntityTable<MediaAssetRow, '_id'>
  declare readonly facts: EntityTable<FactRow, 'key'>
  declare readonly images: EntityTable<ImageRow, 'key'>
  declare readonly uploads: EntityTable<UploadRow, 'id'>
  declare readonly uploadParts: Table<UploadPartRow, [string, number]>
  declare readonly handles: EntityTable<HandleRow, 'uploadId'>
  declare readonly blobs: EntityTable<BlobRow, 'uploadId'>
  declare readonly selections: EntityTable<SelectionRow, 'key'>
  declare readonly outbox: EntityTable<OutboxRow, 'id'>
  declare readonly drafts: EntityTable<DraftRow, 'key'>
  declare readonly paymentIntents: EntityTable<PaymentIntentRow, 'orderId'>
  readonly userId: string

  constructor(userId: string, options: DbOptions = {}) {
    // Strict durability: a part is safe, and an intention kept, only when it is on disk. Dexie
    // offers no durability for single transactions.
    super(accountDbName(userId), { chromeTransactionDurability: 'strict', ...options })
    this.userId = userId
    // Numbered steps: a published one is never edited; every change is a new number. Names of
    // tables and fields never change, because tabs of two versions share the database.
    this.version(1).stores({
      mediaJobs: '_id, createdAt, name, uploadRequestId',
      orders: '_id, mediaJobId',
      wallets: '_id',
      walletTransactions: '_id, walletId, createdAt',
      presets: '_id, slug, position',
      mediaAssets: '_id, createdAt',
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
    })
    // Another tab deletes or upgrades the database: close at once and do not reopen at the next
    // query, which would create the database again.
    this.on('versionchange', () => {
      this.close({ disableAutoOpen: true })
      return false
    })
  }
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

/** Opens (or creates) the account's database, in a page or a worker. The caller closes it. */
export async function openAccountDb(userId: string, options: DbOptions = {}): Promise<AccountDb> {
  const db = new AccountDb(userId, options)
  await db.open()
  return db
}
