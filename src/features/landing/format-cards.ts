import type { FormatSlug, FrontPage } from './front-page.ts'
import { TEASER_SHORT_SECONDS } from '#spec/numbers.ts'

/** A format as the front page shows it. */
export interface FormatCard {
  readonly slug: FormatSlug
  readonly name: string
  readonly text: string
  /** A loop of what the recipe made, without its ending; null: the picture of the catalogue. */
  readonly loop: string | null
}

const SHOWN = 3

/** The three of the specification first; those after them stand in for what a server has not. */
const CARDS: readonly FormatCard[] = [
  {
    slug: 'teaser-15s',
    name: `${TEASER_SHORT_SECONDS}s teaser`,
    text: 'The strongest moments of a full scene in fifteen seconds, ready to post.',
    loop: '/landing/teaser-15s',
  },
  {
    slug: 'social-media-gif-pack',
    name: 'Social GIF pack',
    text: 'Short silent loops from across the video, sized for feeds and messages.',
    loop: '/landing/social-media-gif-pack',
  },
  {
    slug: 'face-blurred-full-scene',
    name: 'Face blurring',
    text: 'Faces that a search finds are blurred through the whole scene, once you have looked and added what it missed.',
    loop: null,
  },
  {
    slug: 'dynamic-watermark',
    name: 'Moving watermark',
    text: 'Your name drifts through the whole scene, so that a copy always says whose it is.',
    loop: '/landing/dynamic-watermark',
  },
  {
    slug: 'still-pack',
    name: 'Still pack',
    text: 'Twelve sharp stills from across the video, with a contact sheet and one archive.',
    loop: null,
  },
  {
    slug: 'tube-cut',
    name: 'Tube cut',
    text: 'A shorter cut in the length that you choose, for the sites that show the beginning.',
    loop: null,
  },
]

/** The formats to show, at most three: only those that this server offers. */
export function formatCards({ formats }: Pick<FrontPage, 'formats'>): readonly FormatCard[] {
  const offered = new Set(formats.map(({ slug }) => slug))
  return CARDS.filter(({ slug }) => offered.has(slug)).slice(0, SHOWN)
}

/** What the free tokens are enough for, in one sentence; null where nothing has a fixed price. */
export function freeEditHint(
  { formats }: Pick<FrontPage, 'formats'>,
  freeTokens: number,
): string | null {
  const priced = CARDS.flatMap(({ slug, name }) => {
    const strategy = formats.find((format) => format.slug === slug)?.pricingStrategies[0]
    return strategy?.pricingStrategySlug === 'per-unit' && strategy.coinAmountPerUnit <= freeTokens
      ? [{ name, tokens: strategy.coinAmountPerUnit }]
      : []
  })
  const [first] = priced
  if (first === undefined) return null
  return `A ${first.name} takes ${first.tokens.toLocaleString('en-US')} of them; edits of whole scenes are priced by the minute, and a long one can take more.`
}
