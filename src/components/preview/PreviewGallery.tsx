import { usePreviews, type Previews } from '#src/hooks/previews/use-previews.ts'
import type { PreviewState } from '#src/local/previews/preview-runner.ts'
import type { PreviewFile, PreviewItem } from '#src/local/previews/preview-script.ts'
import { oneMomentWords } from '#src/components/problem/preview-copy.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { classNames } from '#src/ui/class-names.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import type { EditPreviewProps } from './edit-preview-props.ts'
import { PreviewFailed } from './PreviewFailed.tsx'
import { PreviewMedia } from './PreviewMedia.tsx'
import { PreviewMark } from './PreviewStage.tsx'

/**
 * Files of their own (stills, GIFs), made one after the other, each shown when it is ready; or all
 * at once, of one moment.
 */
export function PreviewGallery({
  items,
  video,
  edit,
}: EditPreviewProps & { readonly items: readonly PreviewItem[] }) {
  const previews = usePreviews(video, edit, items)
  const tiles = items.flatMap((item) =>
    item.files.map((file) => ({ item, file, state: previews.stateOf(item.id) })),
  )
  const ready = tiles.filter(({ state }) => state.kind === 'ready').length
  const failed = tiles.map(({ state }) => state).find((state) => state.kind === 'failed')
  const oneMoment = items.find(({ files }) => files.length > 1)
  const isStills = items.every(({ kind }) => kind === 'image')
  return (
    <>
      {failed === undefined ? null : (
        <PreviewFailed
          failure={failed.failure}
          uploadId={video.uploadId}
          onRetry={previews.retry}
        />
      )}
      {ready === tiles.length || failed !== undefined ? null : (
        <ProgressBar
          label="Making the previews on this device"
          percent={(sharesOf(previews, items) / items.length) * 100}
          valueText={`${ready} of ${tiles.length}`}
        />
      )}
      {failed !== undefined && ready === 0 ? null : (
        <figure className="flex flex-col gap-3">
          <ul
            tabIndex={0}
            aria-label="Previews"
            className={classNames('grid grid-cols-2 gap-3', isStills && 'sm:grid-cols-3')}
          >
            {tiles.map(({ item, file, state }) => (
              <GalleryTile
                key={file.output}
                item={item}
                file={file}
                state={state}
                shape={video.source}
                isCropped={!isStills}
              />
            ))}
          </ul>
          {oneMoment !== undefined && (
            <p className="text-sm">{oneMomentWords(oneMoment.window.durationMs)}</p>
          )}
          <PreviewMark />
        </figure>
      )}
    </>
  )
}

interface GalleryTileProps {
  readonly item: PreviewItem
  readonly file: PreviewFile
  readonly state: ReturnType<Previews['stateOf']>
  readonly shape: { readonly width: number; readonly height: number }
  /** The files have shapes of their own. */
  readonly isCropped: boolean
}

function GalleryTile({ item, file, state, shape, isCropped }: GalleryTileProps) {
  const name = file.name ?? `Picture at ${lengthWords(item.window.startMs)}`
  const outputs = state.kind === 'ready' ? state.outputs : []
  const output =
    item.files.length > 1 ? outputs.find(({ name: made }) => made === file.output) : outputs[0]
  return (
    <li className="flex flex-col gap-1 text-sm">
      <div
        className="relative overflow-hidden rounded-control bg-surface-sunken"
        style={{ aspectRatio: isCropped ? '1 / 1' : `${shape.width} / ${shape.height}` }}
      >
        {output === undefined ? null : <PreviewMedia output={output} name={`Preview of ${name}`} />}
      </div>
      <p className="flex justify-between gap-2 text-ink">
        <span className="first-letter:uppercase">{name}</span>
        <span className="text-ink-muted tabular-nums">{lengthWords(item.window.startMs)}</span>
      </p>
    </li>
  )
}

function sharesOf(previews: Previews, items: readonly PreviewItem[]): number {
  return items.reduce((sum, { id }) => {
    const state = previews.stateOf(id)
    return sum + shareOf(state)
  }, 0)
}

function shareOf(state: PreviewState): number {
  if (state.kind === 'working') return state.share ?? 0
  return state.kind === 'ready' ? 1 : 0
}
