import { uploadLabel, type UploadLabel } from './labels.ts'
import { FINAL_KINDS } from './machine.ts'
import type { UploadSummary } from '#src/local/db/facts.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** One card of the upload list, of this device or another. */
export interface ListedUpload {
  /** The server's id; null for one that the server does not know (yet). */
  readonly uploadRequestId: string | null
  /** This device's id of it, else the server's. */
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  readonly createdAtEpochMs: number
  readonly label: UploadLabel
  /**
   * The whole file has arrived and the server still checks it (4.55: not complete before it has).
   */
  readonly isBeingChecked: boolean
  /** This device holds it and has not finished it. */
  readonly isUnfinishedHere: boolean
}

/**
 * The uploads of this device and of the server as one list, newest first. Where both know one, this
 * device says how far it is; what is being discarded here is gone. Drafts belong to the card in
 * which they were chosen.
 */
export function listUploads(
  rows: readonly UploadRow[],
  summaries: readonly UploadSummary[],
  nowEpochMs: number,
): readonly ListedUpload[] {
  const own = rows.filter((row) => row.purpose === 'media-job' && row.state.kind !== 'draft')
  const known = new Set(own.flatMap((row) => row.uploadRequestId ?? []))
  const summaryById = new Map(summaries.map((summary) => [summary.uploadRequestId, summary]))
  const here = own
    .filter((row) => row.state.kind !== 'discarded' && row.state.kind !== 'discarding')
    .map((row) => fromRow(row, summaryById.get(row.uploadRequestId ?? ''), nowEpochMs))
  const elsewhere = summaries
    .filter((summary) => !known.has(summary.uploadRequestId))
    .map((summary) => fromSummary(summary, nowEpochMs))
  return [...here, ...elsewhere].toSorted((a, b) => b.createdAtEpochMs - a.createdAtEpochMs)
}

function fromRow(
  row: UploadRow,
  summary: UploadSummary | undefined,
  nowEpochMs: number,
): ListedUpload {
  // A receipt says that it arrived; what the server found of it later is the server's to say.
  const isFailed = FINAL_KINDS.has(row.state.kind) && summary?.isFailed === true
  return {
    uploadRequestId: row.uploadRequestId,
    key: row.id,
    name: row.file.name,
    sizeBytes: row.file.sizeBytes,
    createdAtEpochMs: row.createdAtEpochMs,
    label: uploadLabel(
      isFailed
        ? { isFailed, isCompleted: false, createdAtEpochMs: row.createdAtEpochMs, local: null }
        : { isFailed, isCompleted: false, createdAtEpochMs: row.createdAtEpochMs, local: row },
      nowEpochMs,
    ),
    isBeingChecked: row.state.kind === 'verifying',
    isUnfinishedHere: !FINAL_KINDS.has(row.state.kind),
  }
}

function fromSummary(
  { uploadRequestId, name, sizeBytes, hasEnded, isValidated, isFailed, createdAt }: UploadSummary,
  nowEpochMs: number,
): ListedUpload {
  const createdAtEpochMs = Date.parse(createdAt)
  const isBeingChecked = hasEnded && !isValidated && !isFailed
  // One that has arrived was finished, however long the check takes.
  const label = uploadLabel(
    {
      isFailed,
      isCompleted: hasEnded && isValidated,
      createdAtEpochMs: isBeingChecked ? nowEpochMs : createdAtEpochMs,
      local: null,
    },
    nowEpochMs,
  )
  return {
    uploadRequestId,
    key: uploadRequestId,
    name,
    sizeBytes,
    createdAtEpochMs,
    label,
    isBeingChecked,
    isUnfinishedHere: false,
  }
}
