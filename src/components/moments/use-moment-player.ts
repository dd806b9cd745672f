import { useEffect, useRef, useState } from 'react'
import { useCalm, useHovers } from '#src/hooks/device/use-calm.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { playedOf, type PlayedStretch, type UploadMoments } from '#src/local/edits/moment-boards.ts'

/** Plays stretches of a board in their tiles, silently and one at a time. */
export interface MomentPlayer {
  /** The tile that plays; null while none does. */
  readonly playing: string | null
  /** Tiles play under the pointer and the focus of the keyboard; else each has a button. */
  readonly isByItself: boolean
  /** The video could not be loaded when it was last played. */
  readonly hasFailed: boolean
  /** What of a stretch can be played; null for nothing. */
  playedOf(stretch: Stretch): PlayedStretch | null
  play(tile: string): void
  /** Stops this tile; harmless while another one plays. */
  stop(tile: string): void
  /** Shows a stretch in a place of the page again and again, until the returned end is called. */
  showIn(place: HTMLElement, played: PlayedStretch): () => void
}

/** Half a picture of the video, so that none after the stretch is seen. */
const HALF_PICTURE_S = 1 / 24

/** @param video null plays nothing */
export function useMomentPlayer(video: UploadMoments['video']): MomentPlayer {
  const isCalm = useCalm()
  const hovers = useHovers()
  const [playing, setPlaying] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  // One element for all tiles: it keeps what it has loaded while it moves from one to another.
  const element = useRef<HTMLVideoElement | null>(null)
  const address = video?.url ?? null
  useEffect(() => {
    return () => {
      element.current?.removeAttribute('src')
      element.current?.load()
      element.current = null
    }
  }, [address])
  return {
    playing,
    isByItself: hovers && !isCalm,
    hasFailed,
    playedOf: (stretch) => (video === null ? null : playedOf(video, stretch)),
    play: (tile) => {
      setFailed(false)
      setPlaying(tile)
    },
    stop: (tile) => setPlaying((now) => (now === tile ? null : now)),
    showIn: (place, played) => {
      if (address === null) return () => undefined
      element.current ??= silentVideo(address)
      return loopIn(place, element.current, played, () => {
        // Another try loads it again.
        element.current = null
        setFailed(true)
        setPlaying(null)
      })
    },
  }
}

function silentVideo(address: string): HTMLVideoElement {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.disablePictureInPicture = true
  video.preload = 'auto'
  video.ariaHidden = 'true'
  video.className = 'absolute inset-0 size-full object-cover'
  video.src = address
  return video
}

/** Plays from one point to the other until the returned end; unseen before the first picture. */
function loopIn(
  place: HTMLElement,
  video: HTMLVideoElement,
  { fromS, toS }: PlayedStretch,
  onFailure: () => void,
): () => void {
  const begin = (): void => {
    video.currentTime = fromS
    // Refused where the end came first.
    if (video.paused) void video.play().catch(() => undefined)
  }
  const show = (): void => {
    video.style.visibility = 'visible'
  }
  const isOutside = (): boolean =>
    video.ended ||
    video.currentTime >= toS - HALF_PICTURE_S ||
    video.currentTime < fromS - HALF_PICTURE_S
  let frame = 0
  const look = (): void => {
    if (!video.seeking && isOutside()) begin()
    frame = requestAnimationFrame(look)
  }
  video.style.visibility = 'hidden'
  const shownAt = ['seeked', 'playing'] as const
  for (const event of shownAt) video.addEventListener(event, show)
  // A browser without a decoder for the pictures plays their sound alone.
  const lookForPictures = (): void => {
    if (video.videoWidth === 0) onFailure()
  }
  video.addEventListener('loadeddata', lookForPictures)
  video.addEventListener('error', onFailure)
  place.append(video)
  begin()
  look()
  return () => {
    cancelAnimationFrame(frame)
    for (const event of shownAt) video.removeEventListener(event, show)
    video.removeEventListener('loadeddata', lookForPictures)
    video.removeEventListener('error', onFailure)
    video.pause()
    video.remove()
  }
}
