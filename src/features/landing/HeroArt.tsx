import { Check } from 'lucide-react'
import { formatCards } from './format-cards.ts'
import type { FrontPage } from './front-page.ts'

/** Shows the idea: one scene goes in, finished edits come out. Decorative. */
export function HeroArt({ facts }: { readonly facts: FrontPage | null }) {
  const outputs = facts === null ? [] : formatCards(facts)
  return (
    <div aria-hidden className="relative mx-auto w-full max-w-md lg:max-w-none">
      <div className="rounded-3xl border border-white/15 bg-[#0c0c18]/75 p-4 shadow-2xl sm:p-6">
        <div className="flex flex-wrap items-center justify-between gap-x-2 text-sm text-white/75">
          <span className="font-medium text-white">coast-and-hills.mp4</span>
          <span className="tabular-nums">0:48</span>
        </div>
        <img
          src="/landing/strip.webp"
          alt=""
          loading="lazy"
          decoding="async"
          width={640}
          height={160}
          className="mt-3 w-full rounded-xl"
        />
        <div className="mt-3 h-1.5 overflow-hidden rounded-full bg-white/15">
          <div className="h-full w-full rounded-full bg-linear-to-r from-[#7c72ff] to-[#d26bff]" />
        </div>
        <div className="mt-5 grid gap-2.5">
          {outputs.map(({ slug, name, loop }) => (
            <div
              key={slug}
              className="flex items-center gap-3 rounded-2xl border border-white/12 bg-black/25 p-2.5 pr-3.5"
            >
              <img
                // The picture that the page loads below as well.
                src={loop === null ? `/presets/${slug}.webp` : `${loop}.webp`}
                alt=""
                loading="lazy"
                decoding="async"
                width={640}
                height={400}
                className="aspect-8/5 h-12 w-auto shrink-0 rounded-lg object-cover"
              />
              <span className="min-w-0 flex-1 font-semibold">{name}</span>
              <span className="grid size-7 place-items-center rounded-full bg-[#22c07a]/20 text-[#6ee7b0]">
                <Check className="size-4" strokeWidth={3} />
              </span>
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
