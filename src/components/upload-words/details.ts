import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * What support needs to know about a failed upload, as text to copy. Contains neither the file name
 * nor the person's address.
 */
export function uploadDetails(row: UploadRow, browser: string, at: Date): string {
  const { state, plan } = row
  return [
    `Onecut, ${at.toISOString()}`,
    `Upload: ${row.uploadRequestId ?? `${row.id} (only on this device)`}`,
    state.kind === 'failed' ? `Code: ${state.code}` : `State: ${state.kind}`,
    ...(state.kind === 'failed' && state.message !== null ? [`Server: ${state.message}`] : []),
    `Bytes: ${row.safeBytes} of ${row.file.sizeBytes} safe${plan === null ? '' : `, ${plan.partCount} parts of ${plan.partSizeBytes}`}`,
    `Type: ${row.file.type === '' ? 'none' : row.file.type}`,
    `Browser: ${browser}`,
  ].join('\n')
}
