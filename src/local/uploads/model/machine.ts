import type {
  PartPlan,
  UploadFile,
  UploadFailureCode,
  UploadRow,
  UploadState,
  UploadWait,
} from '#src/local/db/rows.ts'
import {
  asksPerson,
  isActive,
  isFinal,
  isHandedOver,
  mayHandOver,
  readsFile,
} from '#src/local/db/upload-states.ts'

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
  /** The same bytes under a new name or time. */
  | { readonly kind: 'file-touched'; readonly file: UploadFile }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** A page begins to give the remaining parts to the browser. */
  | { readonly kind: 'hand-over' }
  /** The browser has its own copy of them. */
  | { readonly kind: 'handed-over' }
  /** The browser has ended, or never began: the engine does the rest. */
  | { readonly kind: 'take-back' }
  /** How many bytes the server holds. */
  | { readonly kind: 'safe-bytes'; readonly safeBytes: number }
  | { readonly kind: 'all-safe' }
  | { readonly kind: 'completed'; readonly treeSha256: string | null }
  | { readonly kind: 'parts-missing' }
  /** Its check takes longer than usual. */
  | { readonly kind: 'check-late' }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'fail'; readonly code: UploadFailureCode; readonly message: string | null }
  /** A new request at the server for the same file; the old one is over there. */
  | { readonly kind: 'start-over'; readonly idempotencyKey: string }
  /** On with the same request at the server; it says which parts it has. */
  | { readonly kind: 'reopen' }
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
  const rule = RULES[event.kind] as Rule<UploadEvent['kind']>
  const changed = rule(row, event, nowEpochMs)
  return changed === null ? row : { ...row, ...changed, updatedAtEpochMs: nowEpochMs }
}

type Change = Partial<
  Pick<
    UploadRow,
    'state' | 'plan' | 'uploadRequestId' | 'idempotencyKey' | 'safeBytes' | 'file' | 'treeSha256'
  >
>
type Rule<K extends UploadEvent['kind']> = (
  row: UploadRow,
  event: Extract<UploadEvent, { kind: K }>,
  nowEpochMs: number,
) => Change | null

/** What each event changes; null where it does not fit the state. */
const RULES: { readonly [K in UploadEvent['kind']]: Rule<K> } = {
  start: (row) => when(row.state.kind === 'draft', { kind: 'preparing' }),
  planned: (row, event) =>
    row.state.kind !== 'preparing'
      ? null
      : { state: { kind: 'queued' }, uploadRequestId: event.uploadRequestId, plan: event.plan },
  'begin-sending': (row) => when(row.state.kind === 'queued', { kind: 'uploading' }),
  recover: (row) => when(INTERRUPTED.has(row.state.kind), goingOn(row)),
  'back-off': (row, { wait }) => when(isActive(row.state.kind), { kind: 'waiting', wait }),
  retry: (row) => when(row.state.kind === 'waiting', goingOn(row)),
  'auth-lost': (row) => when(isActive(row.state.kind), { kind: 'needs-auth' }),
  'auth-back': (row) => when(row.state.kind === 'needs-auth', goingOn(row)),
  'permission-lost': (row) => when(readsFile(row.state.kind), { kind: 'needs-permission' }),
  'file-lost': (row, { why }) =>
    when(readsFile(row.state.kind) || row.state.kind === 'needs-permission', {
      kind: 'needs-file',
      why,
    }),
  'file-found': (row) => when(LACKS_FILE.has(row.state.kind), goingOn(row)),
  'file-differs': ({ state: { kind } }) =>
    when(readsFile(kind) || kind === 'finalising' || LACKS_FILE.has(kind), { kind: 'conflict' }),
  'file-touched': (_row, { file }) => ({ file }),
  pause: ({ state: { kind } }) =>
    when((isActive(kind) && kind !== 'verifying') || asksPerson(kind) || isHandedOver(kind), {
      kind: 'paused',
    }),
  resume: (row) => when(row.state.kind === 'paused', goingOn(row)),
  'hand-over': (row) => when(mayHandOver(row), { kind: 'handing-over' }),
  'handed-over': ({ state: { kind } }) => when(kind === 'handing-over', { kind: 'handed-over' }),
  'take-back': (row) => when(isHandedOver(row.state.kind), goingOn(row)),
  // The bar never goes back while bytes are sent; only the server's own list lowers it.
  'safe-bytes': (row, { safeBytes }) => (safeBytes <= row.safeBytes ? null : { safeBytes }),
  'all-safe': ({ state: { kind } }) =>
    when(kind === 'uploading' || kind === 'queued', { kind: 'finalising' }),
  completed: (row, { treeSha256 }) =>
    !isActive(row.state.kind) || row.plan === null
      ? null
      : { state: { kind: 'verifying' }, ...(treeSha256 === null ? {} : { treeSha256 }) },
  'parts-missing': ({ state: { kind } }) =>
    when(kind === 'finalising' || kind === 'verifying', { kind: 'queued' }),
  'check-late': ({ state: { kind } }) =>
    when(kind === 'verifying', { kind: 'verifying', isLate: true }),
  confirmed: (row, _event, nowEpochMs) =>
    row.state.kind !== 'verifying'
      ? null
      : { state: { kind: 'done', doneAtEpochMs: nowEpochMs }, safeBytes: row.file.sizeBytes },
  gone: (row) => when(isActive(row.state.kind), { kind: 'expired' }),
  fail: (row, { code, message }) =>
    when(isActive(row.state.kind), { kind: 'failed', code, message }),
  'start-over': (row, { idempotencyKey }) =>
    !mayBeginAgain(row.state.kind)
      ? null
      : {
          state: { kind: 'preparing' },
          plan: null,
          uploadRequestId: null,
          safeBytes: 0,
          idempotencyKey,
        },
  reopen: (row) => when(mayBeginAgain(row.state.kind) && row.plan !== null, { kind: 'queued' }),
  discard: (row, event) => discard(row.state, event.undoUntilEpochMs),
  'undo-discard': (row) =>
    row.state.kind !== 'discarding' ? null : { state: undone(row, row.state.before) },
  'abort-acknowledged': ({ state: { kind } }) => when(kind === 'discarding', { kind: 'discarded' }),
  dismiss: ({ state: { kind } }) => when(kind === 'done', { kind: 'discarded' }),
}

/** What a driver may have left behind when it died. */
const INTERRUPTED: ReadonlySet<UploadState['kind']> = new Set<UploadState['kind']>([
  'uploading',
  'finalising',
  'waiting',
])
/** States that end when the right file is there. */
const LACKS_FILE: ReadonlySet<UploadState['kind']> = new Set<UploadState['kind']>([
  'needs-file',
  'needs-permission',
  'conflict',
])

/** A person may begin again where the upload cannot go on as it is. */
function mayBeginAgain(kind: UploadState['kind']): boolean {
  return kind === 'expired' || kind === 'conflict' || kind === 'failed'
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
