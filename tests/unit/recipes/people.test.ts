import { describe, expect, it } from 'vitest'
import { placeToCrop } from '#recipes/crop-place.ts'
import { readHeads, shareWithPeople, writeHeads } from '#recipes/heads.ts'
import type { Moment } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { EDITS, peopleFigures } from '#tests/setup/people-figures.ts'
import { facesAt, HEIGHT, peopleFilm, WIDTH, type PeopleFilm } from '#tests/setup/people-films.ts'

const films = Array.from({ length: 8 }, (_, index) =>
  peopleFilm(200 + index, 62, 0.3 + (0.4 * index) / 7),
)

/** What a search finds in a film whose places move and are sharp, and whose people hold still. */
function searched(film: PeopleFilm): readonly Moment[] {
  return film.shots.flatMap((shot, look) =>
    Array.from({ length: (shot.endMs - shot.startMs) / 1000 }, (_, index): Moment => {
      const atMs = shot.startMs + index * 1000
      const isTitle = 'scene' in shot && shot.scene.kind === 'title'
      const faces = facesAt(film, atMs + 500).map(({ left, top, right, bottom }) => ({
        left: left / WIDTH,
        top: top / HEIGHT,
        right: right / WIDTH,
        bottom: bottom / HEIGHT,
      }))
      return {
        atMs,
        lengthMs: 1000,
        shows: isTitle ? 'title' : 'pan' in shot ? 'calm' : 'lively',
        score: 'pan' in shot ? 0.3 : 0.7,
        startsShot: index === 0,
        stillMs: atMs + 500,
        likeness: ((look * 7) % 16).toString(16).repeat(24) + (look % 16).toString(16).repeat(24),
        heads: writeHeads(faces),
      }
    }),
  )
}

const figures = films.map((film) => {
  const source = probe({ durationMs: film.durationMs, width: WIDTH, height: HEIGHT, frameRate: 25 })
  return peopleFigures(film, source, searched(film))
})

describe('a film with people in 30 to 70 % of its time', () => {
  it('DEL-02 is shown by stills and passages with people for at least as large a share', () => {
    for (const { film, stills, passages } of figures) {
      expect(film).toBeGreaterThan(0.25)
      expect(stills).toBeGreaterThanOrEqual(film)
      // Shots have whole seconds here, passages have not.
      for (const slug of EDITS) expect(passages[slug]).toBeGreaterThanOrEqual(film - 0.04)
    }
  })

  it('DEL-02 has no head cut where a shape is cut out of it', () => {
    const pictures = figures.reduce((sum, { cutOut }) => sum + cutOut.pictures, 0)
    const cut = figures.reduce((sum, { cutOut }) => sum + cutOut.cut, 0)
    expect(pictures).toBe(8 * 150)
    expect(cut / pictures).toBeLessThanOrEqual(0.01)
  })
})

const plain = (atMs: number, more: Partial<Moment>): Moment => ({
  atMs,
  lengthMs: 1000,
  shows: 'lively',
  score: 0.5,
  startsShot: false,
  stillMs: atMs + 500,
  likeness: '',
  ...more,
})

describe('heads', () => {
  it('DEL-02 are kept to a part in 255, with hair, and none beyond the picture', () => {
    const [head] = readHeads(writeHeads([{ left: 0.4, top: 0.3, right: 0.5, bottom: 0.5 }]))
    expect(head?.left).toBeCloseTo(0.375, 2)
    expect(head?.top).toBeCloseTo(0.21, 2)
    const [edge] = readHeads(writeHeads([{ left: 0, top: 0, right: 0.2, bottom: 1 }]))
    expect(edge).toMatchObject({ left: 0, top: 0, bottom: 1 })
    expect(readHeads(writeHeads([]))).toEqual([])
    expect(readHeads(undefined)).toEqual([])
  })

  it('DEL-02 count for nothing where faces were not looked for', () => {
    expect(shareWithPeople([plain(0, {}), plain(1000, {})])).toBe(0)
    const heads = writeHeads([{ left: 0.4, top: 0.3, right: 0.5, bottom: 0.5 }])
    expect(
      shareWithPeople([plain(0, {}), plain(1000, { heads }), plain(2000, { heads: '' })]),
    ).toBe(0.5)
  })

  it('DEL-02 are worth more than what moves beside them', () => {
    const heads = writeHeads([{ left: 0.1, top: 0.3, right: 0.2, bottom: 0.5 }])
    const action = `${'0'.repeat(13)}fff${'f'.repeat(9)}`
    const [whole, part] = [
      { width: 640, height: 360 },
      { width: 202, height: 360 },
    ]
    const passage = { startMs: 0, durationMs: 1000 }
    const { x } = placeToCrop(whole, part, passage, [plain(0, { heads, action })])
    expect(x * (640 - 202)).toBeLessThanOrEqual(0.075 * 640 + 1)
    const without = placeToCrop(whole, part, passage, [plain(0, { heads: '', action })])
    expect(without.x).toBeGreaterThan(0.9)
  })
})
