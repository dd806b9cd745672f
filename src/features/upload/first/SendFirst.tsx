import { useEffect, useEffectEvent } from 'react'
import { useExcerptOf, useExcerpts } from '#src/hooks/use-excerpts.ts'
import { useLive } from '#src/hooks/use-live.ts'
import { useUploadByRequestId, useUploadProgress } from '#src/hooks/use-upload.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isBroken, isReceived } from '#src/local/db/upload-states.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
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
  const present = useExcerptOf(row?.id ?? null)
  const requests = ordered.kind === 'ready' ? ordered.value : []
  useSendExcerpt(row, requests)
  const excerpt = present.kind === 'ready' ? present.value : null
  return excerpt === null || isBroken(excerpt.state.kind) ? null : <FirstProgress row={excerpt} />
}

function useSendExcerpt(row: UploadRow | null, requests: readonly TaskRequest[]): void {
  const excerpts = useExcerpts()
  const offer = useExcerptOffer(excerpts, row, requests)
  const send = useEffectEvent(async () => {
    if (row !== null && offer !== null) await excerpts.send(row.id, offer.stretches)
  })
  // New at each render; the key says when it is another one.
  const key = offer === null ? null : JSON.stringify([row?.id, offer.stretches])
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
      value.tasks.some(({ status }) => status === 'created') ? value.mediaJobTaskRequests : [],
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
