import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { SupportAddress } from '#src/components/help/SupportAddress.tsx'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { truncate } from '#src/lib/text.ts'
import { Card } from '#src/ui/Card.tsx'

export const HELD_WORDS = 'This video is being reviewed and is not available for now.'

/** A video that is held after a report: its name and neutral words. */
export function HeldCard({ job }: { readonly job: MediaJob }) {
  return (
    <Card>
      <h2 title={job.name} className="text-lg leading-snug font-semibold wrap-break-word">
        {truncate(job.name, JOB_NAME_MAX_CHARACTERS)}
      </h2>
      <p className="mt-2">{HELD_WORDS}</p>
      <p className="mt-1 text-sm text-ink-muted">
        Tokens of edits that were not finished are back in your wallet.{' '}
        <SupportAddress before="If you have questions, write to" />
      </p>
    </Card>
  )
}
