import { ToggleButton } from 'react-aria-components/ToggleButton'
import { Toolbar } from 'react-aria-components/Toolbar'
import type { Stretch } from '#recipes/stretch.ts'
import type { MomentPlayer } from '#src/components/moments/use-moment-player.ts'
import { MovingTile, PlayButton, playingProps } from '#src/components/moments/MovingTile.tsx'
import { useMomentPlayer } from '#src/components/moments/use-moment-player.ts'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { lengthWords } from '#src/lib/time-words.ts'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import type { MomentsPull } from '#src/hooks/moments/use-upload-moments.ts'
import type { UploadMoments } from '#src/local/edits/moment-boards.ts'
import { classNames } from '#src/ui/class-names.ts'
import { hintLook } from '#src/ui/field-look.ts'

interface ServedMomentsProps {
  readonly found: MomentsPull
  /** Milliseconds into the video; null while none is chosen. */
  readonly valueMs: number | null
  /** What the edit shows of a video of this length where a moment is chosen. */
  readonly shownAt: (source: { readonly durationMs: number }, momentMs: number) => Stretch
  readonly onChange: (valueMs: number) => void
}

/**
 * The choice of a moment by the small pictures of the server, where this device has not got the
 * video; before they are there, why there are none.
 */
export function ServedMoments({ found, valueMs, shownAt, onChange }: ServedMomentsProps) {
  const { pull, tiles } = found
  const address = useBlobUrl(tiles)
  const player = useMomentPlayer(pull.data?.video ?? null)
  if (pull.data === null)
    return <PullFailure pull={pull} title="The pictures of your video could not be loaded" />
  const { pictures, source } = pull.data
  if (source === null || pictures === null || pictures.placesMs.length === 0)
    return <p className={hintLook}>{whyNone(pull.data)}</p>
  const nearestMs = nearestTo(pictures.placesMs, valueMs)
  const shown: ShownProps = {
    player,
    tiles: { address, pictures },
    nearestMs,
    stretchAt: (momentMs) => shownAt(source, momentMs),
  }
  return (
    <>
      <p className={classNames('mb-3', hintLook)}>
        The video itself is not on this device. Choose by these small pictures from the server, then
        set the exact time below.
      </p>
      <Places {...shown} placesMs={pictures.placesMs} onChange={onChange} />
      {valueMs === null || nearestMs === null ? null : (
        <ChosenMoment {...shown} valueMs={valueMs} nearestMs={nearestMs} />
      )}
      {player.hasFailed ? (
        <p role="status" className="text-sm">
          Moments cannot be played now. Try again when you are online.
        </p>
      ) : null}
    </>
  )
}

function whyNone({ state }: UploadMoments): string {
  switch (state) {
    case 'unchecked':
      return 'Pictures of your video come here once it is uploaded and checked. You can set the time now.'
    case 'searching':
      return 'The server is taking pictures of your video. Edits that are paid for come first, so this can take a while. You can set the time now.'
    case 'ready':
      return 'The server has no pictures of this video. Set the time here.'
  }
}

function nearestTo(placesMs: readonly number[], valueMs: number | null): number | null {
  if (valueMs === null) return null
  const [nearest] = placesMs.toSorted((a, b) => Math.abs(a - valueMs) - Math.abs(b - valueMs))
  return nearest ?? null
}

interface ShownProps {
  readonly player: MomentPlayer
  readonly stretchAt: (momentMs: number) => Stretch
  readonly tiles: Tiles
  /** The place of the picture nearest to the chosen moment. */
  readonly nearestMs: number | null
}

/** As high as it is drawn; upright videos become narrow. */
const HEIGHT_REM = 10

/** The chosen moment by its nearest picture, and in motion as far as the server has that. */
function ChosenMoment({
  player,
  tiles,
  stretchAt,
  valueMs,
  nearestMs,
}: ShownProps & { readonly valueMs: number; readonly nearestMs: number }) {
  const moving = { player, tile: 'chosen', stretch: stretchAt(valueMs) }
  const { tileWidth = 16, tileHeight = 9 } = tiles.pictures ?? {}
  const isExact = Math.abs(nearestMs - valueMs) < 500
  return (
    <figure className="mt-2">
      <div
        className="relative mx-auto max-w-full"
        style={{ width: `${(HEIGHT_REM * tileWidth) / tileHeight}rem` }}
      >
        <MovingTile {...moving} tiles={tiles} pictureMs={nearestMs} />
        <PlayButton {...moving} name="your moment" isAlways />
      </div>
      <figcaption className={classNames('mt-1 text-center tabular-nums', hintLook)}>
        {isExact
          ? `Your video at ${lengthWords(valueMs)}`
          : `The nearest picture, at ${lengthWords(nearestMs)}`}
      </figcaption>
    </figure>
  )
}

function Places({
  player,
  tiles,
  nearestMs,
  stretchAt,
  placesMs,
  onChange,
}: ShownProps & Pick<ServedMomentsProps, 'onChange'> & { readonly placesMs: readonly number[] }) {
  return (
    <Toolbar aria-label="Places in the video" className="flex gap-2 overflow-x-auto p-1 pb-3">
      {placesMs
        .toSorted((a, b) => a - b)
        .map((placeMs) => {
          const moving = { player, tile: `place ${placeMs}`, stretch: stretchAt(placeMs) }
          const isNearest = placeMs === nearestMs
          return (
            <div key={placeMs} className="relative shrink-0">
              <ToggleButton
                {...playingProps(moving)}
                isSelected={isNearest}
                onChange={() => onChange(placeMs)}
                className={classNames(
                  'w-28 cursor-pointer rounded-lg p-1 text-xs text-ink tabular-nums outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent',
                  isNearest ? 'bg-accent-soft ring-2 ring-accent' : 'hover:bg-surface-sunken',
                )}
              >
                <MovingTile {...moving} tiles={tiles} pictureMs={placeMs} />
                <span className="mt-1 block">{lengthWords(placeMs)}</span>
              </ToggleButton>
              <PlayButton {...moving} name={lengthWords(placeMs)} />
            </div>
          )
        })}
    </Toolbar>
  )
}
