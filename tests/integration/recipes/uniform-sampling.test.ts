import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { AssetSource } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { similarity, streamsOf } from '#tests/integration/recipes/measure.ts'
import { levelOf, samplesOf } from '#tests/integration/recipes/voice.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

const recipe = findRecipe('uniform-sampling')
const source = probe({ durationMs: 60_000, width: 648, height: 486, frameRate: 5 })
const payload = {
  maximumDuration: 10_000,
  segmentCount: 5,
  offsetStartMs: 5_000,
  offsetEndMs: 5_000,
}
let folder = ''
let clip = ''
/** The edit of `payload`. */
let path = ''

/**
 * A minute in which the brightness of the picture tells the time: from black at 0 s to white at
 * 60 s.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sampling-'))
  clip = await keptClip('sampling.mp4', [
    '-f',
    'lavfi',
    '-i',
    "nullsrc=s=54x40:r=5:d=60,geq=lum='16+219*T/60+8*mod(X+Y\\,2)':cb=128:cr=128,scale=648:486:flags=neighbor",
    '-f',
    'lavfi',
    '-i',
    'sine=f=300:d=60',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '30',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ])
  path = await render(payload)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function render(
  payload: unknown,
  assets: readonly (AssetSource & { readonly path: string })[] = [],
): Promise<string> {
  const plan = recipe?.plan(source, payload, { moments: [], assets, secret: SECRET })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const files = await renderKept(plan.value, {
    source: clip,
    assets: Object.fromEntries(assets.map(({ id, path }) => [id, path])),
  })
  return files['uniform-sampling.mp4'] ?? ''
}

/** Which second of the clip a file shows at a time. Its pictures are looked at in one run. */
async function secondsShown(path: string): Promise<(atS: number) => number> {
  const meter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const text = await ffmpeg(['-i', path, '-an', '-vf', meter, '-f', 'null', '-'])
  const levels = [...text.matchAll(/pts_time:([\d.]+)\s+lavfi[\w.]+=([\d.]+)/g)]
  return (atS) => {
    const level = levels.find(([, ptsS]) => Number(ptsS) > atS - 0.005)?.[2]
    return ((Number(level) - 16 - 4) / 219) * 60
  }
}

describe('uniform sampling', () => {
  it('OPT-05, REC-07 is as long as asked for and shows the middle of each fifth of what is not left out', async () => {
    const { durationS, video, audio } = await streamsOf(path)
    expect(Math.abs(durationS - 10)).toBeLessThan(0.1)
    expect(Math.abs(Number(video?.duration) - 10)).toBeLessThan(0.05)
    expect(video).toMatchObject({ codec_name: 'h264', width: 648, height: 486 })
    expect(audio).toMatchObject({ codec_name: 'aac' })
    // 5 to 55 s in five stretches of 10 s; each moment is 2 s long and begins 4 s into its
    // stretch.
    const secondShownAt = await secondsShown(path)
    for (const [index, beginsAtS] of [9, 19, 29, 39, 49].entries()) {
      for (const intoS of [0.4, 1.6])
        expect(Math.abs(secondShownAt(index * 2 + intoS) - beginsAtS - intoS)).toBeLessThan(0.5)
    }
  })

  it('REC-07 lets no hole be heard at its cuts, and no click', async () => {
    const samples = await samplesOf(path)
    const hundredth = Math.floor(samples.length / 1000)
    const levels = Array.from({ length: 999 }, (_, index) =>
      levelOf(samples.subarray(index * hundredth, (index + 1) * hundredth)),
    )
    const usual = levels[100] ?? 0
    for (const cutS of [2, 4, 6, 8]) {
      const around = levels.slice(cutS * 100 - 30, cutS * 100 + 30)
      expect(around.filter((level) => level < usual - 6).length).toBeLessThanOrEqual(5)
    }
    const steps = samples.map((sample, at) => Math.abs(sample - (samples[at - 1] ?? sample)))
    const largestOf = (some: Float32Array): number => some.reduce((a, b) => Math.max(a, b), 0)
    const inside = steps.subarray(50 * hundredth, 150 * hundredth)
    expect(largestOf(steps)).toBeLessThan(1.5 * largestOf(inside))
  })

  it('OPT-05 previews each moment as the finished edit shows it', async () => {
    const timeline = recipe?.timeline?.(source, payload, { moments: [] })
    if (timeline?.ok !== true) throw new Error('no timeline')
    expect(timeline.value).toEqual(
      [9, 19, 29, 39, 49].map((startS, index) => ({
        startMs: startS * 1000,
        endMs: startS * 1000 + 2000,
        outputStartMs: index * 2000,
        output: 'uniform-sampling.mp4',
      })),
    )
    const plan = recipe?.preview?.(
      source,
      payload,
      { startMs: 29_000, durationMs: 4000 },
      { secret: SECRET },
    )
    if (plan?.ok !== true) throw new Error('no preview')
    const made = (await renderKept(plan.value, { source: clip }))['uniform-sampling.mp4']
    const { durationS, video } = await streamsOf(made)
    expect(durationS).toBeLessThan(3.1)
    expect(video).toMatchObject({ codec_name: 'h264', width: 640, height: 480 })
    expect(await similarity({ path: made, atS: 0 }, { path, atS: 4 }, 1.9)).toBeGreaterThan(0.95)
  })

  it('OPT-05, REC-07 puts intro and outro around it, and shows all that is left when that is less than asked for', async () => {
    const logo = join(folder, 'logo.png')
    await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=500x200', '-frames:v', '1', logo])
    const assets = [
      {
        id: 'a',
        kind: 'image',
        path: logo,
        probe: probe({ durationMs: 0, width: 500, height: 200, hasAudio: false }),
      },
    ] as const
    const ended = await render(
      {
        maximumDuration: 60_000,
        segmentCount: 3,
        offsetStartMs: 50_000,
        offsetEndMs: 0,
        introMediaAssetIds: ['a'],
        outroMediaAssetIds: ['a'],
      },
      assets,
    )
    expect(Math.abs((await streamsOf(ended)).durationS - 16)).toBeLessThan(0.1)
    const secondShownAt = await secondsShown(ended)
    expect(Math.abs(secondShownAt(4) - 51)).toBeLessThan(0.5)
    expect(Math.abs(secondShownAt(12) - 59)).toBeLessThan(0.5)
  })
})
