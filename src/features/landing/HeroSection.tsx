import { Pause, Play, ShieldCheck, Sparkles, Timer } from 'lucide-react'
import { useRef, useState } from 'react'
import { audience, SHOWS_ADULT } from './audience.ts'
import { HeroArt } from './HeroArt.tsx'
import { useCalm } from './use-calm.ts'
import { CLAIM_HOURS_RECLAIMED_PER_WEEK } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

const promises = [
  { icon: Sparkles, text: 'First edit free' },
  { icon: Timer, text: 'Same-day delivery on most edits' },
  { icon: ShieldCheck, text: 'Privacy-first, you keep all rights' },
] as const

/**
 * The first section: what the product is, over a looping background video that can be paused. The
 * video does not start under reduced motion or the data saver.
 */
export function HeroSection() {
  return (
    <section className="relative isolate overflow-hidden bg-[#0c0c18] text-white">
      <BackgroundVideo />
      <div className="mx-auto grid w-full max-w-content items-center gap-12 px-4 py-16 sm:px-6 sm:py-24 lg:grid-cols-[1.1fr_1fr] lg:px-8 lg:py-32">
        <div>
          <p className="mb-5 inline-flex items-center rounded-full border border-white/20 bg-white/10 px-3.5 py-1 text-sm font-medium text-white/90">
            One-click video edits for {audience(SHOWS_ADULT)}
          </p>
          <h1 className="text-4xl leading-[1.08] font-bold sm:text-6xl">
            Spend Less Time Editing, More Time Living
          </h1>
          <p className="mt-6 max-w-xl text-lg text-white/80 sm:text-xl">
            Upload a video, pick the formats, download finished edits. Creators reclaim{' '}
            {CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly.
          </p>
          <div className="mt-9">
            <LinkButton to={paths.signUp} size="large">
              Get Your First Edit Free
            </LinkButton>
          </div>
          <ul className="mt-9 flex flex-wrap gap-x-6 gap-y-3 text-sm text-white/80">
            {promises.map(({ icon: Icon, text }) => (
              <li key={text} className="flex items-center gap-2">
                <Icon aria-hidden className="size-4.5 text-[#b9b2ff]" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <HeroArt />
      </div>
    </section>
  )
}

function BackgroundVideo() {
  const isCalm = useCalm()
  const video = useRef<HTMLVideoElement>(null)
  const [isPaused, setPaused] = useState(isCalm)
  const toggle = () => {
    if (video.current?.paused === true) void video.current.play().catch(() => setPaused(true))
    else video.current?.pause()
  }
  return (
    <>
      <video
        ref={video}
        key={isCalm ? 'still' : 'moving'}
        autoPlay={!isCalm}
        preload={isCalm ? 'none' : 'metadata'}
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden
        tabIndex={-1}
        poster="/landing/hero.jpg"
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        className="absolute inset-0 -z-10 size-full object-cover opacity-80"
      >
        <source src="/landing/hero.webm" type="video/webm" />
        <source src="/landing/hero.mp4" type="video/mp4" />
      </video>
      <div
        aria-hidden
        className="absolute inset-0 -z-10 bg-linear-to-t from-[#0c0c18] via-[#0c0c18]/25 to-[#0c0c18]/50"
      />
      <button
        type="button"
        onClick={toggle}
        aria-label={isPaused ? 'Play the background video' : 'Pause the background video'}
        className="absolute right-4 bottom-4 grid size-11 cursor-pointer place-items-center rounded-full border border-white/25 bg-black/40 text-white transition hover:bg-black/60 focus-visible:outline-white"
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
