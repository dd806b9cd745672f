import type { ReactNode } from 'react'
import { useClosingWords } from './use-closing-words.ts'
import { useShownExcerpt } from '#src/hooks/uploads/use-excerpts-of.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { usePresentOutage } from '#src/hooks/network/use-outage.ts'
import { useUploadProgress } from '#src/hooks/uploads/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadProgress as Progress } from '#src/local/uploads/api.ts'
import { uploadLabel, uploadPercent } from '#src/local/uploads/page/labels.ts'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { helpOfUpload } from '#src/components/problem/help-of.ts'
import { nameWithTrim } from '#src/components/upload-words/trim-words.ts'
import type { ProblemCopy } from '#src/components/problem/problem-words.ts'
import { classNames } from '#src/ui/class-names.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { sentFirstCopy, uploadStateCopy } from '#src/components/upload-words/state-copy.ts'
import { isBroken, isRunning } from '#src/local/db/upload-states.ts'

export interface UploadProgressProps {
  readonly row: UploadRow
  /** Shown over the bar; without it the bar is labelled for screen readers only. */
  readonly barLabel?: string
  readonly isCompact?: boolean
  /** Only the bar with name and label; screen readers still announce the stage. */
  readonly isBarOnly?: boolean
}

/**
 * How far one upload is: bar, label, state in words, safe bytes of all, speed and time left, and
 * what closing the page does.
 */
export function UploadProgress({
  row,
  barLabel,
  isCompact = false,
  isBarOnly = false,
}: UploadProgressProps) {
  const { copy, label, isFailed, isDiscarded, isUnsaved, bar } = useShownProgress(row, {
    barLabel,
    isCompact,
    isBarOnly,
  })
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
        {/* Screen readers announce stages, not percents, bytes and countdowns. */}
        <p role="status" className="leading-snug font-medium">
          {copy.title}
        </p>
        {isCompact || isFailed || isDiscarded || barLabel !== undefined ? null : (
          <p className="text-sm font-medium text-ink-muted tabular-nums">{label}</p>
        )}
      </div>
      {/* On a phone, room for two lines: speed and time come and go, and the buttons must not jump. */}
      {copy.body === null ? null : (
        <p
          className={classNames(
            'text-sm text-ink-muted tabular-nums',
            row.state.kind === 'uploading' && !isCompact && 'max-sm:min-h-10',
          )}
        >
          {copy.body}
        </p>
      )}
      {row.state.kind === 'failed' ? (
        <p className="text-sm text-ink-muted">{`Code: ${row.state.code}`}</p>
      ) : null}
      {isUnsaved ? (
        <p className="text-sm text-warn">
          This device cannot save the progress. The upload continues, but after a reload some of it
          may be sent again.
        </p>
      ) : null}
      {isCompact ? null : <ClosingWords row={row} />}
      {isCompact ? null : <HelpLink slug={helpOfUpload(row.state)} />}
    </div>
  )
}

interface ShownProgress {
  readonly copy: ProblemCopy
  readonly label: string
  readonly isFailed: boolean
  /** Discarded, and can still be taken back: nothing more is to be said of how far it is. */
  readonly isDiscarded: boolean
  /** This device cannot save the progress of the running upload. */
  readonly isUnsaved: boolean
  readonly bar: ReactNode
}

function useShownProgress(
  row: UploadRow,
  {
    barLabel,
    isCompact,
    isBarOnly,
  }: Required<Pick<UploadProgressProps, 'isCompact' | 'isBarOnly'>> & {
    readonly barLabel: string | undefined
  },
): ShownProgress {
  const progress = useUploadProgress(row.id)
  const first = useSentFirst(row)
  const isOnline = useOnline()
  const outage = usePresentOutage()
  const isUploading = row.state.kind === 'uploading'
  const isGoingOn = isRunning(row.state.kind)
  const isCounting = row.state.kind === 'waiting' || (isGoingOn && progress?.pause != null)
  const nowEpochMs = useNow(isCounting ? SECOND_MS : null)
  const shown = isUploading
    ? { ...row, safeBytes: Math.max(row.safeBytes, progress?.safeBytes ?? 0) }
    : row
  const percent = uploadPercent(shown)
  const isFailed = isBroken(row.state.kind) || row.state.kind === 'conflict'
  const isDiscarded = row.state.kind === 'discarding'
  // Lists show the label of the list. Where one upload is shown alone, its state stands beside the
  // number.
  const label =
    !isCompact && !isFailed && !isDiscarded
      ? `${percent}% Uploaded`
      : uploadLabel(
          {
            isFailed: false,
            isDeleted: false,
            isCompleted: false,
            createdAtEpochMs: row.createdAtEpochMs,
            local: shown,
          },
          nowEpochMs,
        ).text
  return {
    copy: first ?? uploadStateCopy(row, { progress, nowEpochMs, isOnline, outage }),
    label,
    isFailed,
    isDiscarded,
    isUnsaved: isGoingOn && progress?.isUnsaved === true,
    bar: (
      <ProgressBar
        label={barLabel ?? barName(row, isCompact)}
        isLabelHidden={!isCompact && barLabel === undefined}
        percent={percent}
        {...(isUploading || row.state.kind === 'handed-over'
          ? { inFlightPercent: inFlightPercent(row, percent, progress) }
          : {})}
        isFailed={isFailed}
        valueText={label}
        isValueShown={!isDiscarded || isBarOnly}
      />
    ),
  }
}

/** What is said of a video that stands back for its excerpt; null of all others. */
function useSentFirst({ id, purpose, state }: UploadRow): ProblemCopy | null {
  const excerpt = useShownExcerpt(purpose === 'media-job' ? id : null)
  const progress = useUploadProgress(excerpt?.id ?? null)
  const isAside = state.kind === 'uploading' || state.kind === 'queued'
  return excerpt !== null && isAside && excerpt.state.kind === 'uploading'
    ? sentFirstCopy(excerpt, progress)
    : null
}

/** Videos and assets stand in one list. */
function barName({ purpose, file, trim }: UploadRow, isListed: boolean): string {
  const name = nameWithTrim(file.name, trim)
  if (!isListed) return `Upload of ${name}`
  return purpose === 'media-asset' ? `Asset: ${name}` : name
}

function inFlightPercent(row: UploadRow, percent: number, progress: Progress | null): number {
  const { sizeBytes } = row.file
  return progress === null || sizeBytes === 0
    ? percent
    : percent + (progress.inFlightBytes / sizeBytes) * 100
}

/**
 * What closing the page does to this upload; nothing where closing is harmless
 * (docs/product-decisions.md#resuming-uploads). Until it is known its room is kept, so that what
 * stands below does not move by five lines of a phone.
 */
function ClosingWords({ row }: { readonly row: UploadRow }) {
  const { words, isKnown } = useClosingWords(row)
  if (words === null) return null
  return <p className={classNames('text-sm text-ink-muted', !isKnown && 'invisible')}>{words}</p>
}
