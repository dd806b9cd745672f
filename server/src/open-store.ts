import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from '#server/db/connection.ts'
import type { Db } from '#server/db/client.ts'
import { hasEnded } from '#server/db/process-name.ts'
import type { Key } from '#server/db/secrets.ts'
import type { Deps } from './deps.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createDiskStore, type DiskStore } from '#server/object-store/disk.ts'
import { freeBytesOf } from '#server/object-store/free-bytes.ts'
import { createPartLedger } from '#server/object-store/part-ledger.ts'
import { createPartLocks } from '#server/object-store/part-locks.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'
import { StartError } from './start-error.ts'

/** Where files are, by the settings, and its end. */
export interface OpenedStore extends Pick<Deps, 'store' | 'copies'> {
  /** The store whose part URLs this server answers itself; null for one elsewhere. */
  readonly diskStore: DiskStore | null
  close(): Promise<void>
}

interface StoreDeps {
  readonly db: Db
  /** Past a pooler. */
  readonly session: Connection
  readonly clock: () => Date
  readonly log: Log
  readonly metrics: Metrics
  /** Signs part URLs of the disk. */
  readonly key: Key
  /** Name of this process, as others find it. */
  readonly owner: string
}

/** Opens the store of the settings. Throws `StartError` where it cannot be used. */
export async function openStore(settings: Settings, deps: StoreDeps): Promise<OpenedStore> {
  const { s3, role } = settings
  // Who only migrates needs no file.
  return s3 === null || role === 'migrate'
    ? openDiskStore(settings, deps)
    : await openS3Store(settings, s3, deps)
}

function openDiskStore(
  { dataDir, diskFloorBytes: floorBytes }: Settings,
  { db, session, clock, log, key }: StoreDeps,
): OpenedStore {
  const locks = createPartLocks({ $client: { options: session } }, (error) =>
    log.error('part-locks-lost', error),
  )
  const [root, ledger] = [join(dataDir, 'store'), createPartLedger(db, clock)]
  const diskStore = createDiskStore({ root, key, floorBytes, ledger, locks, clock })
  const close = async (): Promise<void> => await locks.close()
  return { store: diskStore, copies: diskStore.copies, diskStore, close }
}

async function openS3Store(
  { scratchDir, scratchBytes, diskFloorBytes }: Settings,
  place: S3Place,
  { db, clock, owner, metrics, log }: StoreDeps,
): Promise<OpenedStore> {
  // Its packages are read only where a bucket is set.
  const [{ createS3Store }, { createPartChecksums }, { refusalOfBucket }] = await Promise.all([
    import('#server/object-store/s3/store.ts'),
    import('#server/object-store/s3/part-checksums.ts'),
    import('#server/object-store/s3/look-at-bucket.ts'),
  ])
  const refusal = await refusalOfBucket(place)
  if (refusal !== null) throw new StartError(refusal)
  await removeCopiesOfEnded(scratchDir)
  const keepBytes = scratchBytes ?? Math.floor((await freeBytesOf(scratchDir)) / 2)
  const store = createS3Store({
    place,
    checksums: createPartChecksums(db, clock),
    clock,
    copies: {
      folder: join(scratchDir, folderOf(owner)),
      keepBytes,
      onBytes: (how, bytes) => metrics.count('onecut_copy_bytes_total', { how }, bytes),
    },
    onCall: (call, outcome) => metrics.count('onecut_store_calls_total', { call, outcome }),
    onOutage: (error) =>
      error === null ? log.info('store/back') : log.warn('store/away', { error }),
    roomForEdits: async () => Math.max(0, (await freeBytesOf(scratchDir)) - diskFloorBytes),
  })
  return { store, copies: store.copies, diskStore: null, close: async () => await store.close() }
}

const COPIES = 'copies-'

/** Each process has copies of its own: what one uses, no other one removes. */
function folderOf(owner: string): string {
  return COPIES + owner.replaceAll('/', '_')
}

/** What a crash leaves takes the room of the next copies. */
async function removeCopiesOfEnded(scratchDir: string): Promise<void> {
  for (const name of await readdir(scratchDir))
    if (name.startsWith(COPIES) && (await hasEnded(name.slice(COPIES.length).replaceAll('_', '/'))))
      await rm(join(scratchDir, name), { recursive: true, force: true })
}
