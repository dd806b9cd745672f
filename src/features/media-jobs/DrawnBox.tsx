import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceRectangle } from '#recipes/face-cover/types.ts'
import { placeStyle } from './box-place.ts'
import { inPicture, withMovedBox, withoutBox, type DrawnTrack } from './decisions.ts'
import type { Desk } from './use-desk.ts'

/** By one press of an arrow key, as a share of the picture. */
const STEP = 0.01

/** The least side of a box that is resized: what is smaller covers no face and is hard to touch. */
const LEAST_PX = 24
/** The same as a share of a large picture. */
const LEAST_SHARE = 0.02

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

interface Drag {
  readonly pointerId: number
  readonly fromX: number
  readonly fromY: number
  readonly isResized: boolean
  readonly now: FaceRectangle
}

/**
 * A box that a person drew: moved by pointer, finger or arrow keys, resized at its corner or with
 * Shift, removed with Delete. Moving it at another place of the video lets it move between the two.
 */
export function DrawnBox({
  desk,
  track,
  name,
}: {
  readonly desk: Desk
  readonly track: DrawnTrack
  readonly name: string
}) {
  const { atMs, decisions, decide } = desk
  const here = faceBoxAt(track, atMs)
  const put = (to: FaceRectangle) => decide(withMovedBox(decisions, track.id, { ...to, atMs }))
  const { now, handlers } = useBoxDrag(here, put)
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const by = ARROWS[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') {
      // To the place of the video, which is where the box was; the box takes the focus with it.
      event.currentTarget.closest('section')?.querySelector('input')?.focus()
      return decide(withoutBox(decisions, track.id))
    }
    if (by === undefined) return
    event.preventDefault()
    put(changedBy(here, by, event.shiftKey ? pictureOf(event) : null))
  }
  return (
    <button
      type="button"
      aria-label={`${name}. Arrow keys move it, with Shift they resize it, Delete removes it.`}
      style={placeStyle(now)}
      className="absolute cursor-move touch-none border-2 border-white bg-black/70 any-pointer-coarse:before:absolute any-pointer-coarse:before:right-0 any-pointer-coarse:before:bottom-0 any-pointer-coarse:before:size-full any-pointer-coarse:before:min-h-17 any-pointer-coarse:before:min-w-17 focus-visible:outline-4 focus-visible:outline-accent"
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <Corner here={now} />
    </button>
  )
}

/**
 * Where a box is resized: half of it on the box, and on a small box next to it, so that the box can
 * be moved as well. It stays inside the picture, which clips what goes beyond. Where both edges
 * push it onto a small box, a finger moves that by what lies left of it and above.
 */
function Corner({ here: { x, y, width, height } }: { readonly here: FaceRectangle }) {
  const outside = 'max(var(--grip) / 2, min(var(--grip), var(--grip) + 20px - 100%))'
  return (
    <span
      aria-hidden
      style={{
        right: `calc(-1 * min(${outside}, ${Math.max(0, 1 - x - width) * 100}cqw))`,
        bottom: `calc(-1 * min(${outside}, ${Math.max(0, 1 - y - height) * 100}cqh))`,
      }}
      className="absolute grid size-(--grip) cursor-nwse-resize place-items-center [--grip:--spacing(7)] any-pointer-coarse:[--grip:--spacing(11)]"
    >
      <span className="size-5 rounded-full border-2 border-white bg-accent" />
    </span>
  )
}

/** Moves and resizes a box by one pointer or finger, and puts it where that is lifted. */
function useBoxDrag(here: FaceRectangle, put: (to: FaceRectangle) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  // A second finger on the box, as for a pinch, would move it by the way between the two.
  const isOurs = ({ pointerId }: PointerEvent) => drag?.pointerId === pointerId
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag !== null) return
    const { currentTarget, target, pointerId, clientX: fromX, clientY: fromY } = event
    currentTarget.setPointerCapture(pointerId)
    setDrag({ pointerId, fromX, fromY, isResized: target !== currentTarget, now: here })
  }
  const placeOf = (event: PointerEvent<HTMLButtonElement>, { fromX, fromY, isResized }: Drag) => {
    const picture = pictureOf(event)
    const by = [
      (event.clientX - fromX) / picture.width,
      (event.clientY - fromY) / picture.height,
    ] as const
    return changedBy(here, by, isResized ? picture : null)
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag !== null && isOurs(event)) setDrag({ ...drag, now: placeOf(event, drag) })
  }
  const onPointerUp = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag === null || !isOurs(event)) return
    setDrag(null)
    // The last move may not have been drawn yet.
    const isMoved = event.clientX !== drag.fromX || event.clientY !== drag.fromY
    if (isMoved) put(placeOf(event, drag))
  }
  const onPointerCancel = (event: PointerEvent) => {
    if (isOurs(event)) setDrag(null)
  }
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
  return { now: drag?.now ?? here, handlers }
}

/** The picture on which a box lies, as it is shown. */
function pictureOf({ currentTarget }: { readonly currentTarget: HTMLElement }): DOMRect {
  return (currentTarget.parentElement ?? currentTarget).getBoundingClientRect()
}

/** @param resizedOn the picture as it is shown, when the box is resized; null when it is moved */
function changedBy(
  { x, y, width, height }: FaceRectangle,
  [dx, dy]: readonly [number, number],
  resizedOn: DOMRect | null,
): FaceRectangle {
  if (resizedOn === null) return inPicture({ x: x + dx, y: y + dy, width, height })
  return inPicture({
    x,
    y,
    width: resized(width, dx, { room: 1 - x, shownPx: resizedOn.width }),
    height: resized(height, dy, { room: 1 - y, shownPx: resizedOn.height }),
  })
}

/** A side after a change, as shares of the picture. One that is smaller already only grows. */
function resized(
  side: number,
  by: number,
  { room, shownPx }: { readonly room: number; readonly shownPx: number },
): number {
  const least = Math.min(side, Math.max(LEAST_PX / shownPx, LEAST_SHARE))
  return Math.min(room, Math.max(least, side + by))
}
