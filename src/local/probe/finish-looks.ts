import { inspectUpload, type InspectDeps } from './inspect-upload.ts'
import type { Result } from '#src/lib/result.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** Of these the device may still have the bytes; a draft was not begun, and the others are over. */
const HAS_BYTES: ReadonlySet<UploadRow['state']['kind']> = new Set([
  'preparing',
  'queued',
  'uploading',
  'waiting',
  'paused',
  'needs-auth',
  'needs-permission',
  'finalising',
  'verifying',
])

/**
 * Does the closer looks again that a reload cut short, newest upload first, as far as their bytes
 * can be read without asking anybody. Nothing is sent. Best effort: what cannot be read is left as
 * it is.
 */
export async function finishLooks(
  deps: InspectDeps & { readonly open: (row: UploadRow) => Promise<Result<File, unknown>> },
): Promise<void> {
  const rows = await deps.db.uploads
    .orderBy('createdAtEpochMs')
    .reverse()
    .filter(isUnfinished)
    .toArray()
  for (const row of rows) {
    const opened = await deps.open(row)
    if (opened.ok) await inspectUpload(deps, row.id, opened.value)
  }
}

function isUnfinished(row: UploadRow): boolean {
  return HAS_BYTES.has(row.state.kind) && row.probe !== null && row.probe.deep === undefined
}
