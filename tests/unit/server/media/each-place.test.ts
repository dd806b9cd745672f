import { describe, expect, it } from 'vitest'
import { atEachPlace } from '#server/media/each-place.ts'

const PLACES = Array.from({ length: 12 }, (_, place) => place)

/** The runs that were made for these places, and what was taken; runs with a spoilt place fail. */
async function runsFor(width: number, height: number, spoilt: readonly number[] = []) {
  const runs: (readonly number[])[] = []
  const taken = await atEachPlace({ width, height }, PLACES, async (places) => {
    runs.push(places)
    return places.some((place) => spoilt.includes(place)) ? null : places
  })
  return { runs, taken }
}

describe('places of a source', () => {
  it.each([
    { width: 7680, height: 4320, most: 1 },
    { width: 3840, height: 2160, most: 1 },
    { width: 1920, height: 1080, most: 4 },
    { width: 640, height: 360, most: 8 },
    { width: 0, height: 0, most: 8 },
  ])('REC-27 of $width x $height are read $most at a time', async ({ width, height, most }) => {
    const { runs, taken } = await runsFor(width, height)
    expect(Math.max(...runs.map(({ length }) => length))).toBe(most)
    expect(runs).toHaveLength(Math.ceil(PLACES.length / most))
    expect(taken).toEqual(PLACES)
  })

  it('REC-27 that cannot be read are left out, and the others of their run are read alone', async () => {
    const { runs, taken } = await runsFor(640, 360, [3, 11])
    expect(runs).toEqual([
      PLACES.slice(0, 8),
      ...PLACES.slice(0, 8).map((place) => [place]),
      PLACES.slice(8),
      ...PLACES.slice(8).map((place) => [place]),
    ])
    expect(taken).toEqual(PLACES.filter((place) => ![3, 11].includes(place)))
  })

  it('REC-27 a place that fails alone is not read twice', async () => {
    const { runs, taken } = await runsFor(3840, 2160, PLACES)
    expect(runs).toHaveLength(PLACES.length)
    expect(taken).toEqual([])
  })
})
