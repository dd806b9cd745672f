import type { CommandResult, EngineCommands } from '#src/local/uploads/api.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf, isSameFile } from '#src/local/uploads/file/fingerprint.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { copyWhenIdle } from '#src/local/uploads/file/copy-when-idle.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { uploadIdempotencyKey } from '#src/lib/ids.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'

/** How long a discard can be undone. */
const UNDO_DISCARD_MS = 10_000

export interface UploadCommandDeps extends UploadDeps {
  /** Stores the handle of a file that was chosen again. */
  readonly saveHandle: (uploadId: string, handle: FileSystemFileHandle) => Promise<void>
  /** Called when this context has the bytes in memory. */
  readonly onFileHeld: (uploadId: string) => void
}

/**
 * The commands that a person gives to an upload. They only write rows; the driver sees the change
 * in its tab.
 */
export function createUploadCommands(deps: UploadCommandDeps): EngineCommands {
  const command = async (
    uploadId: string,
    event: (row: UploadRow) => UploadEvent,
  ): Promise<CommandResult> => {
    let didFit = false
    const written = await saved(() =>
      deps.store.change(uploadId, null, (row) => {
        const next = reduceUpload(row, event(row), deps.clock.now())
        didFit = next !== row
        return didFit ? { ...next, epoch: row.epoch + 1 } : row
      }),
    )
    if (written === 'refused') return err({ code: 'upload/not-saved' })
    if (written === null) return err({ code: 'upload/not-found' })
    return didFit ? ok(undefined) : err({ code: 'upload/not-possible' })
  }
  const commandAll = async (
    isMeant: (state: UploadState) => boolean,
    event: UploadEvent,
  ): Promise<void> => {
    for (const row of await deps.store.list())
      if (isMeant(row.state)) await command(row.id, () => event)
  }
  const hold = (uploadId: string, file: File): void => {
    deps.bytes.hold(uploadId, file)
    deps.onFileHeld(uploadId)
  }

  return {
    start: async (uploadId, file) => {
      if (file !== null) hold(uploadId, file)
      const started = await command(uploadId, () => ({ kind: 'start' }))
      if (started.ok) {
        void copyWhenIdle(deps, uploadId).catch((thrown: unknown) =>
          deps.log.warn('the file could not be kept for a reload', describeBug(thrown)),
        )
      }
      return started
    },
    pause: (uploadId) => command(uploadId, () => ({ kind: 'pause' })),
    resume: (uploadId) => command(uploadId, () => ({ kind: 'resume' })),
    retryNow: (uploadId) => command(uploadId, () => ({ kind: 'retry' })),
    discard: (uploadId) =>
      command(uploadId, (row) =>
        row.state.kind === 'done'
          ? { kind: 'dismiss' }
          : { kind: 'discard', undoUntilEpochMs: deps.clock.now() + UNDO_DISCARD_MS },
      ),
    undoDiscard: (uploadId) => command(uploadId, () => ({ kind: 'undo-discard' })),
    provideFile: async (uploadId, file, handle) => {
      const row = await deps.store.read(uploadId)
      if (row === null) return err({ code: 'upload/not-found' })
      const same = await isSameFile(
        deps.digest,
        fileSource(file),
        row,
        await deps.store.parts(uploadId),
      )
      if (!same.ok) return err({ code: 'upload/file-unreadable' })
      hold(uploadId, file)
      if (handle !== null) await deps.saveHandle(uploadId, handle)
      if (same.value) return command(uploadId, () => ({ kind: 'file-found' }))
      await command(uploadId, () => ({ kind: 'file-differs' }))
      return err({ code: 'upload/file-differs' })
    },
    startOver: async (uploadId) => {
      const before = await deps.store.read(uploadId)
      if (before === null) return err({ code: 'upload/not-found' })
      const source = await deps.bytes.open(before)
      const fingerprint = source.ok ? await fingerprintOf(deps.digest, source.value) : null
      const restarted = await saved(() =>
        deps.store.change(uploadId, null, (row) =>
          startedOver(
            deps,
            row,
            source.ok ? source.value.file : null,
            fingerprint?.ok === true ? fingerprint.value : null,
          ),
        ),
      )
      if (restarted === 'refused') return err({ code: 'upload/not-saved' })
      if (restarted === null || restarted.epoch === before.epoch)
        return err({ code: 'upload/not-possible' })
      // The old upload is not needed anymore; if this call fails, the server deletes it after 7
      // days.
      if (before.uploadRequestId !== null)
        void deps.api.abort(before.uploadRequestId, AbortSignal.timeout(30_000))
      return ok(undefined)
    },
    signedIn: () => commandAll((state) => state.kind === 'needs-auth', { kind: 'auth-back' }),
    // Waits for an overloaded server keep their full length.
    networkBack: () =>
      commandAll((state) => state.kind === 'waiting' && state.wait.reason !== 'server', {
        kind: 'retry',
      }),
  }
}

/** Runs a write. A full or closed database rejects; the page shows that as 'upload/not-saved'. */
async function saved<T>(write: () => Promise<T>): Promise<T | 'refused'> {
  try {
    return await write()
  } catch {
    return 'refused'
  }
}

function startedOver(
  deps: UploadDeps,
  row: UploadRow,
  file: UploadRow['file'] | null,
  fingerprint: UploadRow['fingerprint'],
): UploadRow {
  const nowEpochMs = deps.clock.now()
  const next = reduceUpload(
    row,
    { kind: 'start-over', idempotencyKey: uploadIdempotencyKey(deps.ids, nowEpochMs) },
    nowEpochMs,
  )
  if (next === row) return row
  return {
    ...next,
    epoch: row.epoch + 1,
    file: file ?? row.file,
    fingerprint: fingerprint ?? row.fingerprint,
  }
}
