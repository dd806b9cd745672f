import { Pause, Play } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type FocusEvent } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { PICTURE_MS } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { PlayedStretch } from '#src/local/edits/moment-boards.ts'
import { Button } from '#src/ui/Button.tsx'
import { MomentTile, type Tiles } from './MomentTile.tsx'
import type { MomentPlayer } from './use-moment-player.ts'

/** What a tile shows, its name among the tiles of the board, and what plays it. */
export interface Moving {
  readonly player: MomentPlayer
  readonly tile: string
  readonly stretch: Stretch
}

/** The picture of a stretch, and the stretch itself while it plays. */
export function MovingTile({
  player,
  tile,
  stretch,
  tiles,
  pictureMs,
}: Moving & {
  readonly tiles: Tiles
  /** Where its picture is; left out = near the middle of the stretch. */
  readonly pictureMs?: number
}) {
  const played = player.playing === tile ? player.playedOf(stretch) : null
  const picture = pictureMs === undefined ? stretch : pictureAt(pictureMs)
  return (
    <MomentTile tiles={tiles} stretch={picture}>
      {played === null ? null : <Motion player={player} played={played} stretch={stretch} />}
    </MomentTile>
  )
}

function pictureAt(placeMs: number): Stretch {
  return { startMs: placeMs, endMs: placeMs + PICTURE_MS }
}

function Motion({
  player,
  played,
  stretch: { startMs, endMs },
}: Pick<Moving, 'player' | 'stretch'> & { readonly played: PlayedStretch }) {
  const place = useRef<HTMLSpanElement>(null)
  const show = useEffectEvent((in_: HTMLElement) => player.showIn(in_, played))
  useEffect(
    () => (place.current === null ? undefined : show(place.current)),
    [played.fromS, played.toS],
  )
  return (
    <>
      <span ref={place} aria-hidden data-moving className="absolute inset-0" />
      {played.isWhole ? null : (
        <span className="absolute inset-x-0 bottom-0 bg-black/75 px-1 text-center text-xs text-white tabular-nums">
          {Math.round(played.shownS)} of {Math.round((endMs - startMs) / 1000)} s
        </span>
      )}
    </>
  )
}

/** What lets the button of a tile play it under the pointer, and under the keyboard's focus. */
export function playingProps({ player, tile, stretch }: Moving) {
  if (!player.isByItself || player.playedOf(stretch) === null) return {}
  const play = (): void => player.play(tile)
  const stop = (): void => player.stop(tile)
  return {
    onHoverStart: play,
    onHoverEnd: stop,
    onFocus: ({ target }: FocusEvent<Element>): void => {
      // A press moves the focus too; the pointer plays by itself.
      if (target.matches(':focus-visible')) play()
    },
    onBlur: stop,
  }
}

/**
 * The button that plays and stops a tile that does not play by itself, over its corner.
 * @param isAlways the tile is no button, so that neither pointer nor focus plays it
 */
export function PlayButton({
  player,
  tile,
  stretch,
  name,
  isAlways = false,
}: Moving & { readonly name: string; readonly isAlways?: boolean }) {
  if ((player.isByItself && !isAlways) || player.playedOf(stretch) === null) return null
  const { label, Icon, press } = playOrStop({ player, tile }, name)
  return (
    <AriaButton
      aria-label={label}
      onPress={press}
      className="absolute top-0 left-0 grid size-11 cursor-pointer place-items-center rounded-lg outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent"
    >
      <span className="grid size-7 place-items-center rounded-md bg-surface text-ink shadow-1">
        <Icon aria-hidden className="size-4.5" />
      </span>
    </AriaButton>
  )
}

/** Points as they are typed, with a button that plays what lies between them. */
export function PlayedPoints(props: Moving & { readonly tiles: Tiles; readonly name: string }) {
  const { player, stretch, name } = props
  if (player.playedOf(stretch) === null) return null
  const { label, text, Icon, press } = playOrStop(props, name)
  return (
    <div className="mt-3 flex items-center gap-3">
      <div className="w-36 shrink-0">
        <MovingTile {...props} />
      </div>
      <Button variant="secondary" size="small" label={label} onPress={press}>
        <Icon aria-hidden className="size-4" />
        {text}
      </Button>
    </div>
  )
}

function playOrStop({ player, tile }: Pick<Moving, 'player' | 'tile'>, name: string) {
  const isPlaying = player.playing === tile
  const text = isPlaying ? 'Stop' : 'Play'
  return {
    text,
    label: `${text} ${name}`,
    Icon: isPlaying ? Pause : Play,
    press: () => (isPlaying ? player.stop(tile) : player.play(tile)),
  }
}
