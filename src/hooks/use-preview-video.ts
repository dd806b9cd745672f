import { useAccount } from './local-context.ts'
import { useTakenSound } from './use-upload-sounds.ts'
import { useUploadsContext } from './uploads-context.ts'
import { ok } from '#src/lib/result.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { sourceProbeOf, type PreviewVideo } from '#src/local/previews/preview.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { namingSound, withSound } from '#src/local/probe/with-sound.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'

/**
 * Whether previews can be made at all. `not-here`: this device does not have the video, or not any
 * more; `unchecked`: it could not read what the video is.
 */
export type PreviewSource =
  | { readonly kind: 'video'; readonly video: PreviewVideo }
  | { readonly kind: 'none'; readonly why: 'not-here' | 'unchecked' }

/** A file that was just chosen, before any of it is sent. */
export function previewChosen(
  file: File,
  uploadId: string,
  report: ProbeReport | null,
): PreviewSource {
  const source = sourceProbeOf(report, file.name)
  return source === null
    ? { kind: 'none', why: 'unchecked' }
    : { kind: 'video', video: { uploadId, source, open: async () => ok(file) } }
}

/**
 * The video of an upload, wherever this device has its bytes: in memory, as a copy, or by its
 * handle.
 */
export function usePreviewSource(row: UploadRow | null): PreviewSource {
  const { bridge } = useUploadsContext()
  const db = useAccount()?.db ?? null
  const sound = useTakenSound(row?.uploadRequestId ?? null)
  if (row === null || db === null) return { kind: 'none', why: 'not-here' }
  const { probe: report, arrivalFindings: arrived = [] } = row
  const source =
    sound === null || report === null
      ? sourceProbeOf(report, row.file.name, arrived)
      : sourceProbeOf(
          withSound(report, sound.number - 1),
          row.file.name,
          namingSound(arrived, sound.number),
        )
  if (source === null) return { kind: 'none', why: 'unchecked' }
  return {
    kind: 'video',
    video: { uploadId: row.id, source, open: () => openUpload(db, row, bridge.heldFile(row.id)) },
  }
}
