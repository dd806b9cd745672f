import { describe, expect, it } from 'vitest'
import { joinedPieces, partsWithout, pieceArgs, pieceOf } from '#recipes/moment-video.ts'
import { probe } from '#tests/fixtures/probes.ts'

const piece = (startMs: number, durationMs: number) => pieceOf({ startMs, durationMs })
const passage = (startMs: number, endMs: number) => ({ startMs, endMs })

describe('the parts of passages that no piece shows', () => {
  const pieces = [piece(10_000, 6000), piece(30_000, 6000)]

  it('REC-21 are what lies before, between and after the pieces', () => {
    expect(partsWithout([passage(8000, 40_000)], pieces)).toEqual([
      { startMs: 8000, durationMs: 2000 },
      { startMs: 16_000, durationMs: 14_000 },
      { startMs: 36_000, durationMs: 4000 },
    ])
  })

  it('REC-21 come of the shortest passages first, and are 200 s at most', () => {
    expect(partsWithout([passage(0, 1_000_000), passage(40_000, 43_000)], [])).toEqual([
      { startMs: 40_000, durationMs: 3000 },
      { startMs: 0, durationMs: 40_000 },
      { startMs: 43_000, durationMs: 157_000 },
    ])
  })

  it('REC-21 are each recorded once, and are none where less than a picture is missing', () => {
    expect(partsWithout([passage(50_000, 56_000), passage(54_000, 58_000)], [])).toEqual([
      { startMs: 54_000, durationMs: 4000 },
      { startMs: 50_000, durationMs: 4000 },
    ])
    const covered = [passage(11_000, 13_000), passage(9900, 16_100), passage(70_000, 70_000)]
    expect(partsWithout(covered, pieces)).toEqual([])
  })
})

it('REC-21 pieces are joined in order of time, and those that touch are one stretch', () => {
  const { list, stretches } = joinedPieces(
    [piece(20_000, 3000), piece(5000, 2510), piece(7510, 490)],
    'list.txt',
  )
  expect(stretches).toEqual([
    { startMs: 5000, endMs: 8000, atMs: 0 },
    { startMs: 20_000, endMs: 23_000, atMs: 3000 },
  ])
  expect(list).toEqual({
    name: 'list.txt',
    text: `ffconcat version 1.0
file moving-5000.mp4
duration 2.510000
file moving-7510.mp4
duration 0.490000
file moving-20000.mp4
duration 3.000000
`,
  })
})

it.each([
  [{ width: 3840, height: 2160 }, 'scale=320:180:'],
  [{ width: 1080, height: 1920 }, 'scale=180:320:'],
  [{ width: 160, height: 90 }, 'scale=160:90:'],
])('REC-21 the picture of %o is small, and never larger than its source', (size, scale) => {
  expect(pieceArgs(probe(size), piece(0, 1000)).join(' ')).toContain(scale)
})
