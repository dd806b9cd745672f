import type {
  PartPlan,
  UploadFailureCode,
  UploadRow,
  UploadState,
  UploadWait,
} from '#src/local/db/rows.ts'
import { asksPerson, isActive, isFinal, readsFile } from '#src/local/db/upload-states.ts'

/**
 * Everything that can happen to an upload. An event that does not fit the state changes nothing.
 */
export type UploadEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'planned'; readonly uploadRequestId: string; readonly plan: PartPlan }
  | { readonly kind: 'begin-sending' }
  /** A new driver took over: everything that was under way starts again from the rows. */
  | { readonly kind: 'recover' }
  | { readonly kind: 'back-off'; readonly wait: UploadWait }
  | { readonly kind: 'retry' }
  | { readonly kind: 'auth-lost' }
  | { readonly kind: 'auth-back' }
  | { readonly kind: 'permission-lost' }
  | { readonly kind: 'file-lost'; readonly why: 'no-handle' | 'gone' | 'changed' }
  | { readonly kind: 'file-found' }
  | { readonly kind: 'file-differs' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** The sum of the sizes of all safe parts. */
  | { readonly kind: 'safe-bytes'; readonly safeBytes: number }
  | { readonly kind: 'all-safe' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'parts-missing' }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'fail'; readonly code: UploadFailureCode; readonly message: string | null }
  /** A new request at the server for the same file; the old one is over or not wanted. */
  | { readonly kind: 'start-over'; readonly idempotencyKey: string }
  | { readonly kind: 'discard'; readonly undoUntilEpochMs: number }
  | { readonly kind: 'undo-discard' }
  | { readonly kind: 'abort-acknowledged' }
  /** The person removes the receipt of a finished upload. */
  | { readonly kind: 'dismiss' }

/**
 * The state table of an upload as a pure function (diagram: docs/upload-engine.md). Returns the row
 * after `event`, or the same object when the event does not fit the state. Changes neither the
 * epoch nor the parts; a new plan or 'start-over' makes the parts of the old plan void.
 */
export function reduceUpload(row: UploadRow, event: UploadEvent, nowEpochMs: number): UploadRow {
  const changed = changeOf(row, event, nowEpochMs)
  return changed === null ? row : { ...row, ...changed, updatedAtEpochMs: nowEpochMs }
}

type Change = Partial<
  Pick<UploadRow, 'state' | 'plan' | 'uploadRequestId' | 'idempotencyKey' | 'safeBytes'>
>

function changeOf(row: UploadRow, event: UploadEvent, nowEpochMs: number): Change | null {
  const { kind } = row.state
  const active = isActive(kind)
  switch (event.kind) {
    case 'start':
      return when(kind === 'draft', { kind: 'preparing' })
    case 'planned':
      return kind !== 'preparing'
        ? null
        : { state: { kind: 'queued' }, uploadRequestId: event.uploadRequestId, plan: event.plan }
    case 'begin-sending':
      return when(kind === 'queued', { kind: 'uploading' })
    case 'recover':
      return when(kind === 'uploading' || kind === 'finalising' || kind === 'waiting', goingOn(row))
    case 'back-off':
      return when(active, { kind: 'waiting', wait: event.wait })
    case 'retry':
      return when(kind === 'waiting', goingOn(row))
    case 'auth-lost':
      return when(active, { kind: 'needs-auth' })
    case 'auth-back':
      return when(kind === 'needs-auth', goingOn(row))
    case 'permission-lost':
      return when(readsFile(kind), { kind: 'needs-permission' })
    case 'file-lost':
      return when(readsFile(kind) || kind === 'needs-permission', {
        kind: 'needs-file',
        why: event.why,
      })
    case 'file-found':
      return when(
        kind === 'needs-file' || kind === 'needs-permission' || kind === 'conflict',
        goingOn(row),
      )
    case 'file-differs':
      return when(readsFile(kind) || kind === 'needs-file' || kind === 'needs-permission', {
        kind: 'conflict',
      })
    case 'pause':
      return when((active && kind !== 'verifying') || asksPerson(kind), { kind: 'paused' })
    case 'resume':
      return when(kind === 'paused', goingOn(row))
    // Confirmed bytes never decrease on the screen, even if the server lost a part and it is sent
    // again.
    case 'safe-bytes':
      return event.safeBytes <= row.safeBytes ? null : { safeBytes: event.safeBytes }
    case 'all-safe':
      return when(kind === 'uploading' || kind === 'queued', { kind: 'finalising' })
    case 'completed':
      return when(active && row.plan !== null, { kind: 'verifying' })
    case 'parts-missing':
      return when(kind === 'finalising' || kind === 'verifying', { kind: 'queued' })
    case 'confirmed':
      return kind !== 'verifying'
        ? null
        : { state: { kind: 'done', doneAtEpochMs: nowEpochMs }, safeBytes: row.file.sizeBytes }
    case 'gone':
      return when(active, { kind: 'expired' })
    case 'fail':
      return when(active, { kind: 'failed', code: event.code, message: event.message })
    case 'start-over':
      return kind !== 'expired' && kind !== 'conflict' && kind !== 'failed'
        ? null
        : {
            state: { kind: 'preparing' },
            plan: null,
            uploadRequestId: null,
            safeBytes: 0,
            idempotencyKey: event.idempotencyKey,
          }
    case 'discard':
      return discard(row.state, event.undoUntilEpochMs)
    case 'undo-discard':
      return row.state.kind !== 'discarding' ? null : { state: undone(row, row.state.before) }
    case 'abort-acknowledged':
      return when(kind === 'discarding', { kind: 'discarded' })
    case 'dismiss':
      return when(kind === 'done', { kind: 'discarded' })
  }
}

function discard(before: UploadState, undoUntilEpochMs: number): Change | null {
  // The server does not know a draft.
  if (before.kind === 'draft') return { state: { kind: 'discarded' } }
  return when(!isFinal(before.kind) && before.kind !== 'discarding', {
    kind: 'discarding',
    undoUntilEpochMs,
    before,
  })
}

/**
 * An upload that waited for a person waits again; one that was working resumes. Rows written by
 * older versions lack `before`.
 */
function undone(row: UploadRow, before: UploadState | undefined): UploadState {
  return before === undefined || (isActive(before.kind) && before.kind !== 'verifying')
    ? goingOn(row)
    : before
}

/**
 * Where an interrupted upload resumes: with a plan it queues for the send lock; without one it is
 * created again under the same key.
 */
function goingOn(row: UploadRow): UploadState {
  return row.plan === null ? { kind: 'preparing' } : { kind: 'queued' }
}

function when(fits: boolean, state: UploadState): Change | null {
  return fits ? { state } : null
}
