import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GIF_RATE } from '#recipes/gif-encoding.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { PlanStep } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { makeGreyNoise } from '#tests/setup/grey-noise.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { keptMoments, renderKept } from '#tests/setup/kept-render.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gif-pack-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  { name: 'wide', size: { width: 320, height: 180 }, x: '265+13*sin(6*t)', y: '80+13*cos(6*t)' },
  {
    name: 'upright',
    size: { width: 180, height: 320 },
    x: '80+13*sin(6*t)',
    y: '270+13*cos(6*t)',
  },
])(
  'REC-03 GIFs of a $name video show who moves beside its middle, each file at another moment',
  async ({ name, size, x, y }) => {
    const path = await movingSquare(name, size, x, y)
    const source = probe({ durationMs: 20_000, frameRate: 15, hasAudio: false, ...size })
    const moments = await keptMoments(source, path)
    const plan = findRecipe('social-media-gif-pack')?.plan(source, undefined, {
      moments,
      assets: [],
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const files = await renderKept(plan.value, { source: path })
    const shown = await Promise.all(Object.entries(files).map(lookAt))
    expect(shown).toHaveLength(4)
    for (const { file, reds } of shown.filter(({ file }) => file.endsWith('.gif'))) {
      expect(reds.length).toBeGreaterThan(30)
      // The palette and the encoder take some of its edge.
      expect(Math.min(...reds), file).toBeGreaterThan(0.8 * SQUARE_PX ** 2)
    }
    const inOrder = shown.toSorted((a, b) => a.fromS - b.fromS)
    for (const [index, { file, fromS, toS }] of inOrder.entries()) {
      expect(toS - fromS, file).toBeGreaterThan(2)
      expect(fromS, file).toBeGreaterThan((inOrder[index - 1]?.toS ?? 0) - 0.3)
    }
  },
)

it('REC-03 a GIF of noise is at most 10 MB, which it exceeds at its usual size', async () => {
  const [side, seconds] = [480, 3]
  const noise = join(folder, 'noise.mp4')
  await makeGreyNoise(noise, side, seconds)
  const facts = { frameRate: GIF_RATE.value, width: side, height: side, hasAudio: false }
  const plan = findRecipe('social-media-gif-pack')?.plan(
    probe({ durationMs: seconds * 1000, ...facts }),
    undefined,
    { moments: [], assets: [], secret: SECRET },
  )
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const [first, ...others] = plan.value.steps.filter(({ id }) => id.startsWith('gif-square'))
  if (first === undefined) throw new Error('no step')
  const sizeAfter = async (steps: readonly PlanStep[]): Promise<number> => {
    // In one folder: the second try looks at what the first one made.
    const files = await renderPlan({ ...plan.value, steps }, { source: noise, folder })
    return (await stat(files['gif-square.gif'] ?? '')).size
  }
  expect(await sizeAfter([first])).toBeGreaterThan(10_000_000)
  expect(await sizeAfter(others)).toBeLessThanOrEqual(10_000_000)
})

interface Shown {
  readonly file: string
  /** Red pixels in each picture. */
  readonly reds: readonly number[]
  /** Which seconds of the clip its ground tells. */
  readonly fromS: number
  readonly toS: number
}

async function lookAt([file, path]: readonly [string, string]): Promise<Shown> {
  const { video } = await streamsOf(path)
  const pictureBytes = (video?.width ?? 0) * (video?.height ?? 0) * 3
  const bytes = await rawPictures(path, 'format=rgb24')
  const pictures = Array.from({ length: bytes.length / pictureBytes }, (_, index) =>
    bytes.subarray(index * pictureBytes, (index + 1) * pictureBytes),
  )
  const seconds = pictures.map(groundSecond)
  return {
    file,
    reds: pictures.map(redIn),
    fromS: Math.min(...seconds),
    toS: Math.max(...seconds),
  }
}

function redIn(picture: Uint8Array): number {
  let count = 0
  for (let at = 0; at < picture.length; at += 3)
    if ((picture[at] ?? 0) > 150 && (picture[at + 1] ?? 0) < 90) count += 1
  return count
}

/** The second that the ground, which is most of a picture, tells by its brightness. */
function groundSecond(picture: Uint8Array): number {
  const everyPx = 47
  const greens = Uint8Array.from(
    { length: Math.floor(picture.length / 3 / everyPx) },
    (_, index) => picture[index * 3 * everyPx + 1] ?? 0,
  ).toSorted()
  const luma = 16 + ((greens[Math.floor(greens.length / 2)] ?? 0) * 219) / 255
  return (luma - DARKEST) / BRIGHTER_A_SECOND
}

const SQUARE_PX = 24
const [DARKEST, BRIGHTER_A_SECOND] = [60, 6] as const

/** A red square that goes round a place, before a still ground that gets brighter. */
async function movingSquare(
  name: string,
  { width, height }: { readonly width: number; readonly height: number },
  x: string,
  y: string,
): Promise<string> {
  const words = (text: string): string[] => text.split(' ')
  return await keptClip(`${name}.mp4`, [
    ...words('-f lavfi -i'),
    `nullsrc=s=16x16:r=15:d=20,geq=lum='${DARKEST}+${BRIGHTER_A_SECOND}*T':cb=128:cr=128,scale=${width}:${height}:flags=neighbor`,
    ...words(`-f lavfi -i color=red:s=${SQUARE_PX}x${SQUARE_PX}:r=15:d=20`),
    '-filter_complex',
    `[0:v]drawgrid=w=40:h=40:color=darkgray[g];[g][1:v]overlay=x='${x}':y='${y}'`,
    ...words('-c:v libx264 -preset superfast -pix_fmt yuv420p'),
  ])
}
