import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxesAt, coverOf } from '#recipes/face-cover/cover.ts'
import type { Cover, FaceFinding } from '#recipes/face-cover/types.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { createFaceSearch } from '#server/media/faces/find-faces.ts'
import { photographs as allPhotographs } from '#tests/fixtures/photographs.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'
import {
  difference,
  FACES,
  frameOf,
  GROUND,
  HEIGHT,
  makeThreeFaces,
  WIDTH,
} from '#tests/setup/three-faces.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const source = probe({
  durationMs: 800,
  width: WIDTH,
  height: HEIGHT,
  frameRate: 10,
  hasAudio: false,
  audioCodec: null,
  audioChannels: 0,
})
let folder = ''
let path = ''
let finding: FaceFinding | null = null

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'face-search-'))
  path = join(folder, 'source.mp4')
  await makeThreeFaces(path, 0.8, 10)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the search for faces', () => {
  it('REC-18 finds the faces of an AVI file with pictures out of order from the first one on, with what it may see and use, and leaves nothing', async () => {
    const avi = join(folder, 'out-of-order.avi')
    await ffmpeg(['-i', path, '-c:v', 'libx264', '-bf', '3', '-g', '300', avi])
    const search = createFaceSearch(await testFfmpeg())
    const own = join(folder, 'attempt')
    await mkdir(own)
    const progress: number[] = []
    const video = {
      path: avi,
      source,
      folder: own,
      signal: new AbortController().signal,
      onProgress: (ratio: number) => progress.push(ratio),
    }
    const parts = new Map<string, unknown>()
    const kept = {
      read: (name: string) => Promise.resolve(parts.get(name) ?? null),
      keep: async (name: string, part: unknown) => {
        await Promise.resolve(parts.set(name, part))
      },
    }
    const found = await search?.find(video, kept)
    if (found?.ok !== true) throw new Error(JSON.stringify(found))
    finding = found.value
    const cover = coverOf(finding, nothingDecided)
    expect(boxesAt(cover, 0)).toHaveLength(FACES.length)
    const boxes = boxesAt(cover, 400)
    for (const [x, y, width, height] of FACES)
      expect(
        boxes.filter(
          (box) =>
            box.x * WIDTH <= x + 0.15 * width &&
            box.y * HEIGHT <= y + 0.15 * height &&
            (box.x + box.width) * WIDTH >= x + 0.85 * width &&
            (box.y + box.height) * HEIGHT >= y + 0.85 * height,
        ),
      ).toHaveLength(1)
    expect(finding.shots).toEqual([{ startMs: 0, endMs: 800 }])
    expect(progress.at(-1)).toBeCloseTo(1, 5)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(await readdir(own)).toEqual([])
    // The next attempt reads no picture of what this one has kept, and finds the same.
    expect(await search?.find({ ...video, path: join(folder, 'nothing.mp4') }, kept)).toEqual(found)
  })

  it('REC-18 finds faces that are there for three frames between two cuts', async () => {
    const short = join(folder, 'three-frames.mp4')
    const ground = 'color=c=0x405060:s=640x360:r=25:d=0.8'
    const shown = "[0][1]overlay=enable='between(n,12,14)'"
    await ffmpeg(['-f', 'lavfi', '-i', ground, '-i', path, '-filter_complex', shown, short])
    const cover = await coverFound(short, { ...source, frameRate: 25 })
    for (const atMs of [480, 520, 560]) expect(boxesAt(cover, atMs)).toHaveLength(FACES.length)
    expect(boxesAt(cover, 440)).toEqual([])
  })

  it('REC-18 hides them in the edit, leaves the rest, and shows who may be seen', async () => {
    if (finding === null) throw new Error('nothing was found')
    const [, middle] = FACES
    const visible = finding.tracks.filter(({ boxes: [box] }) => {
      const centre = ((box?.x ?? 0) + (box?.width ?? 0) / 2) * WIDTH
      return Math.abs(centre - middle[0] - middle[2] / 2) < 20
    })
    const uncovered = visible.map(({ id }) => id)
    expect(uncovered).not.toEqual([])
    const faces = coverOf(finding, { ...nothingDecided, uncovered })
    const given = { moments: [], assets: [], secret: SECRET, faces }
    const plan = findRecipe('face-blurred-full-scene')?.plan(source, {}, given)
    if (plan?.ok !== true) throw new Error('no plan')
    const made = await renderPlan(plan.value, { source: path, folder })
    const [before, after] = [
      await frameOf(path, 0.4),
      await frameOf(made['face-blur.mp4'] ?? '', 0.4),
    ]
    const changes = FACES.map((face) => difference(before, after, face))
    expect(changes[0]).toBeGreaterThan(12)
    expect(changes[1]).toBeLessThan(5)
    expect(changes[2]).toBeGreaterThan(12)
    expect(difference(before, after, GROUND)).toBeLessThan(5)
    expect(await secondsOf(made['face-blur.mp4'] ?? '')).toBeCloseTo(0.8, 1)
  })

  it('REC-18 hides the whole picture where no review came with the plan', async () => {
    const given = { moments: [], assets: [], secret: SECRET }
    const plan = findRecipe('face-blurred-full-scene')?.plan(source, {}, given)
    if (plan?.ok !== true) throw new Error('no plan')
    const made = await renderPlan(plan.value, { source: path, folder })
    const [before, after] = [
      await frameOf(path, 0.4),
      await frameOf(made['face-blur.mp4'] ?? '', 0.4),
    ]
    for (const face of FACES) expect(difference(before, after, face)).toBeGreaterThan(12)
  })

  it('REC-09 finds no face in the blurred video of people whom it finds in its source', async () => {
    const people = join(folder, 'people.mp4')
    const { seconds } = await makePeople(people)
    const of = { ...source, durationMs: seconds * 1000, width: 1280, height: 720, frameRate: 5 }
    const given = { moments: [], assets: [], secret: SECRET }
    const plan = findRecipe('blur-video-and-audio')?.plan(of, undefined, given)
    if (plan?.ok !== true) throw new Error('no plan')
    const [blurred = ''] = Object.values(await renderPlan(plan.value, { source: people, folder }))
    // One search of the source and, behind it, of what was made of it.
    const both = join(folder, 'both.mp4')
    const encoded = '-c:v libx264 -preset ultrafast -crf 16'.split(' ')
    const joined = '[0:v]fps=5,setsar=1[a];[1:v]fps=5,setsar=1[b];[a][b]concat=n=2'
    await ffmpeg(['-i', people, '-i', blurred, '-filter_complex', joined, ...encoded, both])
    const { tracks } = await coverFound(both, { ...of, durationMs: 2 * of.durationMs })
    expect(tracks.length).toBeGreaterThan(FACES_OF_ALL * 0.7)
    for (const { endMs } of tracks) expect(endMs).toBeLessThanOrEqual(of.durationMs)
  })
})

/** More of them: `npm run bench -- edits faces`. */
const photographs = allPhotographs.slice(0, 2)
const FACES_OF_ALL = photographs.reduce((sum, { faces }) => sum + faces.length, 0)

/** Two pictures of each photograph, each in a picture of its own shape. */
async function makePeople(path: string): Promise<{ readonly seconds: number }> {
  const inputs = photographs.flatMap((each) =>
    `-loop 1 -framerate 5 -t 0.4 -i`.split(' ').concat(each.path),
  )
  const fit = 'scale=1280:720:force_original_aspect_ratio=decrease'
  const shaped = photographs.map(
    (_, at) => `[${at}]${fit},pad=1280:720:-1:-1,setsar=1,format=yuv420p[p${at}];`,
  )
  const all = photographs.map((_, at) => `[p${at}]`).join('')
  const graph = `${shaped.join('')}${all}concat=n=${photographs.length}[v]`
  const encode = '-map [v] -c:v libx264 -preset ultrafast -crf 16'.split(' ')
  await ffmpeg([...inputs, '-filter_complex', graph, ...encode, path])
  return { seconds: photographs.length * 0.4 }
}

/** What the search covers of a video, before any review. */
async function coverFound(file: string, of: SourceProbe = source): Promise<Cover> {
  const own = await mkdtemp(join(folder, 'search-'))
  const found = await createFaceSearch(await testFfmpeg())?.find({
    path: file,
    source: of,
    folder: own,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  if (found?.ok !== true) throw new Error(JSON.stringify(found))
  return coverOf(found.value, nothingDecided)
}

const nothingDecided = { uncovered: [], added: [], wholly: [] }
/** How long a video is. */
async function secondsOf(file: string): Promise<number> {
  const words = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]
  return Number((await runTool('ffprobe', words)).stdout)
}
