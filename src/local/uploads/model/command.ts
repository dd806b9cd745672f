import type { UploadCommandFailure } from '#src/local/uploads/api.ts'
import type { UploadStore } from '#src/local/uploads/ports.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/**
 * Changes a row for a person and raises its epoch, so that a driver in any tab lets go. Writes
 * locally. Refuses: `upload/not-found`; `upload/not-possible` when `change` returns the row as it
 * is; `upload/not-saved` when the database is full or closed.
 */
export async function commandRow(
  store: Pick<UploadStore, 'change'>,
  uploadId: string,
  change: (row: UploadRow) => UploadRow,
): Promise<Result<UploadRow, UploadCommandFailure>> {
  let didFit = false
  try {
    const written = await store.change(uploadId, null, (row) => {
      const next = change(row)
      didFit = next !== row
      return didFit ? { ...next, epoch: row.epoch + 1 } : row
    })
    if (written === null) return err({ code: 'upload/not-found' })
    return didFit ? ok(written) : err({ code: 'upload/not-possible' })
  } catch {
    return err({ code: 'upload/not-saved' })
  }
}
