import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boxesAt, coverOf } from '#recipes/face-cover/cover.ts'
import type { Cover, FaceRectangle } from '#recipes/face-cover/types.ts'
import { createFaceSearch } from '#server/media/faces/find-faces.ts'
import { facesIn, facesVideo, FRAMES, HEIGHT, RATE, shots, WIDTH } from './faces/corpus.ts'
import type { Figure, Section } from './figure.ts'
import { probed, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'
import { watchRuns } from '#tests/setup/watch-runs.ts'

const SLUG = 'face-blurred-full-scene'
/** Smaller faces are not known at arm's length of a phone. */
const LEAST_SIZE = 32
const SECONDS = FRAMES / RATE
/** Side of the raster on which the covered area is counted. */
const RASTER = 40

/** The search for faces, its cover before any review, and the edit of it. */
export const faces: Section = async function* () {
  const ffmpeg = await serverFfmpeg()
  const path = await facesVideo()
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
  const searchS = watch.end().cpuSeconds
  const cover = coverOf(found.value, { uncovered: [], added: [], wholly: [] })
  yield* coverFigures(cover)
  yield { edit: SLUG, of: 'tracks found in ten shots', value: cover.tracks.length, unit: '' }
  const edit = await renderEdit(ffmpeg, SLUG, {}, path, { faces: cover })
  yield {
    edit: SLUG,
    of: 'processor time of search and edit',
    value: (searchS + edit.cpuSeconds) / SECONDS,
    unit: 's per s',
    bound: { atMost: 3 },
  }
  yield { edit: SLUG, of: 'of it the search', value: searchS / SECONDS, unit: 's per s' }
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
  const again = await search.find({
    path: edit.file('face-blur.mp4'),
    source: await probed(ffmpeg, edit.file('face-blur.mp4')),
    folder: await mkdtemp(join(tmpdir(), 'onecut-bench-search-')),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  if (!again.ok) throw new Error(again.error.detail)
  const rest = coverOf(again.value, { uncovered: [], added: [], wholly: [] })
  yield {
    edit: SLUG,
    of: 'faces of 32 px and more that the search still finds in the edit',
    value: measured(rest).coveredShare,
    unit: '',
    bound: { atMost: 0.02 },
  }
}

function* coverFigures(cover: Cover): Generator<Figure> {
  const { coveredShare, openShare, area, worst } = measured(cover)
  yield {
    edit: SLUG,
    of: `face-frames of ${LEAST_SIZE} px and more covered before review`,
    value: coveredShare,
    unit: '',
    bound: { atLeast: 0.999 },
  }
  yield {
    edit: SLUG,
    of: `frames with an open face before review (most of them: ${worst})`,
    value: openShare,
    unit: '',
    bound: { atMost: 0.002 },
  }
  yield { edit: SLUG, of: 'picture covered', value: area, unit: '', bound: { atMost: 0.15 } }
}

/** What a cover hides of the faces that are known to be there. */
function measured(cover: Cover): {
  readonly coveredShare: number
  readonly openShare: number
  readonly area: number
  readonly worst: string
} {
  let [all, covered, open, area] = [0, 0, 0, 0]
  const openIn = shots.map(() => 0)
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const boxes = boxesAt(cover, (frame * 1000) / RATE)
    const large = facesIn(frame).filter(({ size }) => size >= LEAST_SIZE)
    const hidden = large.filter(({ points }) =>
      points.every(({ x, y }) => boxes.some((box) => isInside(box, x / WIDTH, y / HEIGHT))),
    )
    all += large.length
    covered += hidden.length
    area += areaOf(boxes)
    if (hidden.length === large.length) continue
    open += 1
    const shot = Math.floor((frame * shots.length) / FRAMES)
    openIn[shot] = (openIn[shot] ?? 0) + 1
  }
  const most = openIn.indexOf(Math.max(...openIn))
  return {
    coveredShare: covered / all,
    openShare: open / FRAMES,
    area: area / FRAMES,
    worst: open === 0 ? 'none' : (shots[most]?.name ?? 'none'),
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
