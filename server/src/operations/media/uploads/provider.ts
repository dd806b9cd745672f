import type { UploadRow } from '#server/db/rows.ts'

/** The ways of uploading in which this server fetches the file itself. */
export type ImportProvider = Exclude<UploadRow['provider'], 's3-multipart' | 's3-singlepart'>

/** Whether this server fetches the file of an upload itself, so that no device may send parts. */
export function isImport({ provider }: Pick<UploadRow, 'provider'>): boolean {
  return provider !== 's3-multipart' && provider !== 's3-singlepart'
}
