import { describe, expect, it } from 'vitest'
import { gainAfter, loudnessIn } from '#recipes/loudness.ts'

describe('the gain of a levelled sound', () => {
  it.each([
    ['a voice', -24, 8],
    ['a loud film', -9, -7],
    ['the quietest that reaches the target', -38, 22],
    ['a whisper', -45, 15],
    ['a quiet room', -58, 2],
    ['a room in which nothing is said', -62, 0],
    ['silence', -70, 0],
  ])('of %s at %d LUFS is %d dB', (_, lufs, gain) => {
    expect(gainAfter(0, lufs)).toBeCloseTo(gain)
    // Nothing was limited: the second measurement says the same.
    expect(gainAfter(gain, lufs + gain)).toBeCloseTo(gain)
  })

  it('makes up for what the limiter took', () => {
    expect(gainAfter(8, -17)).toBeCloseTo(9)
  })

  it('is none for a sound that the meter says nothing of', () => {
    expect(gainAfter(0, loudnessIn('frame:1 pts:0\n'))).toBe(0)
  })
})
