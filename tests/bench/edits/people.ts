/** What edits show of the people of films, beside a search that knows nothing of people. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Moment } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { EDITS, peopleFigures, type PeopleFigures } from '#tests/setup/people-figures.ts'
import { makePeopleFilm, peopleFilm, UPRIGHT, WIDE } from '#tests/setup/people-films.ts'
import { probed, serverFfmpeg } from '#tests/setup/render-edit.ts'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'
import type { Figure, Section } from './figure.ts'

/**
 * A minute is hardly longer than some edits; of four minutes they leave most out. A camera passes
 * over photographs of groups, so that their own pictures cut faces; standing people are whole.
 */
const FILMS = [
  { name: 'wide', size: WIDE, people: 'groups', count: 8, seconds: 62, seed: 100 },
  { name: 'upright', size: UPRIGHT, people: 'groups', count: 6, seconds: 62, seed: 120 },
  { name: 'standing', size: WIDE, people: 'standing', count: 6, seconds: 62, seed: 300 },
  { name: 'standing upright', size: UPRIGHT, people: 'standing', count: 4, seconds: 62, seed: 320 },
  { name: 'long', size: WIDE, people: 'groups', count: 3, seconds: 240, seed: 140 },
  { name: 'long upright', size: UPRIGHT, people: 'groups', count: 3, seconds: 240, seed: 160 },
] as const
const never = new AbortController().signal

export const people: Section = async function* () {
  // Without confinement: the processor time of confined tools is not counted for this process.
  const confinement = { kind: 'none', uid: null, nice: null } as const
  const ffmpeg = { ...(await serverFfmpeg()), confinement }
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-people-'))
  try {
    for (const kind of FILMS) {
      const all: Both[] = []
      for (let index = 0; index < kind.count; index += 1) {
        const share = 0.3 + (0.4 * index) / (kind.count - 1)
        const film = peopleFilm(kind.seed + index, kind.seconds, share, kind.size, kind.people)
        const path = join(folder, `${kind.name}-${index}.mp4`)
        await makePeopleFilm(film, path, folder)
        const source = await probed(ffmpeg, path)
        const before = await searched({ ...ffmpeg, canRunNode: false }, path, folder)
        const after = await searched(ffmpeg, path, folder)
        const both = {
          before: peopleFigures(film, source, before.moments),
          after: peopleFigures(film, source, after.moments),
        }
        all.push(both)
        yield* figuresOf(`${kind.name} ${index + 1}`, both)
      }
      yield* headsCut(kind.name, all)
      yield* facesSliced(kind.name, all)
      yield* fadesOfFaces(kind.name, all)
    }
    yield* cost(ffmpeg, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What edits show after a search that knows nothing of people, and after one that does. */
interface Both {
  readonly before: PeopleFigures
  readonly after: PeopleFigures
}

function* figuresOf(name: string, { before, after }: Both): Iterable<Figure> {
  // A passage that begins within a second of a shot is known to a second.
  const bound = { atLeast: after.film - 0.02 }
  yield { edit: 'all', of: `${name}: time with a face`, value: after.film, unit: '' }
  yield { edit: 'still-pack', of: `${name}: without faces`, value: before.stills, unit: '' }
  yield { edit: 'still-pack', of: `${name}: with a face`, value: after.stills, unit: '', bound }
  for (const edit of EDITS) {
    yield { edit, of: `${name}: without faces`, value: before.passages[edit] ?? NaN, unit: '' }
    yield { edit, of: `${name}: with a face`, value: after.passages[edit] ?? NaN, unit: '', bound }
  }
}

function* headsCut(name: string, all: readonly Both[]): Iterable<Figure> {
  for (const when of ['before', 'after'] as const) {
    const sum = (part: 'pictures' | 'cut' | 'headless'): number =>
      all.reduce((total, each) => total + each[when].cutOut[part], 0)
    for (const [part, words] of [
      ['cut', 'a cut head'],
      ['headless', 'a body alone'],
    ] as const)
      yield {
        edit: 'social-media-gif-pack',
        of: `${name}: pictures with ${words}, of ${sum('pictures')}${when === 'before' ? ', without faces' : ''}`,
        value: sum(part) / sum('pictures'),
        unit: '',
        ...(when === 'after' ? { bound: { atMost: 0.01 } } : {}),
      }
  }
}

/** Means of all films, after the search that knows people. */
function* facesSliced(name: string, all: readonly Both[]): Iterable<Figure> {
  for (const [edit, part, of] of [
    ['all', 'film', 'the film'],
    ['still-pack', 'stills', 'stills'],
    ['all', 'passages', 'passages of all of the picture'],
  ] as const) {
    const value = all.reduce((sum, { after }) => sum + after.sliced[part], 0) / all.length
    yield {
      edit,
      of: `${name}: time with people in which the picture cuts a face, ${of}`,
      value,
      unit: '',
    }
  }
}

/** After the search that knows people. */
function* fadesOfFaces(name: string, all: readonly Both[]): Iterable<Figure> {
  const sum = (part: 'all' | 'ofFaces'): number =>
    all.reduce((total, { after }) => total + after.fades[part], 0)
  yield {
    edit: 'all',
    of: `${name}: fades in which a face is seen, of ${sum('all')} fades`,
    value: sum('ofFaces'),
    unit: '',
    bound: { atMost: 0 },
  }
}

/** What looking for faces adds to a search of a minute of 1080p. */
async function* cost(ffmpeg: Ffmpeg, folder: string): AsyncIterable<Figure> {
  const path = join(folder, 'large.mp4')
  const larger = 'scale=1920:1080,noise=alls=6:allf=t,fps=30'
  const encoding = '-c:v libx264 -preset superfast -b:v 8M -maxrate 10M -bufsize 16M'
  const from = join(folder, 'wide-0.mp4')
  await plainFfmpeg(['-i', from, '-vf', larger, ...encoding.split(' '), path])
  const before = await searched({ ...ffmpeg, canRunNode: false }, path, folder)
  const after = await searched(ffmpeg, path, folder)
  const of = (what: string): string => `a minute of 1080p: ${what}`
  yield { edit: 'all', of: of('search without faces'), value: before.cpuS, unit: 's' }
  yield { edit: 'all', of: of('search'), value: after.cpuS, unit: 's' }
  yield { edit: 'all', of: of('the one by the other'), value: after.cpuS / before.cpuS, unit: '' }
  // A search looks for faces in 120 pictures at most.
  const each = (after.cpuS - before.cpuS) / FILMS[0].seconds
  const most = { atMost: 24 }
  yield {
    edit: 'all',
    of: of('the most that it may add'),
    value: 120 * each,
    unit: 's',
    bound: most,
  }
}

async function searched(
  ffmpeg: Ffmpeg,
  path: string,
  folder: string,
): Promise<{ readonly moments: readonly Moment[]; readonly cpuS: number }> {
  const source = await probed(ffmpeg, path)
  const places = { source: path, folder, assetPaths: new Map<string, string>() }
  const begun = await cpuSeconds()
  const moments = await analyseMoments(ffmpeg, source, places, never, () => undefined)
  return { moments, cpuS: (await cpuSeconds()) - begun }
}

/** Of this process and of those that it has started and that have ended. */
async function cpuSeconds(): Promise<number> {
  const words = (await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ') ?? []
  return words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
