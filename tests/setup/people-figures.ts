import { findRecipe } from '#recipes/presets.ts'
import type { Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { allFacesAt, facesAt, type PeopleFilm } from './people-films.ts'
import type { FaceInFilm } from './standing-people.ts'

/** How much edits of a film show of people, as shares of 0 to 1. */
export interface PeopleFigures {
  /** Of the time of the film in which a face is seen. */
  readonly film: number
  readonly stills: number
  /** Of the time of all passages of each edit, by its slug. */
  readonly passages: Readonly<Record<string, number>>
  /**
   * Pictures of GIFs and teasers that are cut out, those of them in which a head is cut, and those
   * that show no face where the film shows one.
   */
  readonly cutOut: { readonly pictures: number; readonly cut: number; readonly headless: number }
  /**
   * Of the time with people, that in which the picture itself cuts a face, as shares: of the film,
   * of the stills, and of the passages of edits that show all of the picture.
   */
  readonly sliced: { readonly film: number; readonly stills: number; readonly passages: number }
  /** Fades of all edits, and those of them in which a face is seen. */
  readonly fades: { readonly all: number; readonly ofFaces: number }
}

/** The edits that choose passages by themselves and can be made of a minute. */
export const EDITS = [
  'teaser-15s',
  'teaser-60s',
  'teaser-square',
  'teaser-upright',
  'tube-cut',
  'team-skeet-trailer',
  'social-media-gif-pack',
  'team-skeet-thumbnail-video',
  'short-trailer-gif',
] as const

/** Those of them that join passages by fades, or their end to their beginning. */
const FADING = [
  'teaser-15s',
  'teaser-60s',
  'social-media-gif-pack',
  'team-skeet-thumbnail-video',
] as const

/** Told by where the faces of the film are; nothing is rendered. */
export function peopleFigures(
  film: PeopleFilm,
  source: SourceProbe,
  moments: readonly Moment[],
): PeopleFigures {
  const stills = passagesOf('still-pack', source, moments).map(({ startMs }) => startMs)
  const passages = new Map(EDITS.map((slug) => [slug, passagesOf(slug, source, moments)]))
  const timesOf = (slug: (typeof EDITS)[number]) =>
    passages.get(slug)?.flatMap(({ startMs, endMs }) => timesIn(startMs, endMs)) ?? []
  return {
    film: shareOf(film, timesIn(0, film.durationMs)),
    stills: shareOf(film, stills),
    passages: Object.fromEntries(EDITS.map((slug) => [slug, shareOf(film, timesOf(slug))])),
    cutOut: cutOutOf(film, source, moments),
    sliced: {
      film: slicedIn(film, timesIn(0, film.durationMs)),
      stills: slicedIn(film, stills),
      passages: slicedIn(
        film,
        EDITS.filter((slug) => !CUT_OUT.some((each) => each === slug)).flatMap((slug) => {
          const times = timesOf(slug)
          // An edit as long as the film has nothing to choose from.
          return times.length * STEP_MS > film.durationMs / 2 ? [] : times
        }),
      ),
    },
    fades: fadesOf(film, source, moments),
  }
}

/** With the options that the form of the edit proposes. */
function passagesOf(slug: string, source: SourceProbe, moments: readonly Moment[]) {
  const recipe = findRecipe(slug)
  const payload = recipe?.proposedPayload(source.durationMs)
  const timeline = recipe?.timeline?.(source, payload, { moments })
  if (timeline?.ok !== true) throw new Error(`${slug} has no timeline`)
  return timeline.value
}

function planOf(slug: string, source: SourceProbe, moments: readonly Moment[]): RecipePlan {
  const plan = findRecipe(slug)?.plan(source, undefined, { moments, assets: [], secret: SECRET })
  if (plan?.ok !== true) throw new Error(`${slug} has no plan`)
  return plan.value
}

function shareOf(film: PeopleFilm, timesMs: readonly number[]): number {
  return timesMs.filter((atMs) => facesAt(film, atMs).length > 0).length / timesMs.length
}

/** A twentieth of a face is what no one sees, or misses. */
function slicedIn(film: PeopleFilm, timesMs: readonly number[]): number {
  const all = { left: 0, top: 0, right: film.width, bottom: film.height }
  const seen = timesMs
    .map((atMs) => allFacesAt(film, atMs).map((face) => shareIn(face, all)))
    .filter((shares) => shares.some((share) => share > 0.05))
  const sliced = seen.filter((shares) => shares.some((share) => share > 0.05 && share < 0.95))
  return sliced.length / Math.max(1, seen.length)
}

const STEP_MS = 40

function timesIn(fromMs: number, toMs: number): readonly number[] {
  const length = Math.floor((toMs - fromMs) / STEP_MS)
  return Array.from({ length }, (_, at) => fromMs + at * STEP_MS)
}

/** Those that cut other shapes out of the picture. */
const CUT_OUT = ['social-media-gif-pack', 'teaser-square', 'teaser-upright'] as const

/** By the filters of the plan, which say what is cut out. */
function cutOutOf(film: PeopleFilm, source: SourceProbe, moments: readonly Moment[]) {
  const all = { left: 0, top: 0, right: film.width, bottom: film.height }
  const steps = CUT_OUT.flatMap((slug) => planOf(slug, source, moments).steps)
  const cut = steps
    .filter(({ id }) => /^(?:gif-(?:square|wide|upright)|piece-\d+)$/.test(id))
    .flatMap((step) => {
      const part = partOf(wordsOf(step.args), film)
      if (part.right - part.left >= film.width - 1 && part.bottom - part.top >= film.height - 1)
        return []
      const { startMs, endMs } = shownBy(step)
      return timesIn(startMs, endMs).map((atMs) => {
        // Of a face that the film itself cuts in half, no part can make a whole one.
        const faces = facesAt(film, atMs).filter((face) => shareIn(face, all) >= 0.6)
        return {
          isCut: faces.some((face) => isCut(headIn(face, part, film), part)),
          isHeadless: faces.length > 0 && faces.every((face) => shareIn(face, part) < 0.5),
        }
      })
    })
  return {
    pictures: cut.length,
    cut: cut.filter((each) => each.isCut).length,
    headless: cut.filter(({ isHeadless }) => isHeadless).length,
  }
}

/** A piece of a teaser reads on behind what it shows. */
function shownBy({ inputs, args }: RecipePlan['steps'][number]) {
  const { seekMs = 0, durationMs = 0 } = inputs[0] ?? {}
  const [, frames = durationMs / 40] = (/trim=end_frame=(\d+)/.exec(wordsOf(args)) ?? []).map(
    Number,
  )
  return { startMs: seekMs, endMs: seekMs + frames * 40 }
}

function wordsOf(args: RecipePlan['steps'][number]['args']): string {
  return args.flatMap((arg) => (typeof arg === 'string' ? [arg] : [])).join(' ')
}

/** The films are small, so what is cut out of them is not scaled. */
function partOf(words: string, film: PeopleFilm): FaceInFilm {
  const found = /crop=(\d+):(\d+):(\d+):(\d+)/.exec(words)
  const [width = film.width, height = film.height, left = 0, top = 0] = (found?.slice(1) ?? []).map(
    Number,
  )
  return { left, top, right: left + width, bottom: top + height }
}

/** With some hair, as far as the film itself shows it and the part has room for it. */
function headIn(face: FaceInFilm, part: FaceInFilm, film: PeopleFilm): FaceInFilm {
  const { left, top, right, bottom } = face
  const hair = 0.2 * (bottom - top)
  const hasRoom = bottom - top + hair <= part.bottom - part.top
  return {
    left: Math.max(0, left),
    top: Math.max(0, hasRoom ? top - hair : top),
    right: Math.min(film.width, right),
    bottom: Math.min(film.height, bottom),
  }
}

/** A part of it is seen, and a part is not; a twentieth of it is what no one sees. */
function isCut(head: FaceInFilm, part: FaceInFilm): boolean {
  const share = shareIn(head, part)
  return share > 0.05 && share < 0.95
}

/** How much of it lies in a part. */
function shareIn({ left, top, right, bottom }: FaceInFilm, part: FaceInFilm): number {
  const width = Math.max(0, Math.min(right, part.right) - Math.max(left, part.left))
  const height = Math.max(0, Math.min(bottom, part.bottom) - Math.max(top, part.top))
  return (width * height) / ((right - left) * (bottom - top))
}

/** By the plans, which say where in the source a fade ends and where it leads to. */
function fadesOf(film: PeopleFilm, source: SourceProbe, moments: readonly Moment[]) {
  const fades = FADING.flatMap((slug) => fadesIn(planOf(slug, source, moments)))
  const ofFaces = fades.filter(({ fromMs, toMs }) =>
    [fromMs, toMs].some((atMs) => facesAt(film, atMs).length > 0),
  )
  return { all: fades.length, ofFaces: ofFaces.length }
}

interface Fade {
  readonly fromMs: number
  readonly toMs: number
}

/** Of pieces that fade into each other, of a circle of them, and of a loop. */
function fadesIn({ steps }: RecipePlan): readonly Fade[] {
  const pieces = steps
    .filter(({ id }) => id.startsWith('piece-'))
    .toSorted((a, b) => a.id.localeCompare(b.id))
  const places = pieces.map((step): Fade => {
    const { startMs, endMs } = shownBy(step)
    return { fromMs: endMs - 40, toMs: startMs }
  })
  const circle = wordsOf(steps.find(({ id }) => id === 'circle')?.args ?? [])
  const isFading = pieces.map(({ inputs }, index) => {
    if (circle === '') return inputs.length > 1
    const isLast = index === pieces.length - 1
    const into = isLast ? '[head]' : `[p${index + 1}]`
    return circle.split(';').some((each) => each.includes(`${into}xfade`))
  })
  const loop = steps.find(({ id, args }) => id === 'loop' && wordsOf(args).includes('xfade'))
  const { seekMs = 0, durationMs = 0 } = loop?.inputs[0] ?? {}
  return [
    ...places.flatMap(({ fromMs }, index) =>
      isFading[index] === true
        ? [{ fromMs, toMs: places[(index + 1) % places.length]?.toMs ?? fromMs }]
        : [],
    ),
    ...(loop === undefined ? [] : [{ fromMs: seekMs + durationMs - 40, toMs: seekMs }]),
  ]
}
