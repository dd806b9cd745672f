import { describe, expect, it } from 'vitest'
import { readPoints, readStart } from '#src/features/upload/moments/read-points.ts'

const TWO_MINUTES = 120_000

describe('own points of a moment', () => {
  it('REC-21 are taken as they are, with a comma too', () => {
    expect(readPoints('0:50,1', '0:56.7', TWO_MINUTES)).toEqual({
      startMs: 50_100,
      endMs: 56_700,
    })
  })

  it.each([
    [
      'lacks an end',
      '0:50,1',
      '',
      'Please enter both times as minutes and seconds, for example 1:23.4.',
    ],
    ['ends before it begins', '0:50', '0:40', 'Please let the moment end after it begins.'],
    ['ends where it begins', '0:50', '0:50', 'Please let the moment end after it begins.'],
    [
      'ends after the video',
      '0:50.1',
      '3:00',
      'Your video ends at 2:00.0. Please let the moment end before that.',
    ],
  ])('REC-21 say what to do where a moment %s', (_, start, end, words) => {
    expect(readPoints(start, end, TWO_MINUTES)).toBe(words)
  })
})

describe('the start of a moment whose length is given', () => {
  it('REC-21 is all there is to say', () => {
    expect(readStart('1:10', 3000, TWO_MINUTES)).toEqual({ startMs: 70_000, endMs: 73_000 })
    expect(readStart('1:57', 3000, TWO_MINUTES)).toEqual({ startMs: 117_000, endMs: 120_000 })
  })

  it('REC-21 is at most so late that the moment fits', () => {
    expect(readStart('1:58', 3000, TWO_MINUTES)).toBe(
      'Your video ends at 2:00.0. Please let it begin at 1:57.0 at the latest.',
    )
    expect(readStart('soon', 3000, TWO_MINUTES)).toBe(
      'Please enter the time as minutes and seconds, for example 1:23.4.',
    )
  })
})
