import type { PricingStrategy } from './pricing.ts'

/**
 * One edit format as it is offered. What it does to a video lives in the recipe of the same slug,
 * if there is one.
 */
export interface CataloguePreset {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly tab: 'promotional' | 'full-scene'
  readonly badge: 'popular' | 'new' | null
  readonly hasOptions: boolean
  readonly pricingStrategies: readonly PricingStrategy[]
  readonly imageUrl: string
}

type Entry = Omit<CataloguePreset, 'tab' | 'imageUrl' | 'badge' | 'hasOptions'> &
  Partial<Pick<CataloguePreset, 'badge' | 'hasOptions'>>

const fixed = (coinAmountPerUnit: number): readonly PricingStrategy[] => [
  { pricingStrategySlug: 'per-unit', coinAmountPerUnit },
]
const perMinute = (coinAmountPerUsageUnit: number): readonly PricingStrategy[] => [
  { pricingStrategySlug: 'usage-based', coinAmountPerUsageUnit, usageUnit: 'source-video-minutes' },
]
const perSecond = (coinAmountPerUsageUnit: number): readonly PricingStrategy[] => [
  { pricingStrategySlug: 'usage-based', coinAmountPerUsageUnit, usageUnit: 'source-video-seconds' },
]

// The order is the order on screen.
const promotional: readonly Entry[] = [
  {
    slug: 'social-media-gif-pack',
    name: 'Social Media GIF Pack',
    description:
      'Three short GIFs of your best moments (square, wide and upright) and a muted looping clip for networks that do not take GIFs.',
    badge: 'popular',
    pricingStrategies: fixed(250),
  },
  {
    slug: 'still-pack',
    name: 'Still Pack',
    description:
      'Twelve of the sharpest frames at full resolution, one by one and as a ZIP, with a contact sheet to choose from.',
    badge: 'new',
    pricingStrategies: fixed(150),
  },
  {
    slug: 'blur-video-and-audio',
    name: 'Blurred Video and Audio',
    description:
      'The whole video with picture and sound softened, to show what waits behind the paywall without giving it away.',
    badge: 'new',
    pricingStrategies: perMinute(15),
  },
  {
    slug: 'teaser-15s',
    name: '15s Teaser',
    description:
      'The best moments in 15 seconds, with smooth cuts and even loudness: ready to post.',
    badge: 'popular',
    pricingStrategies: fixed(300),
  },
  {
    slug: 'teaser-60s',
    name: '60s Teaser',
    description:
      'One minute that tells the story of the scene in order, with smooth cuts and even loudness.',
    pricingStrategies: fixed(600),
  },
  {
    slug: 'tube-cut',
    name: 'Tube Cut',
    description: 'A shorter version of the scene in longer passages, at the length you choose.',
    hasOptions: true,
    pricingStrategies: fixed(400),
  },
  {
    slug: 'team-skeet-trailer',
    name: 'Brand Trailer',
    description:
      'A 60 second trailer between the opening and closing logos of your brand, with music if you like.',
    hasOptions: true,
    pricingStrategies: fixed(900),
  },
  {
    slug: 'team-skeet-thumbnail-video',
    name: 'Thumbnail Video',
    description:
      'A few silent seconds that play when a visitor hovers over your video in a listing.',
    pricingStrategies: fixed(300),
  },
  {
    slug: 'short-trailer-gif',
    name: 'Short Trailer GIF',
    description: 'A trailer of a few seconds as one GIF, small enough to send in a message.',
    hasOptions: true,
    pricingStrategies: fixed(200),
  },
  {
    slug: 'dynamic-watermark',
    name: 'Dynamic Watermark',
    description:
      'The whole video with your name or social tag, which keeps moving so that it cannot be cropped away.',
    hasOptions: true,
    pricingStrategies: perMinute(20),
  },
  {
    slug: 'uniform-sampling',
    name: 'Uniform Sampling',
    description:
      'A summary made of evenly spaced moments; you choose how many, how long, and what to leave out at both ends.',
    badge: 'new',
    hasOptions: true,
    pricingStrategies: fixed(350),
  },
]

const fullScene: readonly Entry[] = [
  {
    slug: 'example-low-resolution-video',
    name: 'Low Resolution Copy',
    description: 'The whole video as a small 480p file, for quick sharing and slow connections.',
    pricingStrategies: fixed(50),
  },
  {
    slug: 'example-high-resolution-video',
    name: 'High Resolution Copy',
    description: 'The whole video as a clean, high quality file that plays on every device.',
    pricingStrategies: perSecond(1),
  },
  {
    slug: 'denoised-full-scene',
    name: 'Denoised Scene',
    description: 'The whole video with less grain in the picture and less hiss in the sound.',
    pricingStrategies: perMinute(25),
  },
  {
    slug: 'enhanced-audio-full-scene',
    name: 'Enhanced Audio',
    description:
      'The whole video with clearer voices and even loudness; the picture stays untouched.',
    pricingStrategies: perMinute(15),
  },
  {
    slug: 'remove-background-music',
    name: 'Remove Background Music',
    description:
      'The whole video with music turned down behind the voices, so that a platform does not mute it.',
    pricingStrategies: perMinute(30),
  },
  {
    slug: 'face-blurred-full-scene',
    name: 'Face Blur',
    description: 'The whole video with every face blurred, from the first frame to the last.',
    pricingStrategies: perMinute(60),
  },
  {
    slug: 'voice-mask-full-scene',
    name: 'Voice Mask',
    description:
      'The whole video with voices changed so that nobody is recognised by how they sound.',
    pricingStrategies: perMinute(20),
  },
  {
    slug: 'incognito-full-scene',
    name: 'Incognito Scene',
    description:
      'The whole video with faces blurred and, if you choose, voices changed: private in one go.',
    hasOptions: true,
    pricingStrategies: perMinute(75),
  },
]

const inTab =
  (tab: CataloguePreset['tab']) =>
  (entry: Entry): CataloguePreset => ({
    badge: null,
    hasOptions: false,
    ...entry,
    tab,
    imageUrl: `/presets/${entry.slug}.webp`,
  })

/**
 * All 19 presets of the specification in the order of the screen, promotional tab first. A server
 * offers those that have a recipe (registry.ts).
 */
export const catalogue: readonly CataloguePreset[] = [
  ...promotional.map(inTab('promotional')),
  ...fullScene.map(inTab('full-scene')),
]

/** The preset with this slug, or undefined. */
export function findPreset(slug: string): CataloguePreset | undefined {
  return catalogue.find((preset) => preset.slug === slug)
}
