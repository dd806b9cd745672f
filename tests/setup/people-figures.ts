import { findRecipe } from '#recipes/presets.ts'
import type { Moment, PlanStep, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { facesAt, HEIGHT, WIDTH, type FaceInFilm, type PeopleFilm } from './people-films.ts'

/** How much edits of a film show of people, as shares of 0 to 1. */
export interface PeopleFigures {
  /** Of the time of the film in which a face is seen. */
  readonly film: number
  readonly stills: number
  /** Of the time of all passages of each edit, by its slug. */
  readonly passages: Readonly<Record<string, number>>
  /** Pictures of the GIFs that are cut out, and those of them in which a head is cut. */
  readonly cutOut: { readonly pictures: number; readonly cut: number }
}

export const EDITS = [
  'teaser-15s',
  'social-media-gif-pack',
  'team-skeet-thumbnail-video',
  'short-trailer-gif',
] as const

/** Told by where the faces of the film are; nothing is rendered. */
export function peopleFigures(
  film: PeopleFilm,
  source: SourceProbe,
  moments: readonly Moment[],
): PeopleFigures {
  const stills = passagesOf('still-pack', source, moments).map(({ startMs }) => startMs)
  return {
    film: shareOf(film, timesIn(0, film.durationMs)),
    stills: shareOf(film, stills),
    passages: Object.fromEntries(
      EDITS.map((slug) => [
        slug,
        shareOf(
          film,
          passagesOf(slug, source, moments).flatMap(({ startMs, endMs }) =>
            timesIn(startMs, endMs),
          ),
        ),
      ]),
    ),
    cutOut: cutOutOf(film, source, moments),
  }
}

function passagesOf(slug: string, source: SourceProbe, moments: readonly Moment[]) {
  const recipe = findRecipe(slug)
  const timeline = recipe?.timeline?.(source, recipe.typicalPayload, { moments })
  if (timeline?.ok !== true) throw new Error(`${slug} has no timeline`)
  return timeline.value
}

function shareOf(film: PeopleFilm, timesMs: readonly number[]): number {
  return timesMs.filter((atMs) => facesAt(film, atMs).length > 0).length / timesMs.length
}

function timesIn(fromMs: number, toMs: number): readonly number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / 40) }, (_, at) => fromMs + at * 40)
}

/** By the filters of the plan, which say what is cut out. */
function cutOutOf(film: PeopleFilm, source: SourceProbe, moments: readonly Moment[]) {
  const plan = findRecipe('social-media-gif-pack')?.plan(source, undefined, {
    moments,
    assets: [],
    secret: SECRET,
  })
  if (plan?.ok !== true) throw new Error('no plan')
  const gifs = plan.value.steps.filter(({ id }) => id === 'gif-square' || id === 'gif-upright')
  const cut = gifs.flatMap((step) => {
    const part = partOf(step)
    const { seekMs = 0, durationMs = 0 } = step.inputs[0] ?? {}
    return timesIn(seekMs, seekMs + durationMs).map((atMs) =>
      facesAt(film, atMs).some((face) => isCut(headOf(face), part)),
    )
  })
  return { pictures: cut.length, cut: cut.filter(Boolean).length }
}

function partOf({ args }: PlanStep): FaceInFilm {
  const words = args.flatMap((arg) => (typeof arg === 'string' ? [arg] : [])).join(' ')
  const [, width = 0, height = 0, left = 0, top = 0] = (
    /crop=(\d+):(\d+):(\d+):(\d+)/.exec(words) ?? []
  ).map(Number)
  if (width === 0) throw new Error('nothing is cut out')
  return { left, top, right: left + width, bottom: top + height }
}

/** With some hair, as far as the film itself shows it. */
function headOf({ left, top, right, bottom }: FaceInFilm): FaceInFilm {
  return {
    left: Math.max(0, left),
    top: Math.max(0, top - 0.2 * (bottom - top)),
    right: Math.min(WIDTH, right),
    bottom: Math.min(HEIGHT, bottom),
  }
}

/** A part of it is seen, and a part is not; a twentieth of it is what no one sees. */
function isCut(head: FaceInFilm, part: FaceInFilm): boolean {
  const width = Math.min(head.right, part.right) - Math.max(head.left, part.left)
  const height = Math.min(head.bottom, part.bottom) - Math.max(head.top, part.top)
  if (width <= 0 || height <= 0) return false
  const share = (width * height) / ((head.right - head.left) * (head.bottom - head.top))
  return share > 0.05 && share < 0.95
}
