import { UPLOAD_NEVER_FINISHED_AFTER_MS } from '#spec/numbers.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isBroken, isReceived } from '#src/local/db/upload-states.ts'

/** What is known of one upload when its card is drawn. */
export interface LabelFacts {
  readonly isFailed: boolean
  /** Its video had arrived and was deleted from the server. */
  readonly isDeleted: boolean
  readonly isCompleted: boolean
  readonly createdAtEpochMs: number
  /** The row of this device; null when this device does not hold the upload. */
  readonly local: Pick<UploadRow, 'state' | 'safeBytes' | 'file'> | null
}

export type UploadLabelKind =
  | 'failed'
  | 'deleted'
  | 'completed'
  | 'paused'
  | 'waiting'
  | 'choose-again'
  | 'progress'
  | 'discarded'
  | 'never-finished'
  | 'unknown'

export interface UploadLabel {
  readonly kind: UploadLabelKind
  readonly text: string
}

/**
 * Whole percent of the confirmed bytes; 100 only when the server has confirmed the whole file.
 * Never decreases.
 */
export function uploadPercent(row: Pick<UploadRow, 'state' | 'safeBytes' | 'file'>): number {
  if (isReceived(row.state.kind)) return 100
  if (row.file.sizeBytes <= 0) return 0
  return Math.min(99, Math.max(0, Math.floor((row.safeBytes / row.file.sizeBytes) * 100)))
}

/**
 * The one line on an upload's card (UPL-13, docs/product-decisions.md#upload-labels). Every
 * combination of facts has exactly one label: first the end of an upload, then what this device
 * knows, then a guess from its age.
 */
export function uploadLabel(facts: LabelFacts, nowEpochMs: number): UploadLabel {
  if (facts.isDeleted) return { kind: 'deleted', text: 'Deleted from the server.' }
  const state = facts.local?.state.kind ?? null
  if (facts.isCompleted || state === 'done') return { kind: 'completed', text: 'Upload completed.' }
  if (facts.isFailed || (state !== null && isBroken(state)))
    return { kind: 'failed', text: 'Upload failed.' }
  if (facts.local !== null) {
    switch (facts.local.state.kind) {
      case 'paused':
      case 'needs-permission':
      case 'needs-auth':
        return { kind: 'paused', text: 'Paused - resume' }
      case 'waiting':
        return { kind: 'waiting', text: 'Waiting for network' }
      case 'needs-file':
      case 'conflict':
        return { kind: 'choose-again', text: 'Choose the file again to continue' }
      case 'draft':
      case 'preparing':
      case 'queued':
      case 'uploading':
      case 'handing-over':
      case 'handed-over':
      case 'finalising':
      case 'verifying':
        return { kind: 'progress', text: `${uploadPercent(facts.local)}% Uploaded` }
      // It can still be taken back, so it is known what became of it.
      case 'discarding':
        return { kind: 'discarded', text: 'Discarded' }
      default:
        break
    }
  }
  return nowEpochMs - facts.createdAtEpochMs > UPLOAD_NEVER_FINISHED_AFTER_MS
    ? { kind: 'never-finished', text: 'Upload never finished' }
    : { kind: 'unknown', text: 'Upload in progress or aborted' }
}
