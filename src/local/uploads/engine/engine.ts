import { createWarmStarts } from './warm-start.ts'
import { driveUpload, isSending, type DriveEnd, type DriveStage } from './drive.ts'
import { reduceUpload } from '#src/local/uploads/model/machine.ts'
import { stageOfKind } from '#src/local/db/upload-states.ts'
import { bytesProblemEvent } from '#src/local/uploads/model/problems.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { isAbort } from '#src/lib/abort.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** A bug in one upload must not become a busy loop. */
const AFTER_BUG_MS = 5_000

/**
 * Continues every unfinished upload of one account. Several engines may live at the same time
 * (tabs); locks decide which one works.
 */
export interface UploadEngine {
  /** Resumes what is in the database and whatever is added later. Call once. */
  open(): Promise<void>
  /**
   * Holds the file lock while this context has the bytes in memory, so that other contexts do not
   * ask the person for the file.
   */
  announceFile(uploadId: string): void
  /** Resolves when this context can do nothing more. In a page that is never before `close`. */
  idle(): Promise<void>
  /**
   * Starts no further part; resolves when the attempts in flight have ended. Only `close` may
   * follow.
   */
  drain(): Promise<void>
  /** Ends everything; resolves when no request is in flight. */
  close(): Promise<void>
}

/**
 * `background`: no person is present, and the engine ends when it can do no more; see
 * `background.ts`.
 */
export type EngineMode = 'page' | 'background'

/**
 * [Note: upload locks] `upload:<id>`: one driver for each upload. `upload-turn:<account>` (the send
 * lock): one upload sends at a time, so that all tabs together send five parts at most; the context
 * that asked first is next. `upload-file:<id>`: held by the context that has the file in memory;
 * other contexts must not ask the person for the file. Tabs of two versions share these locks:
 * never rename them.
 */
export function createUploadEngine(
  deps: UploadDeps,
  userId: string,
  mode: EngineMode = 'page',
): UploadEngine {
  const closing = new AbortController()
  const draining = new AbortController()
  const isBackground = mode === 'background'
  /** Ends every kind of waiting; only `closing` ends parts in flight. */
  const signal = AbortSignal.any([closing.signal, draining.signal])
  const runners = new Map<string, Promise<void>>()
  const announced = new Set<string>()
  const sendLock = `upload-turn:${userId}`
  const warmStarts = createWarmStarts(deps, async () => !(await deps.locks.isHeld(sendLock)))
  let unwatch = (): void => undefined

  const drive = (uploadId: string, stage: DriveStage): Promise<DriveEnd> =>
    deps.locks.withLock(`upload:${uploadId}`, signal, () =>
      driveUpload(deps, uploadId, stage, {
        signal: isSending(stage) ? closing.signal : signal,
        draining: draining.signal,
        isBackground,
        warmStarts,
      }),
    )

  /**
   * Creates the upload. If no other upload is sending and the file is in memory, sending follows
   * under the same claim: a second claim would delay the first byte.
   */
  const begin = async (row: UploadRow): Promise<DriveEnd> => {
    const isReady = row.state.kind === 'preparing' && deps.bytes.isHeld(row.id)
    return (
      (isReady ? await deps.locks.withFreeLock(sendLock, () => drive(row.id, 'begin')) : null) ??
      drive(row.id, 'prepare')
    )
  }

  /**
   * Sends if this context can read the bytes. Otherwise writes into the row that the file is
   * missing, unless another context can read it.
   */
  const send = async (row: UploadRow): Promise<DriveEnd> => {
    const source = await deps.bytes.open(row)
    if (source.ok) {
      // A person may pause or discard the upload while it is queued; a granted lock does not react
      // to the signal anymore.
      const changed = new AbortController()
      const queueing = AbortSignal.any([signal, changed.signal])
      void nextChange(deps, row, queueing).then(
        () => changed.abort(),
        () => undefined,
      )
      return deps.locks
        .withLock(sendLock, queueing, () => drive(row.id, 'send'))
        .finally(() => changed.abort())
    }
    if (isBackground) return 'unreadable'
    if (await deps.locks.isHeld(fileLock(row.id))) {
      const changed = new AbortController()
      const waiting = AbortSignal.any([signal, changed.signal])
      await Promise.race([
        nextChange(deps, row, waiting),
        deps.locks.withLock(fileLock(row.id), waiting, () => Promise.resolve()),
      ]).finally(() => changed.abort())
      return 'ended'
    }
    const event = bytesProblemEvent(source.error)
    await deps.store.change(row.id, row.epoch, (current) =>
      reduceUpload(current, event, deps.clock.now()),
    )
    return 'ended'
  }

  const run = async (uploadId: string): Promise<void> => {
    while (!signal.aborted) {
      try {
        const row = await deps.store.read(uploadId)
        if (row === null) return
        const stage = stageOf(row)
        if (stage === 'prepare') await begin(row)
        else if (stage === 'send') {
          if ((await send(row)) === 'unreadable') return
        } else if (stage === 'over') {
          deps.bytes.letGo(uploadId)
          warmStarts.forget(uploadId)
          if (row.state.kind === 'discarded') return await deps.store.remove(uploadId)
          await deps.store.dropBytes(uploadId)
          if (isBackground) return
          // The receipt stays until the person dismisses it.
          await nextChange(deps, row, signal)
        } else if (stage === 'idle') {
          if (isBackground) return
          await nextChange(deps, row, signal)
        } else await drive(uploadId, stage)
      } catch (thrown) {
        if (signal.aborted) return
        if (isAbort(thrown)) continue
        deps.log.error('an upload stumbled', describeBug(thrown))
        await deps.clock.sleep(AFTER_BUG_MS, signal).catch(() => undefined)
      }
    }
  }

  const adopt = (uploadId: string): void => {
    if (signal.aborted || runners.has(uploadId)) return
    runners.set(
      uploadId,
      run(uploadId).finally(() => runners.delete(uploadId)),
    )
  }

  return {
    open: async () => {
      for (const row of (await deps.store.list()).toSorted(
        (a, b) => a.createdAtEpochMs - b.createdAtEpochMs,
      )) {
        if (!isBackground) await wakeUp(deps, row)
        adopt(row.id)
      }
      // Uploads that are queued later come with their own sync event.
      if (!isBackground)
        unwatch = deps.store.watchAll((uploadIds) => {
          for (const uploadId of uploadIds) adopt(uploadId)
        })
    },
    announceFile: (uploadId) => {
      if (announced.has(uploadId)) return
      announced.add(uploadId)
      warmStarts.expect(uploadId)
      const untilOver = async (): Promise<void> => {
        while (!signal.aborted) {
          const row = await deps.store.read(uploadId)
          if (row === null || stageOf(row) === 'over') return
          await nextChange(deps, row, signal)
        }
      }
      void deps.locks
        .withLock(fileLock(uploadId), signal, untilOver)
        .catch(() => undefined)
        .finally(() => announced.delete(uploadId))
      adopt(uploadId)
    },
    idle: async () => void (await Promise.allSettled(runners.values())),
    drain: async () => {
      unwatch()
      draining.abort(new DOMException('the engine drains', 'AbortError'))
      await Promise.allSettled(runners.values())
    },
    close: async () => {
      unwatch()
      closing.abort(new DOMException('the engine closes', 'AbortError'))
      await Promise.allSettled(runners.values())
    },
  }
}

type Stage = DriveStage | 'idle' | 'over'

/** What has to be done for an upload in its state. */
export function stageOf(row: UploadRow): Stage {
  const stage = stageOfKind(row.state.kind)
  return stage === 'send' && row.state.kind === 'waiting' && row.plan === null ? 'prepare' : stage
}

/**
 * A page that opens may have what an earlier one lacked: a login, or permission to read the file.
 */
async function wakeUp(deps: UploadDeps, row: UploadRow): Promise<void> {
  const { kind } = row.state
  if (kind === 'needs-auth')
    await deps.store.change(row.id, row.epoch, (current) =>
      reduceUpload(current, { kind: 'auth-back' }, deps.clock.now()),
    )
  if ((kind === 'needs-file' || kind === 'needs-permission') && (await deps.bytes.open(row)).ok) {
    await deps.store.change(row.id, row.epoch, (current) =>
      reduceUpload(current, { kind: 'file-found' }, deps.clock.now()),
    )
  }
}

/** Resolves when the row's epoch or state differs from `seen`; rejects when aborted. */
function nextChange(deps: UploadDeps, seen: UploadRow, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      unwatch()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    let unwatch = (): void => undefined
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    unwatch = deps.store.watch(seen.id, (row) => {
      if (row === null || row.epoch !== seen.epoch || row.state.kind !== seen.state.kind)
        end(resolve)
    })
  })
}

function fileLock(uploadId: string): string {
  return `upload-file:${uploadId}`
}
