import type {
  CommandResult,
  HeldFile,
  EngineCommands,
  UploadHostConfig,
  UploadWorkerApi,
} from '#src/local/uploads/api.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import {
  createUploadApi,
  methodFor,
  type UploadMethod,
} from '#src/local/uploads/adapters/openapi-api.ts'
import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'
import { createXhrTransport } from '#src/local/uploads/adapters/xhr-transport.ts'
import { createUploadCommands } from '#src/local/uploads/engine/commands.ts'
import { createUploadEngine, type UploadEngine } from '#src/local/uploads/engine/engine.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import type { PartTransport, UploadDeps } from '#src/local/uploads/ports.ts'
import { showPresence } from '#src/local/uploads/engine/presence.ts'
import { MAX_SLOTS } from '#src/local/uploads/transfer/part-queue.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import type { Channel } from '#src/local/channel/channel.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import type { SealKeys } from '#src/local/db/seal.ts'

/** This device, as composed in a worker. */
export interface HostLocal {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly channel: Channel
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  close(): void
}

interface OpenHost {
  readonly config: UploadHostConfig
  readonly local: HostLocal
  readonly engine: UploadEngine
  readonly commands: EngineCommands
  readonly leave: () => void
}

/** What the host needs from its context; passed in by the worker's entry. */
export interface UploadHostPorts {
  readonly origin: string
  readonly locks: LockManager
  readonly estimate: (() => Promise<StorageEstimate>) | null
  readonly composeLocal: (userId: string, keys: SealKeys | null) => Promise<HostLocal>
}

/**
 * The engine in a dedicated worker, open for one account at a time. Before `open`, commands answer
 * 'upload/worker-unavailable'.
 */
export function createUploadHost(ports: UploadHostPorts): UploadWorkerApi {
  let host: OpenHost | null = null
  // `open` and `stop` never overlap, however fast a person signs out and in.
  let order: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = order.then(work)
    order = done.catch(() => undefined)
    return done
  }
  const close = async (): Promise<void> => {
    const closing = host
    host = null
    await closing?.engine.close()
    closing?.leave()
    closing?.local.close()
  }
  const run = (
    command: (commands: EngineCommands) => Promise<CommandResult>,
  ): Promise<CommandResult> =>
    host === null
      ? Promise.resolve(err({ code: 'upload/worker-unavailable' }))
      : command(host.commands)

  return {
    open: (config, held) =>
      inOrder(async () => {
        if (host?.config.userId === config.userId) return ok(undefined)
        await close()
        host = await openHost(ports, config, held)
        return ok(undefined)
      }),
    stop: () => inOrder(close),
    start: (uploadId, file) => run((commands) => commands.start(uploadId, file)),
    pause: (uploadId) => run((commands) => commands.pause(uploadId)),
    resume: (uploadId) => run((commands) => commands.resume(uploadId)),
    retryNow: (uploadId) => run((commands) => commands.retryNow(uploadId)),
    discard: (uploadId) => run((commands) => commands.discard(uploadId)),
    undoDiscard: (uploadId) => run((commands) => commands.undoDiscard(uploadId)),
    provideFile: (uploadId, file, handle) =>
      run((commands) => commands.provideFile(uploadId, file, handle)),
    startOver: (uploadId) => run((commands) => commands.startOver(uploadId)),
    signedIn: async () => host?.commands.signedIn(),
    networkBack: async () => host?.commands.networkBack(),
  }
}

/** Builds the engine's dependencies in any worker of a browser. */
export function browserUploadDeps(
  local: HostLocal,
  ports: Pick<UploadHostPorts, 'locks' | 'estimate'>,
  options: {
    readonly transport: PartTransport
    readonly isInstalled: boolean
    readonly firstSlots: number
  },
): UploadDeps {
  const offered = async (): Promise<FactValues['capabilities']['uploads'] | null> =>
    (await readFact(local.db, FACTS.capabilities))?.value.uploads ?? null
  const method = async (): Promise<UploadMethod> => methodFor((await offered())?.providers ?? null)
  return {
    clock: local.clock,
    ids: local.ids,
    random: Math.random,
    log: local.log,
    locks: createWebLocks(ports.locks),
    store: createDexieStore(local.db, local.log, local.clock),
    api: createUploadApi(local.api, method),
    usualPartBytes: async () => (await offered())?.partSizeBytes ?? null,
    transport: options.transport,
    bytes: createStoredBytes({
      db: local.db,
      estimate: ports.estimate,
      isInstalled: options.isInstalled,
    }),
    digest: webCryptoDigest,
    onProgress: (progress) => local.channel.send({ v: 1, type: 'upload-progress', ...progress }),
    firstSlots: options.firstSlots,
  }
}

async function openHost(
  ports: UploadHostPorts,
  config: UploadHostConfig,
  held: readonly HeldFile[],
): Promise<OpenHost> {
  const local = await ports.composeLocal(config.userId, config.keys)
  const transport = createXhrTransport({
    origin: ports.origin,
    nowEpochMs: () => local.clock.now(),
  })
  const deps = browserUploadDeps(local, ports, {
    transport,
    isInstalled: config.isInstalled,
    firstSlots: MAX_SLOTS,
  })
  const leaving = new AbortController()
  showPresence(deps.locks, config.userId, leaving.signal)
  local.channel.send({ v: 1, type: 'uploads-page-opened', userId: config.userId })
  const engine = createUploadEngine(deps, config.userId)
  const commands = createUploadCommands({
    ...deps,
    saveHandle: async (uploadId, handle) => void (await local.db.handles.put({ uploadId, handle })),
    onFileHeld: (uploadId) => engine.announceFile(uploadId),
  })
  for (const { uploadId, file } of held) {
    deps.bytes.hold(uploadId, file)
    engine.announceFile(uploadId)
  }
  await engine.open()
  return { config, local, engine, commands, leave: () => leaving.abort() }
}
