import { spokenLength } from '#recipes/length-words.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import type { TimelinePassage } from '#recipes/types.ts'

export interface PreviewTimelineProps {
  readonly passages: readonly TimelinePassage[]
  readonly sourceDurationMs: number
}

/** Which parts of the video the edit shows, drawn over its whole length. */
export function PreviewTimeline({ passages, sourceDurationMs }: PreviewTimelineProps) {
  const lengthMs = Math.max(
    0,
    ...passages.map(({ startMs, endMs, outputStartMs }) => outputStartMs + endMs - startMs),
  )
  const share = (ms: number): string =>
    `${(Math.min(ms, sourceDurationMs) / sourceDurationMs) * 100}%`
  return (
    <div>
      <p className="text-sm">
        {`Shows ${spokenLength(lengthMs)} of ${spokenLength(sourceDurationMs)}, in ${passages.length} ${passages.length === 1 ? 'passage' : 'passages'}.`}
      </p>
      <div
        role="img"
        aria-label={`Parts shown: ${passages.map(({ startMs, endMs }) => `${lengthWords(startMs)} to ${lengthWords(endMs)}`).join(', ')}`}
        className="relative mt-2 h-4 overflow-hidden rounded-full bg-surface-sunken inset-ring inset-ring-line"
      >
        {passages.map(({ startMs, endMs }) => (
          <span
            key={startMs}
            className="bg-gradient-accent absolute inset-y-0 min-w-1 rounded-sm"
            style={{ left: share(startMs), width: share(endMs - startMs) }}
          />
        ))}
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-ink-muted tabular-nums">
        <span>0:00</span>
        <span>{lengthWords(sourceDurationMs)}</span>
      </p>
    </div>
  )
}
