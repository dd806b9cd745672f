import { lengthWords } from '#src/lib/time-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { classNames } from '#src/ui/class-names.ts'

export interface VideoFactsProps {
  readonly sizeBytes: number
  /** Null when the video was not checked on this device. */
  readonly report: ProbeReport | null
  readonly className?: string
}

/** Size, length, resolution and sound of a chosen video; on phones in one line, without labels. */
export function VideoFacts({ sizeBytes, report, className }: VideoFactsProps) {
  return (
    <dl
      className={classNames(
        'flex flex-wrap gap-x-3 text-sm sm:grid sm:grid-cols-3 sm:gap-x-4 sm:gap-y-3 sm:text-base',
        className,
      )}
    >
      {videoFacts(sizeBytes, report).map(([label, value]) => (
        <div key={label}>
          <dt className="text-sm text-ink-muted max-sm:sr-only">{label}</dt>
          <dd className="tabular-nums max-sm:text-ink-muted sm:font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * The facts that the check on this device found, as labels and words; only what is known.
 * @param report null when the video was not checked on this device
 */
export function videoFacts(
  sizeBytes: number,
  report: ProbeReport | null,
): readonly (readonly [string, string])[] {
  const video = report?.video ?? null
  return [
    ['Size', formatBytes(sizeBytes)],
    ...(report === null || report.durationMs === null
      ? []
      : [['Length', lengthWords(report.durationMs)] as const]),
    ...(video === null
      ? []
      : [['Resolution', `${video.displayWidth} × ${video.displayHeight}`] as const]),
    ...(report === null || video === null ? [] : [['Sound', soundWords(report.audio)] as const]),
    ...(video === null || video.rotation === 0
      ? []
      : [['Rotation', `Shown rotated by ${video.rotation}°`] as const]),
  ]
}

function soundWords(audio: ProbeReport['audio']): string {
  if (audio === null) return 'No sound'
  if (audio.channels === 1) return 'Mono'
  return audio.channels === 2 ? 'Stereo' : `${audio.channels} channels`
}
