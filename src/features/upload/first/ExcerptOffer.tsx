import { Zap } from 'lucide-react'
import { useExcerpts } from '#src/hooks/use-excerpts.ts'
import { usePresets } from '#src/hooks/use-presets.ts'
import { useUpload } from '#src/hooks/use-upload.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { offerWords } from './first-words.ts'
import { useExcerptOffer } from './use-excerpt-offer.ts'

/**
 * What is sent first once these edits are submitted, where that saves more than a few minutes.
 * Renders nothing elsewhere.
 */
export function ExcerptOffer({
  uploadId,
  requests,
}: {
  readonly uploadId: string
  readonly requests: readonly TaskRequest[]
}) {
  const row = useUpload(uploadId) ?? null
  const presets = usePresets().data ?? []
  const offer = useExcerptOffer(useExcerpts(), row, requests)
  return (
    <p aria-live="polite" className="mt-6 flex items-start gap-2 font-medium empty:hidden">
      {offer === null ? null : (
        <>
          <Zap aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span>{offerWords(offer, presets)}</span>
        </>
      )}
    </p>
  )
}
