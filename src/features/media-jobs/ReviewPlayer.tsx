import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { lengthWords } from '#src/lib/time-words.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { CoverOverlay } from './CoverOverlay.tsx'
import type { Desk } from './use-desk.ts'
import { VIDEO, type ReviewPictures } from './use-review-pictures.ts'
import type { ReviewVideo } from './use-review-video.ts'

/** A picture of the server's copy. */
const PICTURE_MS = 1000 / 15
const LEAP_MS = 1000

/**
 * The video with everything that is covered at its place, and the controls to go through it. On
 * phones `frame`, the picture, stays in view while the faces below are looked through; an upright
 * one would leave no room for them.
 */
export function ReviewPlayer({
  desk,
  video,
  pictures,
  frame,
}: {
  readonly desk: Desk
  readonly video: ReviewVideo
  readonly pictures: ReviewPictures
  readonly frame: RefObject<HTMLDivElement | null>
}) {
  const { element, isPlaying, setIsPlaying, toggle, goToPlace } = usePlayback(desk, pictures.tries)
  return (
    <section aria-label="Video" className="max-sm:contents">
      <div
        ref={frame}
        className={classNames(
          'relative mx-auto w-full scroll-mt-16 overflow-hidden rounded-control bg-black',
          desk.review.width >= desk.review.height &&
            'max-sm:sticky max-sm:top-16 max-sm:z-10 short:relative',
        )}
        style={{
          aspectRatio: `${desk.review.width} / ${desk.review.height}`,
          maxWidth: `calc(60dvh * ${desk.review.width} / ${desk.review.height})`,
        }}
      >
        <video
          ref={element}
          src={video.address}
          muted
          playsInline
          preload="auto"
          aria-label="The video, without sound"
          className="absolute inset-0 size-full object-fill"
          onPlay={() => setIsPlaying(true)}
          onPause={() => setIsPlaying(false)}
          onLoadedMetadata={goToPlace}
          onLoadedData={() => pictures.tell(VIDEO, true)}
          onError={() => {
            video.giveUpLocal()
            setIsPlaying(false)
            pictures.tell(VIDEO, false)
          }}
        />
        <CoverOverlay desk={desk} />
      </div>
      {pictures.isVideoMissing ? <NoPictures onTryAgain={pictures.tryAgain} /> : null}
      <Transport desk={desk} isPlaying={isPlaying} onToggle={toggle} />
    </section>
  )
}

function NoPictures({ onTryAgain }: { readonly onTryAgain: () => void }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status" className="text-sm text-ink-muted">
        The pictures of the video cannot be shown now. The boxes stay where they are. The pictures
        come back with the connection.
      </p>
      <Button variant="secondary" size="small" onPress={onTryAgain}>
        Try again
      </Button>
    </div>
  )
}

function Transport({
  desk: { atMs, setAtMs, review },
  isPlaying,
  onToggle,
}: {
  readonly desk: Desk
  readonly isPlaying: boolean
  readonly onToggle: () => void
}) {
  const place = `${lengthWords(atMs)} of ${lengthWords(review.durationMs)}`
  const by = (ms: number) => () => setAtMs(atMs + ms)
  return (
    <div className="mt-3 flex flex-col gap-1">
      <input
        type="range"
        aria-label="Place in the video"
        aria-valuetext={place}
        min={0}
        max={Math.round(review.durationMs)}
        step={100}
        value={atMs}
        onChange={(event) => setAtMs(Number(event.target.value))}
        className="h-11 w-full cursor-pointer accent-accent"
      />
      <div className="flex flex-wrap items-center justify-center gap-1">
        <IconButton label="One second back" icon={<SkipBack />} onPress={by(-LEAP_MS)} />
        <IconButton label="One picture back" icon={<StepBack />} onPress={by(-PICTURE_MS)} />
        <IconButton
          label={isPlaying ? 'Pause' : 'Play'}
          icon={isPlaying ? <Pause /> : <Play />}
          onPress={onToggle}
        />
        <IconButton label="One picture on" icon={<StepForward />} onPress={by(PICTURE_MS)} />
        <IconButton label="One second on" icon={<SkipForward />} onPress={by(LEAP_MS)} />
        <span className="ml-2 text-sm text-ink-muted tabular-nums">{place}</span>
      </div>
    </div>
  )
}

/**
 * The video goes where the screen says; while it plays, the screen follows it. A video that failed
 * is loaded again at each try.
 */
function usePlayback({ atMs, setAtMs }: Desk, tries: number) {
  const element = useRef<HTMLVideoElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const tell = useEffectEvent(setAtMs)
  useEffect(() => {
    const video = element.current
    if (video === null || isPlaying || Math.abs(video.currentTime * 1000 - atMs) < 1) return
    video.currentTime = atMs / 1000
  }, [atMs, isPlaying])
  useEffect(() => {
    if (!isPlaying) return undefined
    let frame = 0
    const look = (): void => {
      if (element.current !== null) tell(element.current.currentTime * 1000)
      frame = requestAnimationFrame(look)
    }
    frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
  useEffect(() => {
    if (element.current?.error != null) element.current.load()
  }, [tries])
  // What is loaded again begins at its start.
  const goToPlace = () => {
    if (element.current !== null) element.current.currentTime = atMs / 1000
  }
  const toggle = () => {
    if (isPlaying) element.current?.pause()
    else void element.current?.play().catch(() => setIsPlaying(false))
  }
  return { element, isPlaying, setIsPlaying, toggle, goToPlace }
}
