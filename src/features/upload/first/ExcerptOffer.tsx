import { Hourglass, Zap } from 'lucide-react'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { useExcerpts, useKeyTimes } from './use-excerpts.ts'
import { useFoundBefore } from '#src/features/upload/moments/use-found-moments.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { deviceBoard } from '#src/local/edits/device-board.ts'
import { chosenMoments, requestOfMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import { adviceWords, noOfferWords, offerWords } from './first-words.ts'
import { useExcerptOffer } from './use-excerpt-offer.ts'

/**
 * What is sent first once these edits are submitted, where that saves more than a few minutes, and
 * which more could be, if their moments were chosen; where it would save as much and is not
 * possible, why. Renders nothing elsewhere.
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
  const excerpts = useExcerpts()
  const keysMs = useKeyTimes(row?.id ?? null)
  const source = row === null ? null : sourceOf(row)
  const before = useFoundBefore(
    row === null || source === null ? null : { uploadId: row.id, source },
  )
  const found = before?.moments ?? []
  const offer = useExcerptOffer(excerpts, row, requests)
  const possible = useExcerptOffer(
    excerpts,
    row,
    row === null || keysMs === null ? [] : withMoments(row, requests, keysMs, found),
  )
  const sentFirst = offer?.ok === true ? offer.value.slugs : []
  const slugs = possible?.ok === true ? possible.value.slugs : []
  const missing = slugs.filter((slug) => !sentFirst.includes(slug))
  const words = [
    ...(offer?.ok === true ? [offerWords(offer.value, presets)] : []),
    ...(missing.length === 0 ? [] : [adviceWords(missing, presets)]),
  ]
  const none = [offer, possible].find((each) => each?.ok === false)
  return (
    <div aria-live="polite" className="mt-4 flex flex-col gap-2 empty:hidden">
      {words.map((each) => (
        <p key={each} className="flex items-start gap-2 text-sm font-medium">
          <Zap aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span>{each}</span>
        </p>
      ))}
      {row === null || none?.ok !== false ? null : (
        <p className="flex items-start gap-2 text-sm text-ink-muted">
          <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{noOfferWords(none.error, row.probe)}</span>
        </p>
      )}
    </div>
  )
}

function sourceOf({ probe, file, arrivalFindings }: UploadRow): SourceProbe | null {
  return sourceProbeOf(probe, file.name, arrivalFindings ?? [])
}

/** The edits as they would be with the moments that a board of this device begins with. */
function withMoments(
  row: UploadRow,
  requests: readonly TaskRequest[],
  keysMs: readonly number[],
  found: readonly Moment[],
): readonly TaskRequest[] {
  const source = sourceOf(row)
  return requests.map((request) => {
    const begin =
      source === null || chosenMoments(request) !== null
        ? null
        : deviceBoard(request, source, keysMs, found)
    return begin === null ? request : requestOfMoments(request, begin.begin)
  })
}
