import { ChevronLeft, ChevronRight, Play, Quote } from 'lucide-react'
import { useReducer } from 'react'
import { roleLabel, SHOWS_ADULT } from './audience.ts'
import { initialCarousel, stepCarousel } from './carousel.ts'
import type { CarouselEvent, CarouselState } from './carousel.ts'
import { SectionHeading } from './SectionHeading.tsx'
import { EXAMPLE_TESTIMONIALS } from './testimonials.ts'
import type { FrontPage, Testimonial } from './front-page.ts'
import { Card } from '#src/ui/Card.tsx'

/** What creators say, one at a time. It moves only when the visitor asks. */
export function TestimonialsSection({ testimonials: published }: Pick<FrontPage, 'testimonials'>) {
  const testimonials = published ?? EXAMPLE_TESTIMONIALS
  const [state, dispatch] = useReducer(
    (before: CarouselState, event: CarouselEvent) =>
      stepCarousel(testimonials.length, before, event),
    initialCarousel,
  )
  const item = testimonials[state.index]
  if (item === undefined) return null
  return (
    <section
      aria-labelledby="voices"
      aria-roledescription="carousel"
      className="laid-out-late [--late-narrow:64.2rem] [--late-wide:33.9rem] mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8"
    >
      <SectionHeading id="voices" title="Made for the way you work" />
      <Card isFlush className="mx-auto max-w-4xl overflow-hidden">
        <div
          role="group"
          aria-roledescription="slide"
          aria-label={`${state.index + 1} of ${testimonials.length}`}
          aria-live="polite"
          className="grid sm:grid-cols-[minmax(0,17rem)_1fr]"
        >
          <Clip
            key={item.id}
            item={item}
            isPlaying={state.isPlaying}
            onPlay={() => dispatch({ kind: 'play' })}
            onEnd={() => dispatch({ kind: 'ended' })}
          />
          <Words item={item} />
        </div>
      </Card>
      <Controls items={testimonials} index={state.index} dispatch={dispatch} />
      {published === null ? (
        <p className="mt-4 text-center text-sm text-ink-faint">
          Examples: these people are made up, until creators who use this server speak here.
        </p>
      ) : null}
    </section>
  )
}

function Words({ item }: { readonly item: Testimonial }) {
  return (
    <figure className="flex flex-col justify-center p-7 sm:p-10">
      <Quote aria-hidden className="size-8 text-accent-line" />
      <blockquote className="mt-4 text-xl leading-relaxed font-medium">{item.quote}</blockquote>
      <figcaption className="mt-6">
        <span className="block font-semibold">{item.name}</span>
        <span className="block text-ink-muted">{roleLabel(item.role, SHOWS_ADULT)}</span>
        <a
          href={item.url}
          rel="noopener nofollow"
          target="_blank"
          className="text-sm text-accent underline decoration-accent-line underline-offset-4"
        >
          {new URL(item.url).hostname}
        </a>
      </figcaption>
    </figure>
  )
}

function Controls({
  items,
  index,
  dispatch,
}: {
  readonly items: readonly Testimonial[]
  readonly index: number
  readonly dispatch: (event: CarouselEvent) => void
}) {
  return (
    <div className="mt-6 flex items-center justify-center gap-3">
      <button
        type="button"
        aria-label="Previous testimonial"
        onClick={() => dispatch({ kind: 'previous' })}
        className="grid size-11 cursor-pointer place-items-center rounded-full border border-line bg-surface text-ink-muted transition hover:bg-surface-sunken hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-5" />
      </button>
      {items.map((other, at) => (
        <button
          key={other.id}
          type="button"
          aria-label={`Testimonial ${at + 1}: ${other.name}`}
          aria-current={at === index}
          onClick={() => dispatch({ kind: 'jump', index: at })}
          className="group grid size-8 cursor-pointer place-items-center rounded-full pointer-coarse:size-11"
        >
          <span className="size-2.5 rounded-full bg-line-control transition group-aria-[current=true]:w-6 group-aria-[current=true]:bg-accent" />
        </button>
      ))}
      <button
        type="button"
        aria-label="Next testimonial"
        onClick={() => dispatch({ kind: 'next' })}
        className="grid size-11 cursor-pointer place-items-center rounded-full border border-line bg-surface text-ink-muted transition hover:bg-surface-sunken hover:text-ink"
      >
        <ChevronRight aria-hidden className="size-5" />
      </button>
    </div>
  )
}

interface ClipProps {
  readonly item: Testimonial
  readonly isPlaying: boolean
  readonly onPlay: () => void
  readonly onEnd: () => void
}

function Clip({ item, isPlaying, onPlay, onEnd }: ClipProps) {
  if (isPlaying) {
    return (
      <video
        src={item.videoUrl}
        poster={item.thumbnailUrl}
        autoPlay
        controls
        playsInline
        aria-label={`Video of ${item.name}`}
        onEnded={onEnd}
        onError={onEnd}
        className="aspect-4/5 size-full bg-black object-cover"
      />
    )
  }
  return (
    <button
      type="button"
      onClick={onPlay}
      aria-label={`Play the video of ${item.name}`}
      className="group relative block aspect-4/5 w-full cursor-pointer overflow-hidden bg-[#2a1740] text-left"
    >
      <img
        src={item.thumbnailUrl}
        alt=""
        loading="lazy"
        decoding="async"
        width={576}
        height={720}
        className="size-full object-cover transition duration-500 group-hover:scale-105"
      />
      <span className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-white/90 text-[#3b2fb5] shadow-2 transition group-hover:scale-110">
        <Play aria-hidden className="ml-1 size-7" fill="currentColor" />
      </span>
    </button>
  )
}
