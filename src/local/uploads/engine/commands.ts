import type { CommandResult, EngineCommands } from '#src/local/uploads/api.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { compareFile, fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { commandRow } from '#src/local/uploads/model/command.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { copyWhenIdle } from '#src/local/uploads/file/copy-when-idle.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { uploadIdempotencyKey } from '#src/lib/ids.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { asksForFile, isJudged } from '#src/local/db/upload-states.ts'

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
  const event =
    (happened: UploadEvent) =>
    (uploadId: string): Promise<CommandResult> =>
      command(deps, uploadId, () => happened)
  return {
    start: (uploadId, file) => start(deps, uploadId, file),
    pause: event({ kind: 'pause' }),
    resume: event({ kind: 'resume' }),
    retryNow: event({ kind: 'retry' }),
    discard: (uploadId) =>
      command(deps, uploadId, (row) =>
        row.state.kind === 'done'
          ? { kind: 'dismiss' }
          : { kind: 'discard', undoUntilEpochMs: deps.clock.now() + UNDO_DISCARD_MS },
      ),
    undoDiscard: event({ kind: 'undo-discard' }),
    provideFile: (uploadId, file, handle) => provideFile(deps, uploadId, file, handle),
    startOver: (uploadId) => startOver(deps, uploadId),
    signedIn: () => commandAll(deps, (state) => state.kind === 'needs-auth', { kind: 'auth-back' }),
    // Waits for an overloaded server keep their full length.
    networkBack: () =>
      commandAll(deps, (state) => state.kind === 'waiting' && state.wait.reason === 'network', {
        kind: 'retry',
      }),
  }
}

/**
 * Applies an event to the row and raises its epoch, so that a driver in any tab lets go. The
 * excerpts of the upload follow, because no screen shows them; where one cannot, that stops
 * nothing.
 */
async function command(
  deps: UploadCommandDeps,
  uploadId: string,
  event: (row: UploadRow) => UploadEvent,
): Promise<CommandResult> {
  const done = await commandOne(deps, uploadId, event)
  if (!done.ok) return done
  const rows = await deps.store.list().catch(() => [])
  for (const { id, excerpt } of rows)
    if (excerpt?.uploadId === uploadId) await commandOne(deps, id, event)
  return done
}

function commandOne(
  deps: UploadCommandDeps,
  uploadId: string,
  event: (row: UploadRow) => UploadEvent,
): Promise<CommandResult> {
  return changed(deps, uploadId, (row) => reduceUpload(row, event(row), deps.clock.now()))
}

async function changed(
  { store }: UploadCommandDeps,
  uploadId: string,
  change: (row: UploadRow) => UploadRow,
): Promise<CommandResult> {
  const written = await commandRow(store, uploadId, change)
  return written.ok ? ok(undefined) : written
}

async function commandAll(
  deps: UploadCommandDeps,
  isMeant: (state: UploadState) => boolean,
  event: UploadEvent,
): Promise<void> {
  for (const row of await deps.store.list())
    if (isMeant(row.state)) await command(deps, row.id, () => event)
}

async function start(
  deps: UploadCommandDeps,
  uploadId: string,
  file: File | null,
): Promise<CommandResult> {
  if (file !== null) hold(deps, uploadId, file)
  const started = await command(deps, uploadId, () => ({ kind: 'start' }))
  if (started.ok)
    void copyWhenIdle(deps, uploadId).catch((thrown: unknown) =>
      deps.log.warn('the file could not be kept for a reload', describeBug(thrown)),
    )
  return started
}

function hold(deps: UploadCommandDeps, uploadId: string, file: File): void {
  deps.bytes.hold(uploadId, file)
  deps.onFileHeld(uploadId)
}

async function provideFile(
  deps: UploadCommandDeps,
  uploadId: string,
  file: File,
  handle: FileSystemFileHandle | null,
): Promise<CommandResult> {
  const row = await deps.store.read(uploadId)
  if (row === null) return err({ code: 'upload/not-found' })
  // An upload that does not ask for its file keeps the one that it has.
  if (!asksForFile(row.state.kind)) return err({ code: 'upload/not-possible' })
  const compared = await compareFile(
    deps.digest,
    fileSource(file),
    row,
    await deps.store.parts(uploadId),
  )
  if (!compared.ok) return err({ code: 'upload/file-unreadable' })
  hold(deps, uploadId, file)
  if (handle !== null) await deps.saveHandle(uploadId, handle)
  if (compared.value !== 'differs') return command(deps, uploadId, () => ({ kind: 'file-found' }))
  await command(deps, uploadId, () => ({ kind: 'file-differs' }))
  return err({ code: 'upload/file-differs' })
}

/**
 * Begins again with the file that is available, and keeps what the server has: as long as the
 * upload may be open there and the file has its name and size, it goes on under the same request,
 * and each part that the server lists is compared with the file. A file of another name is another
 * video, and the server's name of an upload is final. Of another file, an upload with a trim sends
 * the same stretch, and never more. Nothing is aborted at the server.
 */
async function startOver(deps: UploadCommandDeps, uploadId: string): Promise<CommandResult> {
  const before = await deps.store.read(uploadId)
  if (before === null) return err({ code: 'upload/not-found' })
  const opened = await deps.bytes.open(before)
  const isOther = opened.ok && opened.value.sizeBytes !== before.file.sizeBytes
  const again =
    isOther && before.trim !== undefined ? await deps.bytes.cutAgain(before, opened.value) : null
  if (isOther && before.trim !== undefined && again === null)
    return err({ code: 'upload/not-possible' })
  const source = again === null ? opened : ok(again.source)
  const fingerprint = source.ok ? await fingerprintOf(deps.digest, source.value) : null
  const file = source.ok ? source.value.file : before.file
  const goesOn =
    mayBeOpen(before) && file.name === before.file.name && file.sizeBytes === before.file.sizeBytes
  const event: UploadEvent = goesOn
    ? { kind: 'reopen' }
    : { kind: 'start-over', idempotencyKey: uploadIdempotencyKey(deps.ids, deps.clock.now()) }
  // The hashes of the other file say nothing about this one: the store drops them with their plan.
  if (goesOn && before.state.kind === 'conflict')
    await changed(deps, uploadId, (row) => ({ ...row, plan: null, safeBytes: 0 }))
  return changed(deps, uploadId, (row) => {
    const planned = { ...row, plan: before.plan }
    const next = reduceUpload(planned, event, deps.clock.now())
    return next === planned
      ? row
      : {
          ...next,
          ...(again === null ? {} : { trim: again.trim }),
          file,
          fingerprint: fingerprint?.ok === true ? fingerprint.value : row.fingerprint,
        }
  })
}

/** Whether the server may still take parts of an upload that stopped. */
function mayBeOpen({ state, plan }: UploadRow): boolean {
  if (plan === null) return false
  return state.kind === 'conflict' || (state.kind === 'failed' && !isJudged(state.code))
}
