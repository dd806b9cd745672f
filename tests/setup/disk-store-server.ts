import { fakeKey } from '#tests/fakes/key.ts'
import { createServer } from 'node:http'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '#server/log.ts'
import { createDiskStore, type DiskStore } from '#server/object-store/disk.ts'
import type { PartLedger } from '#server/object-store/part-ledger.ts'
import type { PartLocks } from '#server/object-store/part-locks.ts'
import { lonePartLocks } from '#tests/fakes/part-locks.ts'
import { receivePart } from '#server/routes/parts.ts'

export interface DiskStoreServer {
  readonly store: DiskStore
  readonly origin: string
  readonly root: string
  readonly scratchDir: string
  close(): Promise<void>
}

/** Signs the part URLs of every disk store server, so that another process can make them. */
export const DISK_STORE_KEY = fakeKey(7)

/** A disk store behind a real HTTP server that only takes parts. */
export async function startDiskStoreServer(options: {
  ledger: PartLedger
  /** Those of a store without other processes by default. */
  locks?: PartLocks
  root?: string
  clock?: () => Date
  idleMs?: number
  freeBytes?: () => Promise<number>
}): Promise<DiskStoreServer> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'onecut-store-')))
  const scratchDir = join(root, 'scratch')
  await mkdir(scratchDir, { recursive: true })
  const store = createDiskStore({
    root,
    key: DISK_STORE_KEY,
    floorBytes: 0,
    ledger: options.ledger,
    locks: options.locks ?? lonePartLocks,
    clock: options.clock ?? (() => new Date()),
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
    ...(options.freeBytes === undefined ? {} : { freeBytes: options.freeBytes }),
  })
  const log = createLog(() => {})
  const server = createServer(
    (incoming, outgoing) =>
      void receivePart(
        { store, log, isStopping: () => false, wait: async () => () => undefined },
        incoming,
        outgoing,
      ),
  )
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    store,
    root,
    scratchDir,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (options.root === undefined) await rm(root, { recursive: true, force: true })
    },
  }
}
