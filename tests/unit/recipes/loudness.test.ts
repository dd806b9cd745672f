import { describe, expect, it } from 'vitest'
import { createLoudnessReader, gainAfter, loudnessIn, loudnessMeterOf } from '#recipes/loudness.ts'

it('SRC-01 the loudness of several sounds is read from what their meters print in turns', () => {
  const reader = createLoudnessReader()
  const line = (sound: number, frame: number, lufs: number): string =>
    `frame:${frame} pts:${((sound + 1) * 1e6 + frame / 10 - 0.02) * 48_000} pts_time:1e+06\nlavfi.r128.I=${lufs}\n`
  const printed = [line(0, 0, -70), line(1, 0, -70), line(0, 1, -20.5), line(1, 1, -31)].join('')
  for (let at = 0; at < printed.length; at += 7) reader.add(printed.slice(at, at + 7))
  expect([0, 1, 2].map(reader.of)).toEqual([-20.5, -31, null])
  expect(loudnessMeterOf(1)).toContain('asetpts=PTS+2000000/TB')
})

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
