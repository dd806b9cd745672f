import { expect, it } from 'vitest'
import { refuseAsset, refuseTogether } from '#checks/asset-limits.ts'

const MINUTE_MS = 60_000

it.each([
  [
    'video',
    30 * MINUTE_MS,
    'Videos that are used in edits may be up to 30 minutes long. Please choose a shorter one.',
  ],
  [
    'audio',
    60 * MINUTE_MS,
    'Sounds that are used in edits may be up to 60 minutes long. Please choose a shorter one.',
  ],
] as const)(
  'UPL-12 takes a %s of the longest length and no longer one',
  (kind, longestMs, message) => {
    const file = { kind, width: 0, height: 0 }
    expect(refuseAsset({ ...file, durationMs: longestMs })).toBeNull()
    expect(refuseAsset({ ...file, durationMs: longestMs + 1 })).toEqual({
      code: 'too-long',
      message,
    })
  },
)

it('UPL-12 takes an image of 50 megapixels and no larger one', () => {
  const image = { kind: 'image', durationMs: 0, width: 10_000 } as const
  expect(refuseAsset({ ...image, height: 5000 })).toBeNull()
  expect(refuseAsset({ ...image, height: 5001 })).toEqual({
    code: 'too-large',
    message:
      'This image is 10000 × 5001. Up to 50 megapixels can be used. Please export a smaller version.',
  })
})

it('OPT-03 takes intros and outros of half an hour together, repeats counted', () => {
  expect(refuseTogether([15 * MINUTE_MS, 15 * MINUTE_MS])).toBeNull()
  expect(refuseTogether([15 * MINUTE_MS, 15 * MINUTE_MS, 1])).toBe(
    'The intros and outros of one edit may take 30 minutes together. Please choose fewer or shorter ones.',
  )
})
