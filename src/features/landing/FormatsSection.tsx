import { Globe, MonitorPlay, Share2 } from 'lucide-react'
import { FormatArt } from './FormatArt.tsx'
import type { FormatArtKind } from './FormatArt.tsx'
import { SectionHeading } from './SectionHeading.tsx'
import { TEASER_SHORT_SECONDS } from '#spec/numbers.ts'
import { Card } from '#src/ui/Card.tsx'

const formats: readonly {
  readonly art: FormatArtKind
  readonly name: string
  readonly text: string
}[] = [
  {
    art: 'teaser',
    name: `${TEASER_SHORT_SECONDS}s teaser`,
    text: 'The strongest moments of a full scene in fifteen seconds, ready to post.',
  },
  {
    art: 'gifs',
    name: 'Social GIF pack',
    text: 'Short silent loops from across the video, sized for feeds and messages.',
  },
  {
    art: 'blur',
    name: 'Face blurring',
    text: 'Faces found and blurred through the whole scene, so that you decide who is seen.',
  },
]

/** Kinds of sites instead of brands, whose marks the product may not show. */
const platforms = [
  { icon: Share2, name: 'Social networks' },
  { icon: MonitorPlay, name: 'Video-hosting sites' },
  { icon: Globe, name: 'Subscription sites' },
] as const

/** Three formats and where their results are used. */
export function FormatsSection() {
  return (
    <section
      aria-labelledby="formats"
      className="mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8"
    >
      <SectionHeading id="formats" title="Powerful Edit Formats">
        Pick one or ten for the same upload. New formats as they are released.
      </SectionHeading>
      <ul className="grid gap-6 md:grid-cols-3">
        {formats.map((format) => (
          <Card
            key={format.name}
            as="li"
            isFlush
            className="overflow-hidden transition duration-300 hover:-translate-y-1 hover:shadow-2"
          >
            <FormatArt kind={format.art} />
            <div className="p-6">
              <h3 className="text-xl font-semibold">{format.name}</h3>
              <p className="mt-2 text-ink-muted">{format.text}</p>
            </div>
          </Card>
        ))}
      </ul>
      <p className="mt-14 text-center text-sm font-medium text-ink-faint">
        Works with creator platforms
      </p>
      <ul className="mt-4 flex flex-wrap items-center justify-center gap-x-10 gap-y-4">
        {platforms.map(({ icon: Icon, name }) => (
          <li key={name} className="flex items-center gap-2.5 text-lg font-semibold text-ink-muted">
            <Icon aria-hidden className="size-6" />
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
