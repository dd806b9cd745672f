import { deepCheckUpload, type DeepCheckDeps } from './deep-check-upload.ts'
import type { Result } from '#src/lib/result.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { mayHoldBytes } from '#src/local/db/upload-states.ts'

/**
 * Does the deep checks again that a reload cut short, newest upload first, as far as their bytes
 * can be read without asking the creator. Nothing is sent. Best effort: what cannot be read is left
 * as it is.
 */
export async function finishDeepChecks(
  deps: DeepCheckDeps & { readonly open: (row: UploadRow) => Promise<Result<File, unknown>> },
): Promise<void> {
  const rows = await deps.db.uploads
    .orderBy('createdAtEpochMs')
    .reverse()
    .filter(isUnfinished)
    .toArray()
  for (const row of rows) {
    const opened = await deps.open(row)
    if (opened.ok) await deepCheckUpload(deps, row.id, opened.value)
  }
}

function isUnfinished(row: UploadRow): boolean {
  return mayHoldBytes(row.state.kind) && row.probe !== null && row.probe.deep === undefined
}
