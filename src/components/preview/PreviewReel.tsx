import { useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { BlobImage } from '#src/components/BlobImage.tsx'
import { lengthWords } from '#src/components/time-words.ts'
import { useMomentPictures } from '#src/hooks/use-moment-pictures.ts'
import { usePreviews } from '#src/hooks/use-previews.ts'
import type { PreviewScript } from '#src/local/previews/preview-script.ts'
import { classNames } from '#src/ui/class-names.ts'
import type { EditPreviewProps } from './EditPreview.tsx'
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
  const nameOf = (of: number): string =>
    script.kind === 'places' ? (PLACES[of] ?? 'Place') : `Moment ${of + 1}`
  const timeOf = (of: number): string => lengthWords(items[of]?.window.startMs ?? 0)
  return (
    <>
      <PreviewStage
        state={previews.stateOf(item.id)}
        source={video.source}
        name={`${nameOf(index)} at ${timeOf(index)}`}
        picture={pictures.get(index) ?? null}
        uploadId={video.uploadId}
        onRetry={previews.retry}
      />
      {items.length < 2 ? null : (
        <ul
          aria-label={script.kind === 'places' ? 'Places in the video' : 'Moments of the edit'}
          className="-mx-1 flex gap-2 overflow-x-auto px-1 py-1"
        >
          {items.map((each, of) => (
            <li key={each.id} className="shrink-0">
              <ToggleButton
                isSelected={of === index}
                onChange={() => setChosen(of)}
                className={classNames(
                  'group flex w-24 cursor-pointer flex-col gap-1 rounded-lg p-1 text-xs outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent',
                  of === index ? 'bg-accent-soft ring-2 ring-accent' : 'hover:bg-surface-sunken',
                )}
              >
                <span className="relative block aspect-video overflow-hidden rounded-md bg-surface-sunken">
                  <Picture blob={pictures.get(of) ?? null} />
                </span>
                <span className="flex justify-between gap-1 px-0.5 font-medium text-ink">
                  <span>
                    {script.kind === 'places' ? (
                      nameOf(of)
                    ) : (
                      <>
                        <span className="sr-only">Moment </span>
                        {of + 1}
                      </>
                    )}
                  </span>
                  <span className="sr-only"> at </span>
                  <span className="text-ink-muted tabular-nums">{timeOf(of)}</span>
                </span>
              </ToggleButton>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Picture({ blob }: { readonly blob: Blob | null }) {
  return blob === null ? null : (
    <BlobImage blob={blob} alt="" className="absolute inset-0 size-full object-cover" />
  )
}
