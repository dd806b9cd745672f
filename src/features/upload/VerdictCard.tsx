import { Film } from 'lucide-react'
import type { ReactNode } from 'react'
import { BlobImage } from '#src/components/BlobImage.tsx'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { lengthWords } from '#src/components/time-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'

export interface VerdictCardProps {
  readonly name: string
  readonly sizeBytes: number
  readonly report: ProbeReport | null
  readonly poster: Blob | null
  readonly notices: readonly Finding[]
  /** What happens now, or what can be done. */
  readonly children: ReactNode
}

const KINDS = { info: 'info', warn: 'warning', block: 'error' } as const

/** What was chosen, before a byte of it is sent: picture, facts, and everything the check has to say. */
export function VerdictCard({ name, sizeBytes, report, poster, notices, children }: VerdictCardProps) {
  return (
    <Card as="section" labelledBy="verdict" isFlush className="overflow-hidden">
      <div className="grid aspect-video place-items-center bg-surface-sunken text-ink-faint">
        {poster === null ? <Film aria-hidden className="size-10" /> : <BlobImage blob={poster} alt="First picture of the video" className="size-full object-contain" />}
      </div>
      <div className="flex flex-col gap-5 p-5 sm:p-7">
        <div>
          <h2 id="verdict" className="text-lg font-semibold wrap-break-word">{name}</h2>
          <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
            {facts(sizeBytes, report).map(([label, value]) => (
              <div key={label}>
                <dt className="text-sm text-ink-muted">{label}</dt>
                <dd className="font-medium tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        {notices.map((finding) => {
          const copy = findingCopy(finding)
          return <Notice key={finding.ruleId} kind={KINDS[finding.verdict]} title={copy.title} isLive>{copy.body ?? undefined}</Notice>
        })}
        {children}
      </div>
    </Card>
  )
}

function facts(sizeBytes: number, report: ProbeReport | null): readonly (readonly [string, string])[] {
  const video = report?.video ?? null
  return [
    ['Size', formatBytes(sizeBytes)],
    ...(report === null || report.durationMs === null ? [] : [['Length', lengthWords(report.durationMs)] as const]),
    ...(video === null ? [] : [['Resolution', `${video.displayWidth} × ${video.displayHeight}`] as const]),
    ...(report === null || video === null ? [] : [['Sound', report.audio === null ? 'No sound' : report.audio.channels === 1 ? 'Mono' : report.audio.channels === 2 ? 'Stereo' : `${report.audio.channels} channels`] as const]),
    ...(video === null || video.rotation === 0 ? [] : [['Rotation', `Shown turned by ${video.rotation}°`] as const]),
  ]
}
