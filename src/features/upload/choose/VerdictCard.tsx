import { Film } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Card } from '#src/ui/Card.tsx'
import { useFoundFocus } from '#src/ui/use-found-focus.ts'
import { Findings } from '#src/features/upload/Findings.tsx'
import { VideoFacts } from '#src/features/upload/VideoFacts.tsx'

export interface VerdictCardProps {
  readonly name: string
  readonly sizeBytes: number
  readonly report: ProbeReport | null
  readonly poster: Blob | null
  readonly isPosterMissing: boolean
  readonly notices: readonly Finding[]
  /** Below the facts. */
  readonly aside?: ReactNode
  /** What is happening, or what the person can do. */
  readonly children: ReactNode
}

/**
 * The chosen video before a byte of it is sent: its picture, its facts and the findings of the
 * check.
 */
export function VerdictCard({
  name,
  sizeBytes,
  report,
  poster,
  isPosterMissing,
  notices,
  aside,
  children,
}: VerdictCardProps) {
  // The button that chose the file is gone.
  const words = useFoundFocus<HTMLDivElement>(true, 'h2')
  return (
    <Card as="section" labelledBy="verdict" isFlush className="overflow-hidden">
      <div className="relative grid aspect-video place-items-center bg-surface-sunken text-ink-faint">
        <ListPicture
          picture={poster}
          name={name}
          look={async () => poster}
          alt="First frame of the video"
          className="absolute inset-0 size-full object-contain"
          icon={<Film aria-hidden className={classNames('size-10', isPosterMissing && '-mt-8')} />}
        />
        {isPosterMissing ? (
          <p
            role="status"
            className="absolute inset-x-0 bottom-0 p-4 text-center text-sm text-ink-muted"
          >
            This browser cannot show an image of this video.
          </p>
        ) : null}
      </div>
      <div ref={words} className="flex flex-col gap-5 p-5 sm:p-7">
        <div>
          <h2
            id="verdict"
            tabIndex={-1}
            title={name}
            className="line-clamp-3 text-lg font-semibold wrap-break-word outline-none"
          >
            {name}
          </h2>
          <VideoFacts sizeBytes={sizeBytes} report={report} className="mt-3" />
          {aside}
        </div>
        <Findings findings={notices} isLive />
        {children}
      </div>
    </Card>
  )
}
