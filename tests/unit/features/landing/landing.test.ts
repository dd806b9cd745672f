import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { audience, roleLabel } from '#src/features/landing/audience.ts'
import { initialCarousel, stepCarousel } from '#src/features/landing/carousel.ts'
import type { CarouselEvent } from '#src/features/landing/carousel.ts'
import { formatCards, freeEditHint } from '#src/features/landing/format-cards.ts'
import { EXAMPLE_TESTIMONIALS as testimonials } from '#src/features/landing/testimonials.ts'
import { catalogue } from '#recipes/presets.ts'

it('APP-14 the setting shows or hides the word adult, also before the roles', () => {
  expect(audience(true)).toBe('adult creators')
  expect(audience(false)).toBe('creators')
  expect(roleLabel('Content Creator', true)).toBe('Adult Content Creator')
  expect(roleLabel('Content Creator', false)).toBe('Content Creator')
})

it('LND-04 there are two built-in testimonials, complete and different', () => {
  expect(testimonials).toHaveLength(2)
  for (const item of testimonials) {
    expect(item.role).toBe('Content Creator')
    expect(new URL(item.url).protocol).toBe('https:')
    for (const text of [item.name, item.quote, item.videoUrl, item.thumbnailUrl])
      expect(text).not.toBe('')
  }
  expect(new Set(testimonials.map((item) => item.id)).size).toBe(2)
})

const formatsOf = (...slugs: readonly string[]) => ({
  formats: catalogue
    .filter(({ slug }) => slugs.includes(slug))
    .map(({ slug, name, pricingStrategies }) => ({
      slug,
      name,
      pricingStrategies: [...pricingStrategies],
    })),
})

it('LND-02 the cards show the three formats of the specification, and others for those that a server has not', () => {
  const names = (...slugs: readonly string[]) =>
    formatCards(formatsOf(...slugs)).map(({ name }) => name)
  expect(names(...catalogue.map(({ slug }) => slug))).toEqual([
    '15s teaser',
    'Social GIF pack',
    'Face blurring',
  ])
  expect(names('dynamic-watermark', 'still-pack', 'teaser-15s', 'tube-cut')).toEqual([
    '15s teaser',
    'Moving watermark',
    'Still pack',
  ])
  expect(names()).toEqual([])
})

it('LND-05 what the free tokens are enough for comes from the prices', () => {
  expect(freeEditHint(formatsOf('teaser-15s', 'dynamic-watermark'), 1000)).toMatch(
    /^A 15s teaser takes 300 of them; .* can take more\.$/,
  )
  expect(freeEditHint(formatsOf('dynamic-watermark'), 1000)).toBeNull()
  expect(freeEditHint(formatsOf('teaser-15s'), 299)).toBeNull()
})

const event: fc.Arbitrary<CarouselEvent> = fc.oneof(
  fc.constantFrom<CarouselEvent>(
    { kind: 'next' },
    { kind: 'previous' },
    { kind: 'play' },
    { kind: 'ended' },
  ),
  fc.integer({ min: -2, max: 8 }).map((index) => ({ kind: 'jump', index }) as const),
)

it('LND-04 any use of the carousel stays inside it, wraps around, and only one that was started plays', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(event, { maxLength: 60 }),
      (count, events) => {
        let state = initialCarousel
        for (const one of events) {
          const next = stepCarousel(count, state, one)
          expect(next.index).toBeGreaterThanOrEqual(0)
          expect(next.index).toBeLessThan(count)
          if (next.index !== state.index || one.kind === 'ended') expect(next.isPlaying).toBe(false)
          if (one.kind === 'next')
            expect(next.index).toBe(state.index === count - 1 ? 0 : state.index + 1)
          if (one.kind === 'previous')
            expect(next.index).toBe(state.index === 0 ? count - 1 : state.index - 1)
          state = next
        }
      },
    ),
  )
})
