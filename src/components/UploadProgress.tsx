import { useClosingWords } from '#src/hooks/use-closing-words.ts'
import { useNow } from '#src/hooks/use-now.ts'
import { useUploadProgress } from '#src/hooks/use-upload.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { uploadPercent } from '#src/local/uploads/labels.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { uploadStateCopy } from './problem/upload-copy.ts'
import { isRunning } from './upload-actions.ts'

/** How far one upload is: bar, state in words, safe bytes of all, speed and time left, and honestly what closing the page does. */
export function UploadProgress({ row, isCompact = false }: { readonly row: UploadRow; readonly isCompact?: boolean }) {
  const progress = useUploadProgress(row.id)
  const nowEpochMs = useNow(row.state.kind === 'waiting' ? SECOND_MS : null)
  const copy = uploadStateCopy(row, progress, nowEpochMs)
  const { sizeBytes } = row.file
  const percent = uploadPercent({ ...row, safeBytes: Math.max(row.safeBytes, progress?.safeBytes ?? 0) })
  const inFlight = progress === null || sizeBytes === 0 ? percent : percent + (progress.inFlightBytes / sizeBytes) * 100
  const isFailed = row.state.kind === 'failed' || row.state.kind === 'expired' || row.state.kind === 'conflict'
  const isUploading = row.state.kind === 'uploading'
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar
        label={isCompact ? row.file.name : `Upload of ${row.file.name}`} isLabelHidden={!isCompact} percent={percent} {...(isUploading ? { inFlightPercent: inFlight } : {})} isFailed={isFailed}
        valueText={`${percent}% Uploaded`}
      />
      <div className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-4">
        {/* Stages are read out; percents and bytes are not. */}
        <p role="status" className="leading-snug font-medium">{copy.title}</p>
        {isCompact ? null : <p className="text-sm font-medium text-ink-muted tabular-nums">{`${percent}% Uploaded`}</p>}
      </div>
      {copy.body === null ? (isRunning(row.state) || row.state.kind === 'paused' ? <p className="text-sm text-ink-muted tabular-nums">{`${formatBytes(row.safeBytes)} of ${formatBytes(sizeBytes)} safe`}</p> : null) : <p className="text-sm text-ink-muted tabular-nums">{copy.body}</p>}
      {isCompact ? null : <ClosingWords row={row} />}
    </div>
  )
}

/** The specified sentence where closing the page would stop the upload; elsewhere, what goes on and when (4.3). */
function ClosingWords({ row }: { readonly row: UploadRow }) {
  const words = useClosingWords(row)
  return words === null ? null : <p className="text-sm text-ink-muted">{words}</p>
}
