import { uploadLabel, type UploadLabel } from './labels.ts'
import { isFinal } from '#src/local/db/upload-states.ts'
import type { OpenUpload, UploadSummary } from '#src/local/db/facts.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Trim } from './trim.ts'

/** One card of the upload list, from this device or another. */
export interface ListedUpload {
  /** The server's id; null while the server does not know the upload. */
  readonly uploadRequestId: string | null
  /** This device's id of the upload; the server's id for uploads of other devices. */
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  /** Only this of the file was sent, as far as this device knows; null = the whole. */
  readonly trim: Trim | null
  readonly createdAtEpochMs: number
  readonly label: UploadLabel
  /**
   * The whole file has arrived and the server is still checking it; it is not complete before
   * (docs/product-decisions.md#complete).
   */
  /** `late`: the server fails at the check and goes on trying. */
  readonly check: 'none' | 'under-way' | 'late'
  /** This device holds the upload and has not finished it. */
  readonly isUnfinishedHere: boolean
  /** The server takes parts of it, and this device does not hold it: an upload elsewhere. */
  readonly elsewhere: OpenUpload | null
}

/**
 * Merges the uploads of this device and of the server into one list, newest first. Where both know
 * an upload, this device's progress counts; uploads being discarded here are left out. Drafts
 * belong to the card in which their file was chosen.
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
  // A receipt says that the file arrived; what the server found later comes from its summary.
  const hasArrived = isFinal(row.state.kind)
  const isFailed = hasArrived && summary?.isFailed === true
  const isDeleted = hasArrived && summary?.isDeleted === true
  return {
    uploadRequestId: row.uploadRequestId,
    key: row.id,
    name: row.file.name,
    sizeBytes: row.file.sizeBytes,
    trim: row.trim ?? null,
    createdAtEpochMs: row.createdAtEpochMs,
    label: uploadLabel(
      {
        isFailed,
        isDeleted,
        isCompleted: false,
        createdAtEpochMs: row.createdAtEpochMs,
        local: isFailed ? null : row,
      },
      nowEpochMs,
    ),
    check: row.state.kind === 'verifying' ? checkOf(row.state.isLate) : 'none',
    isUnfinishedHere: !isFinal(row.state.kind),
    elsewhere: null,
  }
}

function checkOf(isLate = false): ListedUpload['check'] {
  return isLate ? 'late' : 'under-way'
}

function fromSummary(summary: UploadSummary, nowEpochMs: number): ListedUpload {
  const {
    uploadRequestId,
    name,
    sizeBytes,
    hasEnded,
    isValidated,
    isFailed,
    isDeleted = false,
  } = summary
  const createdAtEpochMs = Date.parse(summary.createdAt)
  const isBeingChecked = hasEnded && !isValidated && !isFailed
  // A file that has arrived counts as finished, however long the check takes.
  const label = uploadLabel(
    {
      isFailed,
      isDeleted,
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
    trim: null,
    createdAtEpochMs,
    label,
    check: isBeingChecked ? checkOf(summary.isCheckLate) : 'none',
    isUnfinishedHere: false,
    elsewhere: summary.open ?? null,
  }
}
