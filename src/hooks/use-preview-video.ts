import { useAccount } from './local-context.ts'
import { useUploadsContext } from './uploads-context.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { sourceProbeOf, type PreviewFailure, type PreviewVideo } from '#src/local/probe/preview.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import type { BytesProblem } from '#src/local/uploads/ports.ts'

/** Whether previews can be made at all. `elsewhere`: another device has the video; `unchecked`: this one could not read what it is. */
export type PreviewSource =
  | { readonly kind: 'video'; readonly video: PreviewVideo }
  | { readonly kind: 'none'; readonly why: 'elsewhere' | 'unchecked' }

/** A file that was just chosen, before any of it is sent. */
export function previewChosen(file: File, uploadId: string, report: ProbeReport | null): PreviewSource {
  const source = sourceProbeOf(report, file.name)
  return source === null ? { kind: 'none', why: 'unchecked' } : { kind: 'video', video: { uploadId, source, open: async () => ok(file) } }
}

/** The video of an upload, wherever this device has its bytes: in memory, as a copy, or by its handle. */
export function usePreviewSource(row: UploadRow | null): PreviewSource {
  const { bridge } = useUploadsContext()
  const db = useAccount()?.db ?? null
  if (row === null || db === null) return { kind: 'none', why: 'elsewhere' }
  const source = sourceProbeOf(row.probe, row.file.name)
  if (source === null) return { kind: 'none', why: 'unchecked' }
  return { kind: 'video', video: { uploadId: row.id, source, open: () => openUpload(db, row, bridge.heldFile(row.id)) } }
}

async function openUpload(db: AccountDb, row: UploadRow, held: File | null): Promise<Result<File, PreviewFailure>> {
  const bytes = createStoredBytes({ db, estimate: null, isInstalled: false })
  if (held !== null) bytes.hold(row.id, held)
  const opened = await bytes.open(row)
  if (!opened.ok) return err({ code: FAILURES[opened.error.kind] })
  const { file, sizeBytes, slice } = opened.value
  // A slice reads nothing: the bytes stay where they are.
  return ok(new File([slice(0, sizeBytes)], file.name, { type: file.type, lastModified: file.lastModifiedEpochMs }))
}

const FAILURES: Readonly<Record<BytesProblem['kind'], 'preview/no-file' | 'preview/needs-permission' | 'probe/gone' | 'probe/changed'>> = {
  'no-handle': 'preview/no-file', 'needs-permission': 'preview/needs-permission', gone: 'probe/gone', changed: 'probe/changed',
}
