import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCalm } from '#src/hooks/device/use-calm.ts'
import { classNames } from '#src/ui/class-names.ts'

/**
 * A silent loop that plays while it can be seen, and a button that stops it. It neither starts nor
 * loads by itself under reduced motion or the data saver.
 */
export function LoopVideo({
  path,
  poster,
  label,
  className,
}: {
  /** Of the files, without the ending. */
  readonly path: string
  readonly poster: string
  /** What the button plays and pauses. */
  readonly label: string
  readonly className?: string
}) {
  const { video, isPaused, setPaused, toggle } = usePlayback()
  return (
    <>
      <video
        ref={video}
        preload="none"
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden
        tabIndex={-1}
        poster={poster}
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        className={classNames('size-full object-cover', className)}
      >
        <source src={`${path}.webm`} type="video/webm" />
        <source src={`${path}.mp4`} type="video/mp4" />
      </video>
      <button
        type="button"
        onClick={toggle}
        aria-label={`${isPaused ? 'Play' : 'Pause'} ${label}`}
        className="absolute right-3 bottom-3 grid size-11 cursor-pointer place-items-center rounded-full border border-white/30 bg-black/55 text-white transition hover:bg-black/75 focus-visible:outline-white"
      >
        {isPaused ? (
          <Play aria-hidden className="size-4.5" />
        ) : (
          <Pause aria-hidden className="size-4.5" />
        )}
      </button>
    </>
  )
}

/** Plays while it can be seen, until the person stops it. */
function usePlayback() {
  const isCalm = useCalm()
  const video = useRef<HTMLVideoElement>(null)
  const [isPaused, setPaused] = useState(true)
  const isStopped = useRef(false)
  useEffect(() => {
    const element = video.current
    if (element === null || isCalm) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) element.pause()
      else if (!isStopped.current) void element.play().catch(() => undefined)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      element.pause()
    }
  }, [isCalm])
  const toggle = () => {
    const element = video.current
    if (element === null) return
    isStopped.current = !element.paused
    if (element.paused) void element.play().catch(() => undefined)
    else element.pause()
  }
  return { video, isPaused, setPaused, toggle }
}
