import { useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { lengthWords } from '#src/lib/time-words.ts'
import { useMomentPictures } from '#src/hooks/moments/use-moment-pictures.ts'
import { usePreviews } from '#src/hooks/previews/use-previews.ts'
import type { PreviewScript } from '#src/local/previews/preview-script.ts'
import { classNames } from '#src/ui/class-names.ts'
import type { EditPreviewProps } from './edit-preview-props.ts'
import { PreviewStage } from './PreviewStage.tsx'

const PLACES = ['Beginning', 'Middle', 'End'] as const

/**
 * Moments or places of an edit as a strip of pictures; the one that is pressed is made and played
 * above.
 */
export function PreviewReel({
  script,
  video,
  edit,
}: EditPreviewProps & { readonly script: PreviewScript }) {
  const { items } = script
  const [chosen, setChosen] = useState(0)
  // Other options may give fewer moments.
  const index = Math.min(chosen, items.length - 1)
  const item = items[index]
  const pictures = useMomentPictures(
    video,
    items.map(({ window }) => window.startMs),
  )
  const previews = usePreviews(video, edit, item === undefined ? [] : [item])
  if (item === undefined) return null
  return (
    <>
      <PreviewStage
        state={previews.stateOf(item.id)}
        shape={script.part ?? video.source}
        name={`${nameOf(script, index)} at ${lengthWords(item.window.startMs)}`}
        picture={pictures.get(index) ?? null}
        uploadId={video.uploadId}
        onRetry={previews.retry}
      />
      {items.length < 2 ? null : (
        <ul
          aria-label={script.kind === 'places' ? 'Places in the video' : 'Moments of the edit'}
          className="-mx-1 flex gap-2 overflow-x-auto px-1 py-1"
        >
          {items.map(({ id, window }, of) => (
            <Frame
              key={id}
              script={script}
              index={of}
              atMs={window.startMs}
              picture={pictures.get(of) ?? null}
              isChosen={of === index}
              onChoose={() => setChosen(of)}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface FrameProps {
  readonly script: PreviewScript
  readonly index: number
  readonly atMs: number
  readonly picture: Blob | null
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Frame({ script, index, atMs, picture, isChosen, onChoose }: FrameProps) {
  return (
    <li className="shrink-0">
      <ToggleButton
        isSelected={isChosen}
        onChange={onChoose}
        className={classNames(
          'group flex w-24 cursor-pointer flex-col gap-1 rounded-lg p-1 text-xs outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent',
          isChosen ? 'bg-accent-soft ring-2 ring-accent' : 'hover:bg-surface-sunken',
        )}
      >
        <span className="relative block aspect-video overflow-hidden rounded-md bg-surface-sunken">
          {picture === null ? null : (
            <BlobImage blob={picture} alt="" className="absolute inset-0 size-full object-cover" />
          )}
        </span>
        <span className="flex justify-between gap-1 px-0.5 font-medium text-ink">
          <span>
            {script.kind === 'places' ? (
              nameOf(script, index)
            ) : (
              <>
                <span className="sr-only">Moment </span>
                {index + 1}
              </>
            )}
          </span>
          <span className="sr-only"> at </span>
          <span className="text-ink-muted tabular-nums">{lengthWords(atMs)}</span>
        </span>
      </ToggleButton>
    </li>
  )
}

function nameOf(script: PreviewScript, index: number): string {
  return script.kind === 'places' ? (PLACES[index] ?? 'Place') : `Moment ${index + 1}`
}
