import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import { fileOf } from '#src/local/uploads/file/file-source.ts'
import type { BytesProblem } from '#src/local/uploads/ports.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'

/**
 * Opens the bytes of an upload wherever this device has them: `held` in memory, a copy, or a handle
 * that may be read. Does not read them. What an upload was found to differ from is kept in their
 * place, for when a person sends that instead: until then it is not what the upload is of.
 */
export async function openUpload(
  db: AccountDb,
  row: UploadRow,
  held: File | null,
): Promise<Result<File, PreviewFailure>> {
  if (row.state.kind === 'conflict') return err({ code: 'probe/changed' })
  const bytes = createStoredBytes({ db, estimate: null, isInstalled: false })
  if (held !== null) bytes.hold(row.id, held)
  const opened = await bytes.open(row)
  return opened.ok ? ok(fileOf(opened.value)) : err({ code: FAILURES[opened.error.kind] })
}

const FAILURES: Readonly<
  Record<
    BytesProblem['kind'],
    'preview/no-file' | 'preview/needs-permission' | 'probe/gone' | 'probe/changed'
  >
> = {
  'no-handle': 'preview/no-file',
  'needs-permission': 'preview/needs-permission',
  gone: 'probe/gone',
  changed: 'probe/changed',
}
