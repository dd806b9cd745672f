import type { UploadRow } from '#src/local/db/rows.ts'
import { isOnServer, isReceived } from '#src/local/db/upload-states.ts'
import type { Finding } from './report.ts'

/**
 * Rule B8: the newest upload of this device that began with the same bytes (size, first and last
 * MiB), as a finding; null when there is none. Names are not asked: people rename files. `arrived`
 * says that nothing of it is left to send.
 */
export function earlierUpload(
  rows: readonly UploadRow[],
  sizeBytes: number,
  fingerprint: NonNullable<UploadRow['fingerprint']>,
): Finding | null {
  const same = rows.filter(
    (row) =>
      isOnServer(row.state.kind) &&
      row.purpose === 'media-job' &&
      row.file.sizeBytes === sizeBytes &&
      row.fingerprint?.head === fingerprint.head &&
      row.fingerprint.tail === fingerprint.tail,
  )
  const newest = same.toSorted((a, b) => b.createdAtEpochMs - a.createdAtEpochMs)[0]
  if (newest === undefined) return null
  return {
    ruleId: 'B8',
    verdict: 'warn',
    facts: {
      atEpochMs: newest.createdAtEpochMs,
      name: newest.file.name,
      ...(isReceived(newest.state.kind) ? { arrived: 'whole' } : {}),
      ...(newest.uploadRequestId === null ? {} : { uploadRequestId: newest.uploadRequestId }),
    },
  }
}
