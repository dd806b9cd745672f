import { describe, expect, it } from 'vitest'
import { placeToCrop } from '#recipes/crop-place.ts'
import {
  badlyFramed,
  readHeads,
  shareWithPeople,
  withFraming,
  withUnseen,
  writeHeads,
  type PictureArea,
} from '#recipes/heads.ts'
import { choiceOf } from '#recipes/moment-candidates.ts'
import { checkChoice } from '#recipes/moment-choice.ts'
import type { Size } from '#recipes/picture.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { EDITS, peopleFigures } from '#tests/setup/people-figures.ts'
import {
  allFacesAt,
  peopleFilm,
  UPRIGHT,
  WIDE,
  type PeopleFilm,
} from '#tests/setup/people-films.ts'

/**
 * Of a minute, and one of three minutes, of which the longest edits leave most out: of groups over
 * which a camera passes, and of one or two people before it.
 */
const films = Array.from({ length: 8 }, (_, index) => {
  const [seconds, size] = [index % 5 < 4 ? 62 : 180, index % 2 === 0 ? WIDE : UPRIGHT] as const
  const share = 0.3 + (0.4 * (index % 5)) / 4
  return peopleFilm(200 + index, seconds, share, size, index < 5 ? 'groups' : 'standing')
})

/** What a search finds in a film whose places move and are sharp, and whose people hold still. */
function searched(film: PeopleFilm): readonly Moment[] {
  return film.shots.flatMap((shot, look) =>
    Array.from({ length: (shot.endMs - shot.startMs) / 1000 }, (_, index): Moment => {
      const atMs = shot.startMs + index * 1000
      const isTitle = 'scene' in shot && shot.scene.kind === 'title'
      const share = (side: number, length: number) => Math.min(1, Math.max(0, side / length))
      const faces = allFacesAt(film, atMs + 500)
        .map(({ left, top, right, bottom }) => ({
          left: share(left, film.width),
          top: share(top, film.height),
          right: share(right, film.width),
          bottom: share(bottom, film.height),
        }))
        .filter(({ left, top, right, bottom }) => right - left > 0.02 && bottom - top > 0.02)
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
  const { durationMs, width, height } = film
  const source = probe({ durationMs, width, height, frameRate: 25 })
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
    // GIFs, square teasers, and upright ones of the four wide films.
    expect(pictures).toBeGreaterThanOrEqual(8 * 150 + 12 * 15 * 25)
    expect(cut / pictures).toBeLessThanOrEqual(0.01)
    const headless = figures.reduce((sum, { cutOut }) => sum + cutOut.headless, 0)
    expect(headless / pictures).toBeLessThanOrEqual(0.01)
  })

  it('DEL-02 shows faces that its own picture cuts for half of their share at most', () => {
    const of = (part: 'film' | 'stills' | 'passages') =>
      figures.reduce((sum, { sliced }) => sum + sliced[part], 0)
    expect(of('film') / figures.length).toBeGreaterThan(0.15)
    expect(of('stills')).toBeLessThanOrEqual(of('film') / 2)
    expect(of('passages')).toBeLessThanOrEqual(of('film') / 2)
  })

  it('DEL-02 has no fade in which a face is seen', () => {
    expect(figures.reduce((sum, { fades }) => sum + fades.ofFaces, 0)).toBe(0)
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
    // A step inside of the edge: the face itself is cut there.
    expect(edge?.left).toBeCloseTo(1 / 255, 5)
    expect(edge?.bottom).toBeCloseTo(254 / 255, 5)
    const [hair] = readHeads(writeHeads([{ left: 0.02, top: 0.05, right: 0.2, bottom: 0.95 }]))
    expect(hair).toMatchObject({ left: 0, top: 0, bottom: 1 })
    expect(readHeads(writeHeads([]))).toEqual([])
    expect(readHeads(undefined)).toEqual([])
  })

  it('DEL-02 are taken from a picture nearby where a face is not found again, with room to move', () => {
    const face = (left: number) => ({ left, top: 0.4, right: left + 0.1, bottom: 0.6 })
    const [one, same, other] = [face(0.1), face(0.12), face(0.6)].map((each) => writeHeads([each]))
    expect(withUnseen(one ?? '', same ?? '')).toBe(one)
    const [first, second] = readHeads(withUnseen(one ?? '', other ?? ''))
    expect(first).toEqual(readHeads(one)[0])
    expect(second?.left).toBeCloseTo(0.575 - 0.0375, 2)
    expect(second?.right).toBeCloseTo(0.725 + 0.0375, 2)
    expect(readHeads(withUnseen('', other ?? ''))).toHaveLength(1)
    expect(withUnseen('', '')).toBe('')
    // Hair that has moved over an edge is no face that is cut; a face that is cut stays one.
    const faults = [face(0.05), slicedFace()].map((each) =>
      badlyFramed({ heads: withUnseen('', writeHeads([each])) }),
    )
    expect(faults).toEqual([0.3, 1])
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

  it('DEL-02 have room beside them in a part, because they move', () => {
    const heads = writeHeads([{ left: 0.2, top: 0.3, right: 0.3, bottom: 0.6 }])
    const [whole, part] = [
      { width: 320, height: 180 },
      { width: 180, height: 180 },
    ]
    const passage = { startMs: 0, durationMs: 1000 }
    const { x, cutHeads } = placeToCrop(whole, part, passage, [plain(0, { heads })])
    // The head begins at 0.175 of the picture and is 0.15 wide.
    expect((x * (320 - 180)) / 320).toBeLessThanOrEqual(0.175 - 0.2 * 0.15 + 0.005)
    expect(cutHeads).toBe(0)
  })

  it('DEL-02 are cut by no GIF while another shape of the pack shows them whole', () => {
    const face = (left: number) => ({ left, top: 0.2, right: left + 0.16, bottom: 0.55 })
    // Four beside each other fit into the wide GIF only, one into each.
    const crowd = writeHeads([0.1, 0.3, 0.5, 0.7].map(face))
    const heads = [
      writeHeads([face(0.4)]),
      writeHeads([face(0.45)]),
      crowd,
      writeHeads([face(0.4)]),
    ]
    const moments = Array.from({ length: 24 }, (_, index) =>
      plain(index * 1000, {
        likeness: ((index >> 2) * 3).toString(16).slice(-1).repeat(48),
        startsShot: index % 6 === 0,
        heads: heads[Math.floor(index / 6)] ?? '',
      }),
    )
    const pack = findRecipe('social-media-gif-pack')
    const source = probe({ durationMs: 24_000 })
    const shown = pack?.timeline?.(source, undefined, { moments })
    if (shown?.ok !== true) throw new Error('no timeline')
    const ofCrowd = shown.value
      .filter(({ startMs, endMs }) => startMs < 18_000 && endMs > 12_000)
      .map(({ output }) => output)
    expect(ofCrowd).not.toEqual([])
    expect(['gif-wide.gif', 'loop.mp4']).toEqual(expect.arrayContaining(ofCrowd))
  })

  it('DEL-02 are shown by a trailer GIF as often as by the film, also where all are at its end', () => {
    const heads = writeHeads([{ left: 0.4, top: 0.3, right: 0.5, bottom: 0.5 }])
    const isOfPeople = (index: number): boolean => index >= 48 || index % 8 < 2
    const moments = Array.from({ length: 60 }, (_, index) =>
      plain(index * 1000, {
        score: isOfPeople(index) ? 0.2 : 0.8,
        shows: isOfPeople(index) ? 'calm' : 'lively',
        startsShot: isOfPeople(index) !== isOfPeople(index - 1),
        heads: isOfPeople(index) ? heads : '',
      }),
    )
    const wanted = shareWithPeople(moments)
    const shown = findRecipe('short-trailer-gif')?.timeline?.(
      probe({ durationMs: 60_000 }),
      { includeKumshot: false },
      { moments },
    )
    if (shown?.ok !== true) throw new Error('no timeline')
    const passages = shown.value.map(({ startMs, endMs }) => ({
      startMs,
      durationMs: endMs - startMs,
    }))
    expect(wanted).toBeCloseTo(0.4, 1)
    expect(shareWithPeople(moments, passages)).toBeGreaterThanOrEqual(wanted)
  })
})

/** A face of this height, in the middle of the picture unless it says else. */
function faceOf(height: number, middle = 0.5, top = 0.25) {
  const width = height * 0.42
  return { left: middle - width / 2, top, right: middle + width / 2, bottom: top + height }
}

/** A film of shots of five seconds: what moves most is where no one is. */
function filmOf(seconds: number, facesAt: (second: number) => readonly PictureArea[]): Moment[] {
  return Array.from({ length: seconds }, (_, index): Moment => {
    const heads = writeHeads(facesAt(index))
    const look = Math.floor(index / 5)
    return plain(index * 1000, {
      heads,
      shows: heads === '' ? 'lively' : 'calm',
      score: (heads === '' ? 0.8 : 0.3) + ((index * 7) % 10) / 100,
      startsShot: index % 5 === 0,
      likeness: ((look * 7) % 16).toString(16).repeat(24) + (look % 16).toString(16).repeat(24),
    })
  })
}

function shownBy(
  slug: string,
  moments: readonly Moment[],
  size: Size = { width: 640, height: 360 },
) {
  const recipe = findRecipe(slug)
  const source = probe({ durationMs: moments.length * 1000, ...size, frameRate: 25 })
  const shown = recipe?.timeline?.(source, recipe.proposedPayload(source.durationMs), { moments })
  if (shown?.ok !== true) throw new Error('no timeline')
  return shown.value.map((each) => {
    const durationMs = Math.max(1, each.endMs - each.startMs)
    return { ...each, people: shareWithPeople(moments, [{ startMs: each.startMs, durationMs }]) }
  })
}

/** A face that the left edge of the picture cuts, which reaches into it by this share. */
function slicedFace(inside = 0.06) {
  return { left: 0, top: 0.3, right: inside, bottom: 0.6 }
}

describe('a face that the picture cuts', () => {
  it('DEL-02 is worse than one whose hair or ear it cuts, which is worse than a whole head', () => {
    const of = (face: PictureArea) => badlyFramed({ heads: writeHeads([face]) })
    expect(of(faceOf(0.3))).toBe(0)
    // A close-up: hair above the picture is no fault, nor is a forehead of a large face.
    expect(of(faceOf(0.5, 0.5, 0.02))).toBe(0)
    expect(of(faceOf(0.6, 0.5, 0))).toBe(0)
    expect(of({ left: 0.02, top: 0.3, right: 0.2, bottom: 0.6 })).toBeCloseTo(0.3)
    expect(of(slicedFace())).toBe(1)
    expect(of(faceOf(0.2, 0.5, 0))).toBe(1)
    // Bodies without heads are above it.
    expect(of(faceOf(0.2, 0.5, 0.65))).toBe(1)
    expect(badlyFramed({ heads: writeHeads([faceOf(0.3), slicedFace()]) })).toBe(1)
  })

  it('DEL-02 is no fault of a film that hardly has others', () => {
    const all = filmOf(60, (second) => [second < 5 ? faceOf(0.3) : slicedFace(0.2)])
    expect(withFraming(all).every(({ fault }) => fault === 0)).toBe(true)
    const half = filmOf(60, (second) => [second < 30 ? faceOf(0.3) : slicedFace(0.2)])
    expect(withFraming(half).map(({ fault }) => fault)).toEqual(
      half.map((_, second) => (second < 30 ? 0 : 1)),
    )
  })

  it.each(['teaser-15s', 'team-skeet-thumbnail-video', 'short-trailer-gif', 'still-pack'])(
    'DEL-02 is not taken by a %s where as many seconds show whole heads',
    (slug) => {
      // Of each three shots one has whole heads, one a face at its edge too, and one no people.
      const moments = filmOf(120, (second) => {
        const shot = Math.floor(second / 5) % 3
        if (shot === 0) return [faceOf(0.3)]
        return shot === 1 ? [faceOf(0.3, 0.7), slicedFace()] : []
      })
      for (const { startMs, people } of shownBy(slug, moments)) {
        expect(Math.floor(startMs / 5000) % 3).toBe(0)
        expect(people).toBe(1)
      }
    },
  )

  it('DEL-02 is taken by an edit rather than landscapes for most of it', () => {
    const moments = filmOf(120, (second) => {
      const shot = Math.floor(second / 5) % 8
      if (shot === 0) return [faceOf(0.3)]
      return shot < 6 ? [faceOf(0.3, 0.7), slicedFace()] : []
    })
    for (const slug of ['teaser-15s', 'still-pack']) {
      const shown = shownBy(slug, moments)
      const people = shown.reduce((sum, each) => sum + each.people, 0) / shown.length
      expect(people).toBeGreaterThanOrEqual(0.55)
    }
  })
})

describe('a still pack', () => {
  it('DEL-02 shows each shot with people before it shows one again', () => {
    // Twelve shots of people, of which the first are worth most, among places.
    const moments = filmOf(120, (second) =>
      Math.floor(second / 5) % 2 === 0 ? [faceOf(0.3)] : [],
    ).map((each, second) => ({ ...each, score: 0.9 - second / 200 }))
    const shots = shownBy('still-pack', moments).map(({ startMs }) => Math.floor(startMs / 5000))
    expect(new Set(shots).size).toBe(12)
    expect(shots.every((shot) => shot % 2 === 0)).toBe(true)
  })

  it('DEL-02 takes two alike pictures of one shot at most, a second and a half apart', () => {
    const moments = filmOf(120, (second) => (Math.floor(second / 5) % 8 === 1 ? [faceOf(0.3)] : []))
    const shown = shownBy('still-pack', moments)
    const people = shown.filter((each) => each.people === 1).map(({ startMs }) => startMs)
    expect(people).toHaveLength(4)
    const shots = people.map((startMs) => Math.floor(startMs / 5000))
    for (const shot of new Set(shots)) {
      const own = people.filter((_, at) => shots[at] === shot)
      expect(own.length).toBeLessThanOrEqual(2)
      for (const [at, startMs] of own.slice(1).entries())
        expect(startMs - (own[at] ?? 0)).toBeGreaterThanOrEqual(1500)
    }
  })
})

describe('the first and the last passage', () => {
  const FADED = ['teaser-15s', 'team-skeet-thumbnail-video', 'short-trailer-gif'] as const

  it.each(FADED)('DEL-02 of a %s show people where a third of the film does', (slug) => {
    const moments = filmOf(120, (second) =>
      [1, 2, 0][Math.floor(second / 5) % 3] === 1 ? [faceOf(0.3)] : [],
    )
    const shown = shownBy(slug, moments)
    expect(shown[0]?.people).toBe(1)
    expect(shown.at(-1)?.people).toBe(1)
  })

  it('DEL-02 of a brand trailer end with the last person of a film that goes on without people', () => {
    const moments = filmOf(150, (second) =>
      second < 130 && Math.floor(second / 5) % 3 === 1 ? [faceOf(0.3)] : [],
    )
    const shown = shownBy('team-skeet-trailer', moments)
    expect(shown.at(-1)?.people).toBe(1)
  })

  it('DEL-02 of a teaser end with the person who is in the last tenth only, and keep to the film', () => {
    const moments = filmOf(120, (second) => (second >= 108 && second < 115 ? [faceOf(0.3)] : []))
    const shown = shownBy('teaser-15s', moments)
    expect(shown.at(-1)?.people).toBe(1)
    expect(shown[0]?.startMs).toBeLessThan(40_000)
    expect(shown.map(({ startMs }) => startMs)).toEqual(
      shown.map(({ startMs }) => startMs).toSorted((a, b) => a - b),
    )
  })
})

describe('a film with faces in all or hardly any of its time', () => {
  it('DEL-02 is spread over all of it where all of it shows people', () => {
    const moments = filmOf(120, () => [faceOf(0.3)])
    for (const slug of ['teaser-15s', 'team-skeet-thumbnail-video', 'still-pack']) {
      const shown = shownBy(slug, moments)
      expect(shown.every(({ people }) => people === 1)).toBe(true)
      expect(shown[0]?.startMs).toBeLessThan(25_000)
      expect(shown.at(-1)?.startMs).toBeGreaterThan(75_000)
    }
  })

  it('DEL-02 shows its four seconds of people in each edit, and the rest of the film too', () => {
    const moments = filmOf(120, (second) => (second >= 55 && second < 59 ? [faceOf(0.3)] : []))
    for (const slug of [
      'teaser-15s',
      'team-skeet-thumbnail-video',
      'still-pack',
      'social-media-gif-pack',
    ]) {
      const shown = shownBy(slug, moments)
      expect(shown.some(({ people }) => people > 0.9)).toBe(true)
      const starts = shown.map(({ startMs }) => startMs)
      expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(40_000)
    }
  })
})

describe('the part of a GIF', () => {
  const upright = { width: 360, height: 640 }
  const wide = { width: 360, height: 202 }
  const passage = { startMs: 0, durationMs: 3000 }
  const filled = (face: PictureArea, action = '') =>
    [0, 1000, 2000].map((atMs) => plain(atMs, { heads: writeHeads([face]), action }))

  it('DEL-02 shows a head rather than what moves beside it', () => {
    const below = `${'0'.repeat(16)}000000fff`
    const { y, cutHeads, shown } = placeToCrop(upright, wide, passage, filled(faceOf(0.15), below))
    expect(y * (640 - 202)).toBeLessThanOrEqual(0.18 * 640)
    expect({ cutHeads, shown }).toEqual({ cutHeads: 0, shown: 1 })
  })

  it('DEL-02 has all of a face, eyes to chin, where it has no room for the hair', () => {
    const face = faceOf(0.28, 0.5, 0.3)
    const { y, shown } = placeToCrop(upright, wide, passage, filled(face))
    const top = (y * (640 - 202)) / 640
    expect(top).toBeLessThanOrEqual(face.top)
    expect(top + 202 / 640).toBeGreaterThanOrEqual(face.bottom)
    // Another passage with room for all of the head is better.
    expect(shown).toBe(0.5)
  })

  it('DEL-02 has the middle of a face that is larger than any part', () => {
    const face = faceOf(0.7, 0.5, 0.15)
    const { y } = placeToCrop(upright, wide, passage, filled(face))
    const middle = (y * (640 - 202) + 101) / 640
    expect(middle).toBeGreaterThan(0.4)
    expect(middle).toBeLessThan(0.6)
  })

  it('DEL-02 has one of two people at both edges, and no half of the other', () => {
    const both = [0.12, 0.86].map((middle) => faceOf(0.4, middle * 1, 0.2))
    const moments = [0, 1000, 2000].map((atMs) => plain(atMs, { heads: writeHeads(both) }))
    const { x, cutHeads, shown } = placeToCrop(
      { width: 640, height: 360 },
      { width: 360, height: 360 },
      passage,
      moments,
    )
    expect(x < 0.1 || x > 0.9).toBe(true)
    expect({ cutHeads, shown }).toEqual({ cutHeads: 0, shown: 1 })
  })

  it('DEL-02 has who is in front rather than a face that the top of the picture cuts', () => {
    const front = { left: 0.45, top: 0.3, right: 0.6, bottom: 0.65 }
    const cut = { left: 0.62, top: -0.16, right: 0.77, bottom: 0.16 }
    const moments = [0, 1000, 2000].map((atMs) => plain(atMs, { heads: writeHeads([front, cut]) }))
    const { x } = placeToCrop(
      { width: 640, height: 360 },
      { width: 202, height: 360 },
      passage,
      moments,
    )
    const left = (x * (640 - 202)) / 640
    expect(left).toBeLessThanOrEqual(0.42)
    expect(left + 202 / 640).toBeGreaterThanOrEqual(0.63)
  })

  it('DEL-02 leaves out a face that the picture cuts, and keeps all of the other one', () => {
    const moments = [0, 1000, 2000].map((atMs) =>
      plain(atMs, { heads: writeHeads([slicedFace(0.1), faceOf(0.3, 0.3)]) }),
    )
    const { x, cutHeads, shown } = placeToCrop(
      { width: 640, height: 360 },
      { width: 360, height: 360 },
      passage,
      moments,
    )
    expect((x * (640 - 360)) / 640).toBeGreaterThanOrEqual(0.1)
    expect({ cutHeads, shown }).toEqual({ cutHeads: 0, shown: 1 })
  })

  it('DEL-02 rather has a little of hair in it than half of a head', () => {
    // A part at the right end begins one of a hundred before the first head ends.
    const heads = writeHeads([
      { left: 0.2357, top: 0.2, right: 0.4, bottom: 0.5 },
      { left: 0.58, top: 0.2, right: 0.75, bottom: 0.5 },
    ])
    const moments = [0, 1000, 2000].map((atMs) => plain(atMs, { heads }))
    const { x, cutHeads } = placeToCrop(
      { width: 320, height: 180 },
      { width: 180, height: 180 },
      passage,
      moments,
    )
    expect(x).toBeGreaterThan(0.95)
    expect(cutHeads).toBe(0)
  })

  it('DEL-02 has a face that is hardly to be seen', () => {
    const { x, shown } = placeToCrop(
      { width: 640, height: 360 },
      { width: 202, height: 360 },
      passage,
      filled(faceOf(0.06, 0.95)),
    )
    expect(x).toBeGreaterThan(0.9)
    expect(shown).toBe(1)
  })
})

describe('a GIF pack', () => {
  const UPRIGHT_SIZE = { width: 360, height: 640 }

  it('DEL-02 shows people in each of its files, the loop in a shot of three seconds', () => {
    // Only every other shot has people, for its first three seconds.
    const moments = filmOf(60, (second) => (second % 10 < 3 ? [faceOf(0.3)] : [])).map(
      (each, index) => (index % 10 === 3 ? { ...each, startsShot: true } : each),
    )
    const shown = shownBy('social-media-gif-pack', moments)
    expect(shown.map(({ people }) => people)).toEqual([1, 1, 1, 1])
    const loop = shown.find(({ output }) => output === 'loop.mp4')
    expect((loop?.endMs ?? 0) - (loop?.startMs ?? 0)).toBe(2400)
  })

  it('DEL-02 has a loop of four seconds where a shot of people is as long', () => {
    const moments = filmOf(60, (second) => (second % 10 < 5 ? [faceOf(0.3)] : []))
    const loop = shownBy('social-media-gif-pack', moments).find(
      ({ output }) => output === 'loop.mp4',
    )
    expect(loop?.people).toBe(1)
    expect((loop?.endMs ?? 0) - (loop?.startMs ?? 0)).toBe(4000)
  })

  it('DEL-02 makes the wide GIF of an upright film of a passage whose heads it has room for', () => {
    const moments = filmOf(60, (second) =>
      second % 10 < 5 ? [faceOf(second >= 40 ? 0.15 : 0.4, 0.5, 0.2)] : [],
    )
    const shown = shownBy('social-media-gif-pack', moments, UPRIGHT_SIZE)
    expect(shown.every(({ people }) => people === 1)).toBe(true)
    const wide = shown.find(({ output }) => output === 'gif-wide.gif')
    expect(wide?.startMs).toBeGreaterThanOrEqual(40_000)
  })

  it('DEL-02 shows the same when its own moments are chosen on the board', () => {
    const moments = filmOf(60, (second) => (second % 10 < 3 ? [faceOf(0.3)] : []))
    const recipe = findRecipe('social-media-gif-pack')
    const source = probe({ durationMs: 60_000, frameRate: 25 })
    const shown = recipe?.timeline?.(source, undefined, { moments })
    if (shown?.ok !== true) throw new Error('no timeline')
    const choice = choiceOf(shown.value)
    const rule = recipe?.momentRule?.(source, undefined)
    expect(rule == null ? null : checkChoice(choice, rule, 60_000)).toEqual({
      ok: true,
      value: null,
    })
    const again = recipe?.timeline?.(source, { moments: choice }, { moments })
    expect(again).toEqual(shown)
  })
})
