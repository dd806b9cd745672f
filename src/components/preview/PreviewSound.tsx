import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import { usePreviews } from '#src/hooks/previews/use-previews.ts'
import { spokenLength } from '#recipes/length-words.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import type { PreviewOutput } from '#src/local/previews/preview.ts'
import type { PreviewItem } from '#src/local/previews/preview-script.ts'
import type { EditPreviewProps } from './edit-preview-props.ts'
import { PreviewFailed } from './PreviewFailed.tsx'
import { PreviewProgress } from './PreviewProgress.tsx'
import { PreviewMark } from './PreviewStage.tsx'

/** A few seconds of the video's own sound, as it is and as the edit makes it. */
export function PreviewSound({
  items,
  video,
  edit,
}: EditPreviewProps & { readonly items: readonly PreviewItem[] }) {
  const previews = usePreviews(video, edit, items)
  const [item] = items
  if (item === undefined) return null
  const state = previews.stateOf(item.id)
  const { startMs, durationMs } = item.window
  if (state.kind === 'failed')
    return (
      <PreviewFailed failure={state.failure} uploadId={video.uploadId} onRetry={previews.retry} />
    )
  return (
    <figure className="flex flex-col gap-4">
      <p>{`${spokenLength(durationMs)} of your video, from ${lengthWords(startMs)} on.`}</p>
      <p>The finished edit is made the same way, with another voice: each video gets its own.</p>
      {state.kind === 'ready' ? (
        state.outputs.map((output) => (
          <Sound
            key={output.name}
            output={output}
            title={output.name.startsWith('before') ? 'Before' : 'After'}
          />
        ))
      ) : (
        <PreviewProgress state={state} />
      )}
      <PreviewMark />
    </figure>
  )
}

function Sound({ output, title }: { readonly output: PreviewOutput; readonly title: string }) {
  const address = useBlobUrl(output.blob)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-semibold text-ink">{title}</p>
      {address === null ? null : (
        <audio src={address} controls aria-label={title} className="w-full" />
      )}
    </div>
  )
}
