import { useClosingWords } from '#src/hooks/use-closing-words.ts'
import { useNow } from '#src/hooks/use-now.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { useUploadProgress } from '#src/hooks/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { uploadLabel, uploadPercent } from '#src/local/uploads/labels.ts'
import { classNames } from '#src/ui/class-names.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { uploadStateCopy } from './problem/upload-copy.ts'
import { isBroken, isRunning } from '#src/local/db/upload-states.ts'

export interface UploadProgressProps {
  readonly row: UploadRow
  readonly isCompact?: boolean
  /** No more than the bar with name and label; the stage is still read out. */
  readonly isBarOnly?: boolean
}

/**
 * How far one upload is: bar, label, state in words, safe bytes of all, speed and time left, and
 * honestly what closing the page does.
 */
export function UploadProgress({ row, isCompact = false, isBarOnly = false }: UploadProgressProps) {
  const progress = useUploadProgress(row.id)
  const isOnline = useOnline()
  const isUploading = row.state.kind === 'uploading'
  const isGoingOn = isRunning(row.state.kind)
  const isCounting = row.state.kind === 'waiting' || (isGoingOn && progress?.pause != null)
  const nowEpochMs = useNow(isCounting ? SECOND_MS : null)
  const copy = uploadStateCopy(row, { progress, nowEpochMs, isOnline })
  const { sizeBytes } = row.file
  const shown = isUploading
    ? { ...row, safeBytes: Math.max(row.safeBytes, progress?.safeBytes ?? 0) }
    : row
  const percent = uploadPercent(shown)
  const inFlight =
    progress === null || sizeBytes === 0
      ? percent
      : percent + (progress.inFlightBytes / sizeBytes) * 100
  const isFailed = isBroken(row.state.kind) || row.state.kind === 'conflict'
  // Lists show the label of the list; where one upload is shown alone, its state is said beside the
  // number anyway.
  const label =
    !isCompact && !isFailed
      ? `${percent}% Uploaded`
      : uploadLabel(
          {
            isFailed: false,
            isCompleted: false,
            createdAtEpochMs: row.createdAtEpochMs,
            local: shown,
          },
          nowEpochMs,
        ).text
  const bar = (
    <ProgressBar
      label={isCompact ? row.file.name : `Upload of ${row.file.name}`}
      isLabelHidden={!isCompact}
      percent={percent}
      {...(isUploading ? { inFlightPercent: inFlight } : {})}
      isFailed={isFailed}
      valueText={label}
    />
  )
  if (isBarOnly)
    return (
      <>
        {bar}
        <p role="status" className="sr-only">
          {copy.title}
        </p>
      </>
    )
  return (
    <div className="flex flex-col gap-1.5">
      {bar}
      <div className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-4">
        {/* Stages are read out; percents, bytes and countdowns are not. */}
        <p role="status" className="leading-snug font-medium">
          {copy.title}
        </p>
        {isCompact || isFailed ? null : (
          <p className="text-sm font-medium text-ink-muted tabular-nums">{label}</p>
        )}
      </div>
      {/* Two lines are kept on a phone, where speed and time come and go: the buttons below must not jump. */}
      {copy.body === null ? null : (
        <p
          className={classNames(
            'text-sm text-ink-muted tabular-nums',
            isUploading && !isCompact && 'max-sm:min-h-10',
          )}
        >
          {copy.body}
        </p>
      )}
      {row.state.kind === 'failed' ? (
        <p className="text-sm text-ink-muted">{`Code: ${row.state.code}`}</p>
      ) : null}
      {isGoingOn && progress?.isUnsaved === true ? (
        <p className="text-sm text-warn">
          This device cannot save the progress. The upload continues, but after a reload some of it
          may be sent again.
        </p>
      ) : null}
      {isCompact ? null : <ClosingWords row={row} />}
    </div>
  )
}

/**
 * The specified sentence where closing the page would stop the upload; elsewhere, what goes on and
 * when (4.3).
 */
function ClosingWords({ row }: { readonly row: UploadRow }) {
  const words = useClosingWords(row)
  return words === null ? null : <p className="text-sm text-ink-muted">{words}</p>
}
