import { CircleCheck } from 'lucide-react'
import { UploadControls } from '#src/components/UploadControls.tsx'
import { UploadProgress } from '#src/components/UploadProgress.tsx'
import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import type { RemoteUpload } from './upload-queries.ts'

/** The upload of the video that edits are being chosen for, as this device drives it. */
export function UploadBlock({ row }: { readonly row: UploadRow }) {
  if (row.state.kind === 'done') {
    return (
      <Card as="section" labelledBy="upload-block" className="mb-8 flex items-center gap-4">
        <span aria-hidden className="grid size-12 shrink-0 place-items-center rounded-full bg-good-soft text-good"><CircleCheck className="size-6" /></span>
        <div className="min-w-0">
          <h2 id="upload-block" className="truncate font-semibold">{row.file.name}</h2>
          <p role="status" className="text-ink-muted">Upload complete. Your video has been uploaded and is ready for editing</p>
        </div>
      </Card>
    )
  }
  return (
    <Card as="section" labelledBy="upload-block" className="mb-8">
      <h2 id="upload-block" className="mb-3 text-lg font-semibold wrap-break-word">{row.file.name}</h2>
      <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-end">
        <UploadProgress row={row} />
        <UploadControls row={row} />
      </div>
    </Card>
  )
}

/** An upload that another device made: read only. */
export function RemoteUploadBlock({ upload }: { readonly upload: RemoteUpload }) {
  return (
    <Card as="section" labelledBy="upload-block" className="mb-8">
      <h2 id="upload-block" className="font-semibold wrap-break-word">{upload.name} <span className="font-normal text-ink-muted">{formatBytes(upload.sizeBytes)}</span></h2>
      <p role="status" className="mt-1 text-ink-muted">{upload.isCompleted ? 'Upload completed' : 'Upload not completed'}</p>
      {upload.isFailed ? <Notice kind="error" className="mt-4" title="This video could not be used">{upload.failureReason ?? 'Please upload another file.'}</Notice> : null}
    </Card>
  )
}
