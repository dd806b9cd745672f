import { classNames } from '#src/ui/class-names.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { videoFacts } from './video-facts.ts'

export interface VideoFactsProps {
  readonly sizeBytes: number
  /** Null when the video was not checked on this device. */
  readonly report: ProbeReport | null
  readonly className?: string
}

/** Size, length, resolution and sound of a chosen video. */
export function VideoFacts({ sizeBytes, report, className }: VideoFactsProps) {
  return (
    <dl className={classNames('grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3', className)}>
      {videoFacts(sizeBytes, report).map(([label, value]) => (
        <div key={label}>
          <dt className="text-sm text-ink-muted">{label}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
