import { useShownExcerpt } from '#src/hooks/uploads/use-excerpts-of.ts'
import { useUploadByRequestId, useUploadProgress } from '#src/hooks/uploads/use-upload.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isReceived } from '#src/local/db/upload-states.ts'
import { shortLengthWords, partOfWhole } from '#src/components/upload-words/sending-words.ts'
import { Card } from '#src/ui/Card.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'

/**
 * How far what the ordered edits of a video show has been sent. Renders nothing where nothing is
 * sent first, also where another device sends the video.
 */
export function SentFirst({ uploadRequestId }: { readonly uploadRequestId: string | null }) {
  const row = useUploadByRequestId(uploadRequestId) ?? null
  const excerpt = useShownExcerpt(row?.id ?? null)
  return excerpt === null ? null : <FirstProgress row={excerpt} />
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
        {`${left === null ? '' : `About ${shortLengthWords(left)}. `}The rest of your video follows.`}
      </p>
    </Card>
  )
}
