import { Globe, MonitorPlay, Share2 } from 'lucide-react'
import { formatCards, type FormatCard } from './format-cards.ts'
import type { FrontPage } from './front-page.ts'
import { LoopVideo } from './LoopVideo.tsx'
import { SectionHeading } from './SectionHeading.tsx'
import { Card } from '#src/ui/Card.tsx'

/** Kinds of sites instead of brands, whose marks the product may not show. */
const platforms = [
  { icon: Share2, name: 'Social networks' },
  { icon: MonitorPlay, name: 'Video-hosting sites' },
  { icon: Globe, name: 'Subscription sites' },
] as const

/** Three formats that this server makes, and where their results are used. */
export function FormatsSection({ facts }: { readonly facts: FrontPage }) {
  const cards = formatCards(facts)
  return (
    <section
      aria-labelledby="formats"
      className="mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8"
    >
      <SectionHeading id="formats" title="Powerful Edit Formats">
        {cards.length === 0
          ? 'This server makes no edits at the moment.'
          : 'Pick one or ten for the same upload. New formats as they are released.'}
      </SectionHeading>
      <ul className="grid gap-6 md:grid-cols-3">
        {cards.map((card) => (
          <Card key={card.slug} as="li" isFlush className="overflow-hidden">
            <div className="relative aspect-video bg-[#131127]">
              <CardPicture card={card} />
            </div>
            <div className="p-6">
              <h3 className="text-xl font-semibold">{card.name}</h3>
              <p className="mt-2 text-ink-muted">{card.text}</p>
            </div>
          </Card>
        ))}
      </ul>
      {cards.length === 0 ? null : (
        <p className="mt-5 text-center text-sm text-ink-faint">
          Made by these formats from landscapes that we drew ourselves.
        </p>
      )}
      <h3 className="mt-14 text-center text-sm font-medium text-ink-faint">
        Works with creator platforms
      </h3>
      <ul className="mt-4 flex flex-wrap items-center justify-center gap-x-10 gap-y-4">
        {platforms.map(({ icon: Icon, name }) => (
          <li
            key={name}
            className="flex items-center gap-2.5 text-lg font-semibold wrap-anywhere text-ink-muted"
          >
            <Icon aria-hidden className="size-6" />
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}

function CardPicture({ card }: { readonly card: FormatCard }) {
  if (card.loop !== null)
    return (
      <LoopVideo path={card.loop} poster={`${card.loop}.webp`} label={`the ${card.name} example`} />
    )
  return (
    <img
      src={`/presets/${card.slug}.webp`}
      alt=""
      loading="lazy"
      decoding="async"
      width={640}
      height={400}
      className="size-full object-cover"
    />
  )
}
