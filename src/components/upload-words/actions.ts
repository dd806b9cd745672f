import type { UploadFailureCode, UploadState } from '#src/local/db/rows.ts'

/** What a person can do about an upload in a state. The first action is the main one. */
export type UploadAction =
  | 'pause'
  | 'hand-over'
  | 'resume'
  | 'retry-now'
  | 'sign-in'
  | 'choose-again'
  | 'choose-original'
  | 'allow'
  | 'start-over'
  | 'choose-another'
  | 'copy-details'
  | 'discard'
  | 'undo'
  | 'dismiss'

/** The actions of each state. Exhaustive, so that a new state must say what can be done. */
export function uploadActions(state: UploadState): readonly UploadAction[] {
  switch (state.kind) {
    case 'draft':
      return ['allow', 'discard']
    case 'preparing':
    case 'handing-over':
      return ['pause', 'discard']
    case 'queued':
    case 'uploading':
      return ['pause', 'hand-over', 'discard']
    case 'waiting':
      return ['retry-now', 'pause', 'hand-over', 'discard']
    // Nothing else can end what the browser does: see [Note: handing over].
    case 'handed-over':
      return ['discard']
    case 'paused':
      return ['resume', 'discard']
    case 'needs-permission':
      return ['allow', 'choose-again', 'discard']
    case 'needs-file':
      return ['choose-again', 'discard']
    case 'conflict':
      return ['choose-original', 'start-over', 'discard']
    case 'expired':
      return ['start-over', 'discard']
    case 'failed':
      return [isFileRefused(state) ? 'choose-another' : 'start-over', 'copy-details', 'discard']
    case 'needs-auth':
      return ['sign-in', 'discard']
    case 'discarding':
      return ['undo']
    case 'done':
      return ['dismiss']
    case 'finalising':
    case 'verifying':
    case 'discarded':
      return []
  }
}

const FILE_REFUSALS: ReadonlySet<UploadFailureCode> = new Set([
  'upload/invalid-file',
  'upload/too-large',
  'upload/empty',
])

/**
 * True where the server refused the file itself: sending it again ends the same way, and no edits
 * can be ordered for it.
 */
export function isFileRefused(state: UploadState): boolean {
  return state.kind === 'failed' && FILE_REFUSALS.has(state.code)
}
