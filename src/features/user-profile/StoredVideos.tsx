import type { DeleteQuestion } from '#src/components/jobs/DeleteStoredDialog.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import type { Storage, StoredVideo } from '#src/hooks/account/use-storage.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'

interface StoredVideosProps {
  readonly storage: Storage
  readonly isDisabled: boolean
  readonly onDelete: (question: DeleteQuestion) => void
}

/** The videos of the account on the server, the largest first, and what of each can be deleted. */
export function StoredVideos({ storage, isDisabled, onDelete }: StoredVideosProps) {
  const { videos, videoCount } = storage
  if (videos.length === 0)
    return <p className="text-ink-muted">None of your videos is on the server.</p>
  return (
    <>
      <p className="text-sm text-ink-muted">
        The size of a video includes the small copies and pictures that the server makes of it.
      </p>
      <ul className="divide-y divide-line">
        {videos.map((video) => (
          <StoredItem
            key={video.uploadRequestId}
            video={video}
            isDisabled={isDisabled}
            onDelete={(what) => onDelete(questionOf(video, what))}
          />
        ))}
      </ul>
      {videoCount > videos.length ? (
        <p className="text-sm text-ink-muted">
          These are the {videos.length} largest of {videoCount} videos.
        </p>
      ) : null}
    </>
  )
}

function StoredItem({
  video,
  isDisabled,
  onDelete,
}: {
  readonly video: StoredVideo
  readonly isDisabled: boolean
  readonly onDelete: (what: DeleteQuestion['what']) => void
}) {
  const { name, isInUse, sourceBytes, resultBytes } = video
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold">
          <span title={name} className="line-clamp-3 min-w-0 wrap-anywhere">
            {name}
          </span>
          {isInUse ? <Badge tone="neutral">In use</Badge> : null}
        </p>
        <p className="text-sm text-ink-muted">{sizeWords(video)}</p>
        <p className="text-sm text-ink-muted">{goesWords(video)}</p>
      </div>
      {isInUse ? null : (
        <div className="flex flex-wrap gap-2">
          {sourceBytes > 0 && resultBytes > 0 ? (
            <Button
              variant="secondary"
              size="small"
              isDisabled={isDisabled}
              label={`Delete video ${name}`}
              onPress={() => onDelete('source')}
            >
              Delete video
            </Button>
          ) : null}
          <Button
            variant="secondary"
            size="small"
            isDisabled={isDisabled}
            label={`Delete everything of ${name}`}
            onPress={() => onDelete('everything')}
          >
            Delete everything
          </Button>
        </div>
      )}
    </li>
  )
}

function questionOf(video: StoredVideo, what: DeleteQuestion['what']): DeleteQuestion {
  const { uploadRequestId, name, sourceBytes, resultBytes } = video
  const sizeBytes = what === 'source' ? sourceBytes : sourceBytes + resultBytes
  return { uploadRequestId, name, what, sizeBytes }
}

function sizeWords({ sourceBytes, resultBytes, resultCount, uploadedAt }: StoredVideo): string {
  const source = sourceBytes === 0 ? 'Video deleted' : `Video ${formatBytes(sourceBytes)}`
  const files = resultCount === 1 ? '1 file' : `${resultCount} files`
  const results = resultCount === 0 ? 'no edits' : `edits ${formatBytes(resultBytes)} in ${files}`
  return `${source}, ${results}, uploaded ${dateWords(Date.parse(uploadedAt))}`
}

/** When the server deletes what is left, if it does. */
function goesWords({ sourceGoesAt, resultsGoAt, isInUse }: StoredVideo): string {
  if (isInUse) return 'Can be deleted when its check, its payment and its edits are finished.'
  const source =
    sourceGoesAt === null ? [] : [`the video is deleted on ${dateWords(Date.parse(sourceGoesAt))}`]
  const results =
    resultsGoAt === null ? [] : [`edits are deleted from ${dateWords(Date.parse(resultsGoAt))} on`]
  const words = [...source, ...results].join(', ')
  return words === ''
    ? 'Stays until you delete it.'
    : `${words[0]?.toUpperCase()}${words.slice(1)}.`
}
