import { useEffect, useEffectEvent } from 'react'
import { useExcerpts } from '#src/hooks/use-excerpts.ts'
import { useExcerptsOf } from '#src/hooks/use-excerpts-of.ts'
import { useLive } from '#src/hooks/use-live.ts'
import { useUploadByRequestId, useUploadProgress } from '#src/hooks/use-upload.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isReceived } from '#src/local/db/upload-states.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { shownExcerpt } from '#src/local/uploads/page/excerpt-rows.ts'
import { lengthOf, partOfWhole } from '#src/components/upload-words/sending-words.ts'
import { Card } from '#src/ui/Card.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { useExcerptOffer } from './use-excerpt-offer.ts'

/**
 * Sends first what the ordered edits of a video show, and says how far that is. Renders nothing
 * where nothing is sent first, also where another device sends the video.
 */
export function SendFirst({ uploadRequestId }: { readonly uploadRequestId: string | null }) {
  const row = useUploadByRequestId(uploadRequestId) ?? null
  const ordered = useLive(`ordered:${uploadRequestId}`, (db) => readOrdered(db, uploadRequestId))
  const present = useExcerptsOf(row?.id ?? null)
  const requests = ordered.kind === 'ready' ? ordered.value : []
  useSendExcerpt(row, requests)
  const excerpt = present.kind === 'ready' ? shownExcerpt(present.value) : null
  return excerpt === null ? null : <FirstProgress row={excerpt} />
}

function useSendExcerpt(row: UploadRow | null, requests: readonly TaskRequest[]): void {
  const excerpts = useExcerpts()
  const found = useExcerptOffer(excerpts, row, requests)
  const offer = found?.ok === true ? found.value : null
  const send = useEffectEvent(async () => {
    if (row === null || offer === null) return
    const asked = offer.edits.map(({ stretches }) => stretches)
    await excerpts.send(row.id, offer.stretches, asked)
  })
  // New at each render; the key says when it is another one, or another one has gone.
  const key = offer === null ? null : JSON.stringify([row?.id, offer.stretches, offer.present])
  useEffect(() => {
    if (key !== null) void send()
  }, [key])
}

/** The edits of a video that are submitted and not made yet. */
async function readOrdered(
  db: AccountDb,
  uploadRequestId: string | null,
): Promise<readonly TaskRequest[]> {
  if (uploadRequestId === null) return []
  const [outbox, jobs] = await Promise.all([
    db.outbox.toArray(),
    db.mediaJobs.where({ uploadRequestId }).toArray(),
  ])
  return [
    ...outbox.flatMap(({ intent }) =>
      intent.kind === 'submit-edits' && intent.uploadRequestId === uploadRequestId
        ? intent.requests
        : [],
    ),
    ...jobs.flatMap(({ value }) =>
      value.mediaJobTaskRequests.filter((request) =>
        value.tasks.some(
          ({ status, mediaJobTaskPresetSlug: slug }) =>
            status === 'created' && slug === request.mediaJobTaskPresetSlug,
        ),
      ),
    ),
  ]
}

function FirstProgress({ row }: { readonly row: UploadRow }) {
  const progress = useUploadProgress(row.id)
  const { sizeBytes } = row.file
  const safeBytes = Math.max(row.safeBytes, progress?.safeBytes ?? 0)
  if (isReceived(row.state.kind))
    return (
      <Card className="mb-6">
        <p role="status" className="font-medium">
          What your first edits need has arrived. They are made while the rest of your video is
          sent.
        </p>
      </Card>
    )
  const left = progress?.secondsLeft ?? null
  return (
    <Card className="mb-6">
      <ProgressBar
        label="What your first edits need"
        percent={sizeBytes === 0 ? 0 : Math.floor((safeBytes / sizeBytes) * 100)}
        valueText={partOfWhole(safeBytes, sizeBytes)}
      />
      <p className="mt-2 text-sm text-ink-muted tabular-nums">
        {`${left === null ? '' : `About ${lengthOf(left)}. `}The rest of your video follows.`}
      </p>
    </Card>
  )
}
