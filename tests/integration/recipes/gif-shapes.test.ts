import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { analyse, ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'

let folder = ''

// Rendering takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gif-shapes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  { name: 'wide', size: { width: 480, height: 270 }, x: '400+20*sin(6*t)', y: '120+20*cos(6*t)' },
  {
    name: 'upright',
    size: { width: 270, height: 480 },
    x: '120+20*sin(6*t)',
    y: '410+20*cos(6*t)',
  },
])(
  'REC-03 GIFs of a $name video show who moves beside its middle',
  async ({ name, size, x, y }) => {
    const path = join(folder, `${name}.mp4`)
    await makeClip(path, size, x, y)
    const own = await mkdtemp(join(folder, `${name}-`))
    const source = probe({ durationMs: 20_000, frameRate: 25, hasAudio: false, ...size })
    const moments = await analyse(source, { source: path, folder: own })
    const plan = findRecipe('social-media-gif-pack')?.plan(source, undefined, {
      moments,
      assets: [],
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const files = await renderPlan(plan.value, { source: path, folder: own })
    for (const gif of ['gif-square.gif', 'gif-wide.gif', 'gif-upright.gif']) {
      const shown = await redIn(files[gif] ?? '')
      expect(shown.length).toBeGreaterThan(30)
      // The palette and the encoder take some of its edge.
      expect(Math.min(...shown), gif).toBeGreaterThan(0.8 * SQUARE_PX ** 2)
    }
  },
)

/** Red pixels in each picture. */
async function redIn(path: string): Promise<readonly number[]> {
  const { video } = await streamsOf(path)
  const pictureBytes = (video?.width ?? 0) * (video?.height ?? 0) * 3
  const bytes = await rawPictures(path, 'format=rgb24')
  const counts = Array.from({ length: bytes.length / pictureBytes }, () => 0)
  for (let at = 0; at < bytes.length; at += 3) {
    const picture = Math.floor(at / pictureBytes)
    if ((bytes[at] ?? 0) > 150 && (bytes[at + 1] ?? 0) < 90)
      counts[picture] = (counts[picture] ?? 0) + 1
  }
  return counts
}

const SQUARE_PX = 32

/** A red square that goes round a place, before a picture that stands still. */
async function makeClip(
  path: string,
  { width, height }: { readonly width: number; readonly height: number },
  x: string,
  y: string,
): Promise<void> {
  const words = (text: string): string[] => text.split(' ')
  await ffmpeg([
    ...words(`-f lavfi -i color=gray:s=${width}x${height}:r=25:d=20`),
    ...words(`-f lavfi -i color=red:s=${SQUARE_PX}x${SQUARE_PX}:r=25:d=20`),
    '-filter_complex',
    `[0:v]drawgrid=w=60:h=60:color=darkgray[g];[g][1:v]overlay=x='${x}':y='${y}'`,
    ...words('-c:v libx264 -preset superfast -pix_fmt yuv420p'),
    path,
  ])
}
