import { useState, type PointerEvent } from 'react'
import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceRectangle } from '#recipes/face-cover/types.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { classNames } from '#src/ui/class-names.ts'
import { placeStyle } from './box-place.ts'
import { isIn, shotAt, withBox } from './decisions.ts'
import { DrawnBox } from './DrawnBox.tsx'
import type { Desk } from './use-desk.ts'

/** A shorter drag is a press. */
const LEAST_DRAG = 0.015

/**
 * What is covered at the place of the video. A mouse or pen draws a box on the picture; fingers
 * scroll the page there, and move the boxes that are on it.
 */
export function CoverOverlay({ desk }: { readonly desk: Desk }) {
  const { decisions, atMs } = desk
  const { drawn, handlers } = useDrawing(desk)
  return (
    // Corners of boxes measure it, to stay inside.
    <div className="absolute inset-0 cursor-crosshair [container-type:size]" {...handlers}>
      <Found desk={desk} />
      {decisions.added
        .filter((track) => isIn(track, atMs))
        .map((track) => (
          <DrawnBox
            key={track.id}
            desk={desk}
            track={track}
            name={`Box drawn by hand, ${lengthWords(track.startMs)} to ${lengthWords(track.endMs)}`}
          />
        ))}
      {/* Over the boxes, whose edges would go through the words. */}
      {decisions.wholly.some((stretch) => isIn(stretch, atMs)) ? (
        <p className="pointer-events-none absolute inset-0 grid place-items-center bg-black/85 font-semibold text-white">
          The whole picture is covered here.
        </p>
      ) : null}
      {drawn === null ? null : (
        <div
          className="pointer-events-none absolute border-2 border-white bg-black/40"
          style={placeStyle(drawn)}
        />
      )}
    </div>
  )
}

/** The faces that were found: covered ones dark, visible ones framed. */
function Found({ desk: { decisions, review, atMs } }: { readonly desk: Desk }) {
  const uncovered = new Set(decisions.uncovered)
  return review.finding?.tracks
    .filter((track) => isIn(track, atMs))
    .map((track) => (
      <div
        key={track.id}
        className={classNames(
          'pointer-events-none absolute border-2',
          uncovered.has(track.id) ? 'border-dashed border-white' : 'border-accent bg-black/70',
        )}
        style={placeStyle(faceBoxAt(track, atMs))}
      />
    ))
}

/** The rectangle between where a pointer went down and where it is. */
function useDrawing({ decisions, review, atMs, decide }: Desk) {
  const { ids } = useLocal()
  const [line, setLine] = useState<readonly [Point, Point] | null>(null)
  const drawn = line === null ? null : between(...line)
  const onPointerDown = (event: PointerEvent) => {
    if (event.target !== event.currentTarget || event.pointerType === 'touch') return
    event.currentTarget.setPointerCapture(event.pointerId)
    setLine([pointOf(event), pointOf(event)])
  }
  const onPointerMove = (event: PointerEvent) => {
    if (line !== null) setLine([line[0], pointOf(event)])
  }
  const onPointerUp = () => {
    setLine(null)
    if (drawn === null || drawn.width < LEAST_DRAG || drawn.height < LEAST_DRAG) return
    const box = { ...drawn, atMs }
    decide(withBox(decisions, { id: ids.uuid(), box, shot: shotAt(review, atMs) }))
  }
  const onPointerCancel = () => setLine(null)
  return { drawn, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Where a pointer is, as shares of the element that listens. */
function pointOf(event: PointerEvent): Point {
  const frame = event.currentTarget.getBoundingClientRect()
  const share = (value: number, size: number) => Math.min(1, Math.max(0, value / size))
  return {
    x: share(event.clientX - frame.left, frame.width),
    y: share(event.clientY - frame.top, frame.height),
  }
}

function between(some: Point, other: Point): FaceRectangle {
  return {
    x: Math.min(some.x, other.x),
    y: Math.min(some.y, other.y),
    width: Math.abs(some.x - other.x),
    height: Math.abs(some.y - other.y),
  }
}
