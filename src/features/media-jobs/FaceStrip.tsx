import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { lengthWords } from '#src/lib/time-words.ts'
import { API_BASE } from '#src/config/paths.ts'
import type { FoundTrack } from './decisions.ts'
import type { ReviewPictures } from './use-review-pictures.ts'

/** The header sticks to the top of the window. */
const HEADER_PX = 64
/** All of a picture but what rounding takes away. */
const WHOLE = 0.95

interface FaceStripProps {
  readonly taskId: string
  readonly track: FoundTrack
  readonly pictures: ReviewPictures
  /** See `useUncoveredMargin`. */
  readonly uncoveredMargin: string | null
  readonly onPress: () => void
}

/** Four pictures of one face, which lead to its place in the video. */
export function FaceStrip(props: FaceStripProps) {
  const { taskId, track, pictures, uncoveredMargin, onPress } = props
  const strip = useRef<HTMLImageElement>(null)
  useTellWhenSeen(strip, uncoveredMargin, pictures.isLoaded(track.id), () =>
    pictures.tellSeen(track.id),
  )
  return (
    <button
      type="button"
      onClick={onPress}
      className="w-full max-w-96 min-w-0 cursor-pointer rounded-control bg-surface-sunken text-left text-sm text-ink-muted"
    >
      <span className="sr-only">
        Show the face from {lengthWords(track.startMs)} to {lengthWords(track.endMs)} in the video
      </span>
      {pictures.hasFailed(track.id) ? (
        <span aria-hidden className="grid min-h-16 place-items-center px-3">
          No picture now.{pictures.isVideoMissing ? null : ' Press to see it in the video.'}
        </span>
      ) : (
        <img
          ref={strip}
          src={`${API_BASE}/v1/media-job-tasks/${taskId}/faces/${track.id}/strip`}
          alt=""
          width={384}
          height={96}
          loading="lazy"
          onLoad={() => pictures.tell(track.id, true)}
          onError={() => pictures.tell(track.id, false)}
          className="block h-auto w-full rounded-control"
        />
      )}
    </button>
  )
}

/**
 * What sticks to the window takes away from its top and bottom, as the margin of an observer. It
 * changes: the picture and the bar grow with what they show, and a phone is turned. Null before it
 * is measured.
 */
export function useUncoveredMargin(frame: RefObject<HTMLElement | null>): string | null {
  const [margin, setMargin] = useState<string | null>(null)
  useEffect(() => {
    const measure = () => setMargin(`-${coveredAbove(frame.current)}px 0px -${barRoom()}px`)
    const sizes = new ResizeObserver(measure)
    if (frame.current !== null) sizes.observe(frame.current)
    const rooms = new MutationObserver(measure)
    rooms.observe(document.documentElement, { attributeFilter: ['style'] })
    window.addEventListener('resize', measure)
    return () => {
      sizes.disconnect()
      rooms.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [frame])
  return margin
}

/** Tells once that all of a loaded picture is in the window, under nothing that sticks to it. */
function useTellWhenSeen(
  strip: RefObject<HTMLElement | null>,
  uncoveredMargin: string | null,
  isLoaded: boolean,
  onSeen: () => void,
): void {
  const tell = useEffectEvent(onSeen)
  useEffect(() => {
    const element = strip.current
    if (element === null || uncoveredMargin === null || !isLoaded) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ intersectionRatio }) => intersectionRatio >= WHOLE)) return
        observer.disconnect()
        tell()
      },
      { threshold: WHOLE, rootMargin: uncoveredMargin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [strip, uncoveredMargin, isLoaded])
}

/**
 * What sticks to the top of the window covers so much of it, in pixels.
 * @param frame the picture of the video, which may stick below the header
 */
export function coveredAbove(frame: HTMLElement | null): number {
  const isStuck = frame !== null && getComputedStyle(frame).position === 'sticky'
  return HEADER_PX + (isStuck ? frame.offsetHeight : 0)
}

/** What the bar at the bottom of the window takes away; see `useScrollRoom`. */
function barRoom(): number {
  const room = getComputedStyle(document.documentElement).getPropertyValue('--bar-room')
  return Number.parseFloat(room) || 0
}
