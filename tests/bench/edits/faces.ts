import { statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boxesAt, coverOf } from '#recipes/face-cover/cover.ts'
import type { Cover, FaceRectangle } from '#recipes/face-cover/types.ts'
import { createFaceSearch } from '#server/media/faces/find-faces.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { loudnessOf } from '#tests/integration/recipes/measure.ts'
import { byChance } from './faces/by-chance.ts'
import { facesIn, framesOf, videoOf, HEIGHT, RATE, WIDTH, type Film } from './faces/film.ts'
import { known } from './faces/known.ts'
import { strangers } from './faces/strangers.ts'
import type { Figure, Section } from './figure.ts'
import { levelVideo } from './sound-sources.ts'
import { probed, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'
import { watchRuns } from '#tests/setup/watch-runs.ts'

const SLUG = 'face-blurred-full-scene'
const INCOGNITO = 'incognito-full-scene'
const BLURRED = 'blur-video-and-audio'
/** Smaller faces are not known at arm's length of a phone. */
const LEAST_SIZE = 32
/** Side of the raster on which the covered area is counted. */
const RASTER = 40

/** The search for faces, its cover before any review, and the edit of it. */
export const faces: Section = async function* () {
  const ffmpeg = await serverFfmpeg()
  const path = await videoOf(known)
  const { cover, cpuSeconds: searchS } = await searched(ffmpeg, path)
  yield* coverFigures(known, cover)
  yield { edit: SLUG, of: 'tracks found in ten shots', value: cover.tracks.length, unit: '' }
  const edit = await renderEdit(ffmpeg, SLUG, {}, path, { faces: cover })
  const seconds = framesOf(known) / RATE
  yield {
    edit: SLUG,
    of: 'processor time of search and edit',
    value: (searchS + edit.cpuSeconds) / seconds,
    unit: 's per s',
    bound: { atMost: 3 },
  }
  yield { edit: SLUG, of: 'of it the search', value: searchS / seconds, unit: 's per s' }
  const plain = await renderEdit(ffmpeg, 'dynamic-watermark', { text: '.' }, path)
  yield {
    edit: SLUG,
    of: 'processor time of the edit, by that of a watermark',
    value: edit.cpuSeconds / plain.cpuSeconds,
    unit: '',
    bound: { atMost: 1.2 },
  }
  yield {
    edit: SLUG,
    of: 'peak memory of the edit',
    value: edit.peakBytes / 1e6,
    unit: 'MB',
    bound: { atMost: 700 },
  }
  const { cover: rest } = await searched(ffmpeg, edit.file('face-blur.mp4'))
  yield {
    edit: SLUG,
    of: 'faces of 32 px and more that the search still finds in the edit',
    value: measured(known, rest).coveredShare,
    unit: '',
    bound: { atMost: 0.02 },
  }
  yield* incognito({ ffmpeg, path, cover, picture: await picturesOf(edit.file('face-blur.mp4')) })
  yield* blurred(ffmpeg, path)
}

/** What the search sees of the same faces in the blurred video. */
async function* blurred(ffmpeg: Ffmpeg, path: string): AsyncIterable<Figure> {
  const file = (await renderEdit(ffmpeg, BLURRED, undefined, path)).file('blurred.mp4')
  const { cover } = await searched(ffmpeg, file)
  yield {
    edit: BLURRED,
    of: 'faces found in it',
    value: cover.tracks.length,
    unit: '',
    bound: { atMost: 0 },
  }
  yield {
    edit: BLURRED,
    of: 'size by that of the source',
    value: statSync(file).size / statSync(path).size,
    unit: '',
    bound: { atMost: 0.3 },
  }
}

interface Covered {
  readonly ffmpeg: Ffmpeg
  readonly path: string
  readonly cover: Cover
  /** What Face Blur made of the same faces. */
  readonly picture: string
}

/** The incognito scene of the same video with speech, beside Face Blur. */
async function* incognito({ ffmpeg, path, cover, picture }: Covered): AsyncIterable<Figure> {
  const heard = join(await mkdtemp(join(tmpdir(), 'onecut-bench-heard-')), 'heard.mp4')
  // A steady tone would be taken off as noise.
  const speech = ['-i', await levelVideo('spoken', 1), '-map', '0:v', '-map', '1:a', '-shortest']
  await plainFfmpeg(['-i', path, ...speech, '-c', 'copy', heard])
  const options = { obfuscateVoice: true, denoiseAudio: true }
  const made = await renderEdit(ffmpeg, INCOGNITO, options, heard, { faces: cover })
  const isSame = (await picturesOf(made.file('incognito.mp4'))) === picture
  yield {
    edit: INCOGNITO,
    of: 'pictures that are not those of Face Blur',
    value: isSame ? 0 : 1,
    unit: '',
    bound: { atMost: 0 },
  }
  yield {
    edit: INCOGNITO,
    of: 'memory',
    value: made.peakBytes / 1e6,
    unit: 'MB',
    bound: { atMost: 700 },
  }
  yield {
    edit: INCOGNITO,
    of: 'off -16 LUFS by',
    value: Math.abs((await loudnessOf(made.file('incognito.mp4'))) + 16),
    unit: 'LU',
    bound: { atMost: 0.5 },
  }
}

const picturesOf = (path: string): Promise<string> =>
  plainFfmpeg(['-i', path, '-map', '0:v', '-f', 'md5', '-'])

/** The search and its cover, of faces on which none of its rules was set. */
export const faceStrangers: Section = async function* () {
  const film = strangers(process.env['ONECUT_FACE_PHOTOGRAPHS'])
  if (film === null) {
    process.stderr.write('face-strangers is left out: ONECUT_FACE_PHOTOGRAPHS names no folder\n')
    return
  }
  const { cover, cpuSeconds } = await searched(await serverFfmpeg(), await videoOf(film))
  yield* coverFigures(film, cover)
  yield {
    edit: SLUG,
    of: 'processor time of the search',
    value: (cpuSeconds * RATE) / framesOf(film),
    unit: 's per s',
  }
  const hard = byChance(film)
  const { cover: hardCover } = await searched(await serverFfmpeg(), await videoOf(hard))
  const { coveredShare, openShare } = measured(hard, hardCover)
  const of = (what: string): string => `${what}, of twelve hard shots drawn by chance`
  yield { edit: SLUG, of: of('face-frames covered before review'), value: coveredShare, unit: '' }
  yield { edit: SLUG, of: of('frames with an open face'), value: openShare, unit: '' }
}

async function searched(
  ffmpeg: Ffmpeg,
  path: string,
): Promise<{ readonly cover: Cover; readonly cpuSeconds: number }> {
  const search = createFaceSearch(ffmpeg)
  if (search === null) throw new Error('The models of the face search are not installed')
  const source = await probed(ffmpeg, path)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-search-'))
  const watch = watchRuns(folder)
  const found = await search.find({
    path,
    source,
    folder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  if (!found.ok) throw new Error(found.error.detail)
  const cover = coverOf(found.value, { uncovered: [], added: [], wholly: [] })
  return { cover, cpuSeconds: watch.end().cpuSeconds }
}

function* coverFigures(film: Film, cover: Cover): Generator<Figure> {
  const { coveredShare, openShare, area, worst } = measured(film, cover)
  yield {
    edit: SLUG,
    of: `face-frames of ${LEAST_SIZE} px and more covered before review`,
    value: coveredShare,
    unit: '',
    bound: { atLeast: 0.999 },
  }
  yield {
    edit: SLUG,
    of: `frames with an open face before review (by shot: ${worst})`,
    value: openShare,
    unit: '',
    bound: { atMost: 0.002 },
  }
  yield { edit: SLUG, of: 'picture covered', value: area, unit: '', bound: { atMost: 0.15 } }
}

/** What a cover hides of the faces that are known to be there. */
function measured(
  film: Film,
  cover: Cover,
): {
  readonly coveredShare: number
  readonly openShare: number
  readonly area: number
  readonly worst: string
} {
  let [all, covered, open, area] = [0, 0, 0, 0]
  const openIn = film.shots.map(() => 0)
  for (let frame = 0; frame < framesOf(film); frame += 1) {
    const boxes = boxesAt(cover, (frame * 1000) / RATE)
    const large = facesIn(film, frame).filter(({ size }) => size >= LEAST_SIZE)
    const hidden = large.filter(({ points }) =>
      points.every(({ x, y }) => boxes.some((box) => isInside(box, x / WIDTH, y / HEIGHT))),
    )
    all += large.length
    covered += hidden.length
    area += areaOf(boxes)
    if (hidden.length === large.length) continue
    open += 1
    const shot = Math.floor(frame / film.shotFrames)
    openIn[shot] = (openIn[shot] ?? 0) + 1
  }
  const shots = film.shots.flatMap(({ name }, index) =>
    openIn[index] === 0 ? [] : [`${name} ${openIn[index]}`],
  )
  return {
    coveredShare: covered / all,
    openShare: open / framesOf(film),
    area: area / framesOf(film),
    worst: open === 0 ? 'none' : shots.join(', '),
  }
}

function areaOf(boxes: readonly FaceRectangle[]): number {
  let inside = 0
  for (let row = 0; row < RASTER; row += 1)
    for (let column = 0; column < RASTER; column += 1) {
      const [x, y] = [(column + 0.5) / RASTER, (row + 0.5) / RASTER]
      if (boxes.some((box) => isInside(box, x, y))) inside += 1
    }
  return inside / RASTER ** 2
}

function isInside(box: FaceRectangle, x: number, y: number): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height
}
