import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultProxy } from './fault-proxy.ts'
import type { TestFile } from './test-files.ts'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeLocks, type FakeLocks } from '#tests/fakes/upload-locks.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { createApiClient } from '#src/api/client.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { createChannel, type ChannelPort } from '#src/local/channel/channel.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { HandleRow, UploadRow } from '#src/local/db/rows.ts'
import { createXhrTransport } from '#src/local/uploads/adapters/xhr-transport.ts'
import type { EngineCommands } from '#src/local/uploads/api.ts'
import { createUploadCommands } from '#src/local/uploads/engine/commands.ts'
import { createUploadEngine } from '#src/local/uploads/engine/engine.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { browserUploadDeps, type HostLocal } from '#src/local/uploads/host/compose-upload-host.ts'
import { chooseVideo } from '#src/local/uploads/page/choose.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { MAX_SLOTS } from '#src/local/uploads/transfer/part-queue.ts'

/**
 * A browser's device without the browser: the app's engine and adapters, composed as the upload
 * worker composes them, over Node's network, files and IndexedDB in memory. It outlives its tabs.
 */
export interface UploadClient {
  readonly device: string
  readonly db: AccountDb
  /** Chooses a file as the upload screen does and keeps its handle. Returns the local id. */
  choose(file: TestFile): Promise<string>
  /** Opens the app: the engine resumes what is unfinished. */
  openTab(): Promise<ClientTab>
  row(uploadId: string): Promise<UploadRow>
  close(): Promise<void>
}

export interface ClientTab {
  readonly commands: EngineCommands
  /** The process dies: its connections break, and nothing it does has an effect from now on. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** What all tabs of a device share. */
interface Device {
  readonly proxy: FaultProxy
  readonly name: string
  readonly account: TestClient
  readonly clock: Clock
  readonly locks: FakeLocks
  readonly newPort: () => ChannelPort
  openDb(): Promise<AccountDb>
}

/** Makes a device of the proxy. The account is the client's; time is the given clock's. */
export async function createUploadClient(
  proxy: FaultProxy,
  name: string,
  account: TestClient,
  clock: Clock,
): Promise<UploadClient> {
  const indexedDb = newDevice()
  const withHandles = keepHandles()
  const openDb = async (): Promise<AccountDb> => withHandles(await openTestDb(indexedDb))
  const db = await openDb()
  const device: Device = {
    proxy,
    name,
    account,
    clock,
    locks: createFakeLocks(),
    newPort: createFakeChannelPorts(),
    openDb,
  }
  return {
    device: name,
    db,
    openTab: () => openTab(device),
    choose: (file) => choose(db, clock, file),
    row: async (uploadId) => {
      const row = await db.uploads.get(uploadId)
      if (row === undefined) throw new Error(`No upload ${uploadId} on ${name}`)
      return row
    },
    close: async () => db.close({ disableAutoOpen: true }),
  }
}

async function openTab(device: Device): Promise<ClientTab> {
  const { clock, locks } = device
  const tab = {}
  const killed = new AbortController()
  const network = await openNetwork(device.proxy, device.name)
  const local = await composeLocal(device, network.origin, killed.signal)
  const deps: UploadDeps = {
    ...browserUploadDeps(
      local,
      { locks: NO_LOCKS, estimate: null },
      {
        transport: createXhrTransport({ origin: network.origin, nowEpochMs: clock.now }),
        isInstalled: true,
        firstSlots: MAX_SLOTS,
      },
    ),
    locks: locks.of(tab),
  }
  const engine = createUploadEngine(deps, USER_ID)
  const commands = createUploadCommands({
    ...deps,
    saveHandle: async () => undefined,
    onFileHeld: (uploadId) => engine.announceFile(uploadId),
  })
  await engine.open()
  return {
    commands,
    kill: async () => {
      killed.abort()
      locks.crash(tab)
      local.close()
      await network.close()
    },
    close: async () => {
      await engine.close()
      local.close()
      await network.close()
    },
  }
}

/** What the upload worker gets from the app; after `killed` its time stands still. */
async function composeLocal(
  { account, clock, newPort, openDb, proxy }: Device,
  origin: string,
  killed: AbortSignal,
): Promise<HostLocal> {
  const db = await openDb()
  const never = new Promise<never>(() => undefined)
  return {
    api: createApiClient({
      origin,
      fetch: (request) => fetchAs(account, proxy.origin, request),
      xsrfToken: async () => account.cookies.get('XSRF-TOKEN') ?? null,
      onSessionEnded: () => undefined,
    }),
    db,
    channel: createChannel({ port: newPort(), log: silentLog }),
    clock: {
      now: clock.now,
      sleep: async (delayMs, signal) => {
        await clock.sleep(delayMs, signal)
        if (killed.aborted) await never
      },
    },
    ids: createIds(),
    log: silentLog,
    close: () => db.close({ disableAutoOpen: true }),
  }
}

async function choose(db: AccountDb, clock: Clock, file: TestFile): Promise<string> {
  const chosen = await chooseVideo(
    {
      db,
      ids: createIds(),
      clock,
      log: silentLog,
      digest: webCryptoDigest,
      probe: async () => err({ code: 'probe/engine-unavailable' }),
      own: async () => undefined,
      findEarlier: () => null,
      findElsewhere: () => Promise.resolve(null),
    },
    await fileAt(file.path),
    handleOf(file.path),
  )
  if (!chosen.ok) throw new Error(`The file was not taken: ${chosen.error.code}`)
  return chosen.value.uploadId
}

/**
 * IndexedDB in Node cannot keep a handle, so handles are kept beside it. Returns what makes every
 * connection to the device's database see them.
 */
function keepHandles(): (db: AccountDb) => AccountDb {
  const kept = new Map<string, FileSystemFileHandle>()
  const handles = {
    get: async (uploadId: string) => {
      const handle = kept.get(uploadId)
      return handle === undefined ? undefined : { uploadId, handle }
    },
    put: async ({ uploadId, handle }: HandleRow) => void kept.set(uploadId, handle),
    delete: async (uploadId: string) => void kept.delete(uploadId),
  }
  return (db) =>
    new Proxy(db, {
      get: (target, name) => {
        if (name === 'handles') return handles
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
}

function handleOf(path: string): FileSystemFileHandle {
  const handle = {
    kind: 'file',
    queryPermission: async () => 'granted',
    getFile: () => fileAt(path),
  }
  return handle as unknown as FileSystemFileHandle
}

/** Only adapters that are replaced would use it. */
const NO_LOCKS = { request: undefined, query: undefined } as unknown as LockManager

/** A file of the disk as a browser gives it: reading fails once it was changed. */
async function fileAt(path: string): Promise<File> {
  const { mtimeMs } = await stat(path).catch(() => {
    throw new DOMException('no such file', 'NotFoundError')
  })
  return new File([await openAsBlob(path)], path.split('/').at(-1) ?? path, {
    type: 'video/mp4',
    lastModified: Math.floor(mtimeMs),
  })
}

/** A call with the session of an account, as a page of the app at `origin` makes it. */
function fetchAs(account: TestClient, origin: string, request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('origin', origin)
  headers.set(
    'cookie',
    Array.from(account.cookies, ([name, value]) => `${name}=${encodeURIComponent(value)}`).join(
      '; ',
    ),
  )
  return fetch(new Request(request, { headers }))
}

/** The connections of one process: an origin of its own in front of the proxy. */
async function openNetwork(
  proxy: FaultProxy,
  device: string,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => void proxy.carry(incoming, outgoing, device))
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
