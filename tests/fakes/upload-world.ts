import { createHash } from 'node:crypto'
import { createFakeBytes, type FakeFile } from './upload-bytes.ts'
import { createSimulatedClock, type SimulatedClock } from './upload-clock.ts'
import { createFakeLocks } from './upload-locks.ts'
import { createFakeUploadServer, type FakeUploadServer } from './upload-server.ts'
import { createFakeDisk, createFakeStore, type FakeDisk } from './upload-store.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import type { EngineCommands } from '#src/local/uploads/api.ts'
import { uploadInBackground } from '#src/local/uploads/engine/background.ts'
import { createUploadCommands } from '#src/local/uploads/engine/commands.ts'
import { createUploadEngine } from '#src/local/uploads/engine/engine.ts'
import { showPresence } from '#src/local/uploads/engine/presence.ts'
import type { UploadDeps, UploadProgress } from '#src/local/uploads/ports.ts'
import { MAX_SLOTS } from '#src/local/uploads/transfer/part-queue.ts'
import { silentLog } from '#src/lib/log.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** A browser, its disk and a server, all in simulated time. */
export interface UploadWorld {
  readonly clock: SimulatedClock
  readonly server: FakeUploadServer
  readonly disk: FakeDisk
  /** Files that any context can read, by upload id. */
  readonly kept: Map<string, FakeFile>
  /** Heads and ranges of trims, by upload id. */
  readonly cuts: Map<string, ComposedFile>
  readonly progress: UploadProgress[]
  /** What devices heard of how the server cuts files; null for nothing. */
  usualPartBytes: number | null
  openTab(): Promise<FakeTab>
  /** The browser sends the service worker a sync event. */
  dispatchSync(): FakeSync
  addDraft(file: FakeFile, changes?: Partial<UploadRow>): UploadRow
  row(uploadId: string): UploadRow
}

export interface FakeTab {
  readonly commands: EngineCommands
  /** What the code of this process works with. */
  readonly deps: UploadDeps
  hold(uploadId: string, file: FakeFile): void
  /** The process is killed: nothing it does has an effect from now on. */
  crash(): void
  close(): Promise<void>
}

export interface FakeSync {
  readonly ended: Promise<'done' | 'left'>
  /** The account signs out. */
  stop(): void
  /** The browser ends the service worker. */
  crash(): void
}

const USER = 'user'

export function createUploadWorld(
  partSizeBytes: number,
  random: () => number = () => 0.5,
): UploadWorld {
  const clock = createSimulatedClock()
  const server = createFakeUploadServer(clock, partSizeBytes)
  const disk = createFakeDisk()
  const locks = createFakeLocks()
  const kept = new Map<string, FakeFile>()
  const cuts = new Map<string, ComposedFile>()
  const progress: UploadProgress[] = []
  const pageListeners = new Set<() => void>()
  let count = 0

  /**
   * One process of the browser with everything an engine needs; after `kill` nothing it does has an
   * effect.
   */
  const context = () => {
    const tab = { isDead: false }
    const killed = new AbortController()
    const never = new Promise<never>(() => undefined)
    const alive = async <T>(work: Promise<T>): Promise<T> => {
      const result = await work.catch((thrown: unknown) => {
        if (tab.isDead) return never
        throw thrown
      })
      return tab.isDead ? never : result
    }
    const bytes = createFakeBytes(kept, cuts)
    const deps: UploadDeps = {
      clock: { now: clock.now, sleep: (delayMs, signal) => alive(clock.sleep(delayMs, signal)) },
      ids: { uuid: () => `id-${++count}` },
      random,
      locks: locks.of(tab),
      store: createFakeStore(disk, () => tab.isDead),
      api: {
        create: (row, signal) => alive(server.api.create(row, signal)),
        read: (id, signal) => alive(server.api.read(id, signal)),
        readState: (id, signal) => alive(server.api.readState(id, signal)),
        heldParts: (id, signal) => alive(server.api.heldParts(id, signal)),
        partUrls: (id, numbers, signal) => alive(server.api.partUrls(id, numbers, signal)),
        complete: (id, parts, signal) => alive(server.api.complete(id, parts, signal)),
        ping: (signal) => alive(server.api.ping(signal)),
        abort: (id, signal) => alive(server.api.abort(id, signal)),
      },
      transport: {
        reportsProgress: true,
        put: (request) =>
          alive(
            server.transport.put({
              ...request,
              signal: AbortSignal.any([request.signal, killed.signal]),
            }),
          ),
        offset: (request) =>
          alive(
            server.transport.offset({
              ...request,
              signal: AbortSignal.any([request.signal, killed.signal]),
            }),
          ),
        isForeign: server.transport.isForeign,
      },
      bytes,
      usualPartBytes: async () => world.usualPartBytes,
      digest: (buffer) =>
        Promise.resolve(
          Uint8Array.from(createHash('sha256').update(new Uint8Array(buffer)).digest()).buffer,
        ),
      log: silentLog,
      onProgress: (news) => {
        if (!tab.isDead) progress.push(news)
      },
      firstSlots: MAX_SLOTS,
    }
    const kill = (): void => {
      tab.isDead = true
      killed.abort()
      locks.crash(tab)
    }
    return { bytes, deps, kill, whenDead: killed.signal }
  }

  const world: UploadWorld = {
    clock,
    server,
    disk,
    kept,
    cuts,
    progress,
    usualPartBytes: partSizeBytes,
    openTab: async () => {
      const { bytes, deps, kill, whenDead } = context()
      const engine = createUploadEngine(deps, USER)
      const commands = createUploadCommands({
        ...deps,
        saveHandle: () => Promise.resolve(),
        onFileHeld: (uploadId) => engine.announceFile(uploadId),
      })
      const leaving = new AbortController()
      showPresence(deps.locks, USER, AbortSignal.any([leaving.signal, whenDead]))
      for (const listener of Array.from(pageListeners)) listener()
      await engine.open()
      return {
        commands,
        deps,
        hold: (uploadId, file) => {
          bytes.holdFake(uploadId, file)
          engine.announceFile(uploadId)
        },
        crash: kill,
        close: async () => {
          await engine.close()
          leaving.abort()
        },
      }
    },
    dispatchSync: () => {
      const { deps, kill } = context()
      const stopping = new AbortController()
      const ended = uploadInBackground({
        deps: { ...deps, transport: { ...deps.transport, reportsProgress: false }, firstSlots: 2 },
        userId: USER,
        stop: stopping.signal,
        onPageOpened: (listener) => {
          pageListeners.add(listener)
          return () => void pageListeners.delete(listener)
        },
      })
      return { ended, stop: () => stopping.abort(), crash: kill }
    },
    addDraft: (file, changes = {}) => {
      const row: UploadRow = {
        id: `upload-${disk.rows.size + 1}`,
        uploadRequestId: null,
        idempotencyKey: `key-${disk.rows.size + 1}`,
        purpose: 'media-job',
        file: {
          name: file.name,
          sizeBytes: file.bytes.byteLength,
          lastModifiedEpochMs: 0,
          type: 'video/mp4',
        },
        state: { kind: 'draft' },
        epoch: 0,
        plan: null,
        safeBytes: 0,
        probe: null,
        fingerprint: null,
        createdAtEpochMs: clock.now() + disk.rows.size,
        updatedAtEpochMs: clock.now(),
        ...changes,
      }
      disk.rows.set(row.id, row)
      for (const listener of disk.listeners) listener()
      return row
    },
    row: (uploadId) => {
      const row = disk.rows.get(uploadId)
      if (row === undefined) throw new Error(`no row ${uploadId}`)
      return row
    },
  }
  return world
}

/**
 * Chooses a file and starts its upload in a new tab. The file is readable after a reload unless
 * `isKept` is false. Time has not run yet.
 */
export async function startUpload(
  world: UploadWorld,
  file: FakeFile,
  isKept = true,
): Promise<{ readonly tab: FakeTab; readonly id: string }> {
  const tab = await world.openTab()
  const { id } = world.addDraft(file)
  if (isKept) world.kept.set(id, file)
  else tab.hold(id, file)
  void tab.commands.start(id, null)
  return { tab, id }
}
