import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { keptJson, keptPlan, SEARCH } from '#tests/setup/kept-render.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'
import { unzip } from '#tests/setup/zip.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const never = new AbortController().signal
/** All stills as one input of ffmpeg: each start costs as much as all of them. */
const STILLS = 'still-%02d.jpg'
const stillName = (at: number): string => STILLS.replace('%02d', String(at + 1).padStart(2, '0'))
const source = probe({
  durationMs: 32_000,
  width: 480,
  height: 270,
  frameRate: 15,
  hasAudio: false,
  audioCodec: null,
})

/** Where the stills are. */
let folder = ''
let clip = ''
/** Where each still lies in the source, in milliseconds, by its name. */
let places: ReadonlyMap<string, number>
beforeAll(async () => {
  const ffmpeg = await testFfmpeg()
  clip = await shakyClip()
  const placesIn = (own: string) => ({ source: clip, folder: own, assetPaths: new Map() })
  const ingredients = ['plain stills', { file: clip }, ...SEARCH]
  // The clip shows no people, so the network that would see people is not started.
  const tools = { ...ffmpeg, canRunNode: false }
  const moments = await keptJson<readonly Moment[]>(ingredients, async (own) =>
    analyseMoments(tools, source, placesIn(own), never, () => undefined),
  )
  const context = { moments, assets: [], secret: SECRET }
  const recipe = findRecipe('still-pack')
  const plan = recipe?.plan(source, undefined, context)
  const timeline = recipe?.timeline?.(source, undefined, context)
  if (plan?.ok !== true || timeline?.ok !== true) throw new Error('no plan')
  folder = await keptPlan(plan.value, ffmpeg.confinement.kind, [clip], async (own) => {
    const material = { source, assets: [] }
    const places = placesIn(own)
    const made = await renderPlan(ffmpeg, plan.value, material, places, never, () => undefined)
    if (!made.ok) throw new Error(made.error.detail)
  })
  places = new Map(timeline.value.map(({ output, startMs }) => [output, startMs]))
})

it('REC-04 stills are as sharp as the sharpest frames around them, though most frames are blurred', async () => {
  const frames = await sharpnessOf(clip)
  const blurred = frames.filter(({ atS }) => isBlurredAt(atS))
  expect(blurred.length / frames.length).toBeGreaterThan(0.65)
  const stills = await sharpnessOf(join(folder, STILLS))
  expect(stills).toHaveLength(12)
  expect([...places.keys()]).toEqual(stills.map((_, at) => stillName(at)))
  for (const [index, [name, atMs]] of [...places].entries()) {
    const still = stills[index]
    const stillS = atMs / 1000
    const around = frames.filter(
      ({ atS }) => Math.abs(atS - stillS) < 1 && sceneAt(atS) === sceneAt(stillS),
    )
    const best = Math.max(...around.map(({ sharpness }) => sharpness))
    // A blurred frame has a fifth of it. The encoder takes some from pictures between key frames.
    expect((still?.sharpness ?? 0) / best, `${name} at ${atMs} ms`).toBeGreaterThan(0.6)
  }
})

it('REC-04 stills are at full size, none is black or like another, and a contact sheet shows all', async () => {
  const shown = '-v error -show_entries frame=width,height:stream=codec_name -of csv=p=0'
  const { stdout } = await runTool('ffprobe', [...shown.split(' '), join(folder, STILLS)])
  const size = `${source.width},${source.height}`
  expect(stdout.trim().split('\n')).toEqual([...Array(12).fill(size), 'mjpeg'])
  const sheet = await streamsOf(join(folder, 'contact-sheet.jpg'))
  expect(sheet.video).toMatchObject({ width: 4 * 480 + 3 * 12 + 48, height: 3 * 270 + 2 * 12 + 48 })
  const [width, height] = [64, 36]
  const filter = `scale=${width}:${height}:flags=area,format=gray`
  const all = await rawPictures(join(folder, STILLS), filter)
  const pictures = Array.from({ length: 12 }, (_, at) =>
    all.subarray(at * width * height, (at + 1) * width * height),
  )
  expect(all).toHaveLength(12 * width * height)
  for (const picture of pictures)
    expect(picture.reduce((sum, value) => sum + value, 0) / picture.length).toBeGreaterThan(30)
  const differences = pictures.flatMap((a, index) =>
    pictures.slice(index + 1).map((b) => meanDifference(a, b)),
  )
  expect(Math.min(...differences)).toBeGreaterThan(6)
})

it('REC-04 the ZIP holds the twelve stills and the contact sheet, byte for byte', async () => {
  const files = unzip(await readFile(join(folder, 'stills.zip')))
  expect(files.size).toBe(13)
  for (const name of [...places.keys(), 'contact-sheet.jpg']) {
    const own = await readFile(join(folder, name))
    expect(
      [...files.values()].filter((bytes) => bytes.equals(own)),
      name,
    ).toHaveLength(1)
  }
})

/** The hand is steady for half a second, then shakes for longer than the longest stretch. */
const SHAKES = { everyS: 1.7, fromS: 0.5 }
const SCENE_S = 4

function isBlurredAt(atS: number): boolean {
  return atS % SHAKES.everyS > SHAKES.fromS
}

/** The scene that a time lies in. */
function sceneAt(atS: number): number {
  return Math.floor(atS / SCENE_S)
}

/** Eight scenes, in which the camera moves over one picture and shakes. */
async function shakyClip(): Promise<string> {
  const filters = [
    'trim=end_frame=1,loop=loop=-1:size=1,setpts=N/15/TB,fps=15,format=yuv420p',
    `crop=480:270:x='mod(floor(t/${SCENE_S})*150,500)+40*mod(t,${SCENE_S})':y='mod(floor(t/${SCENE_S})*190,400)'`,
    `hue=H='floor(t/${SCENE_S})'`,
    `gblur=sigma=2.5:enable='gt(mod(t\\,${SHAKES.everyS})\\,${SHAKES.fromS})'`,
    'noise=alls=3:allf=t:all_seed=1,format=yuv420p',
  ]
  const words = (text: string): string[] => text.split(' ')
  return await keptClip('shaky.mp4', [
    ...words('-f lavfi -i mandelbrot=s=1200x720:start_scale=0.3:rate=1 -t 32 -vf'),
    filters.join(','),
    ...words('-c:v libx264 -preset superfast -crf 20'),
  ])
}

/** How much a picture changes from pixel to pixel, of each picture of a file. */
async function sharpnessOf(
  path: string,
): Promise<readonly { readonly atS: number; readonly sharpness: number }[]> {
  const bend = '0 -1 0 -1 4 -1 0 -1 0'
  const filter =
    `format=gray,convolution='${bend}:${bend}:${bend}:${bend}',signalstats,` +
    'metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const text = await plainFfmpeg(['-i', path, '-an', '-vf', filter, '-f', 'null', '-'])
  return [...text.matchAll(/pts_time:([\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.]+)/g)].map(
    ([, atS, sharpness]) => ({ atS: Number(atS), sharpness: Number(sharpness) }),
  )
}

function meanDifference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}
