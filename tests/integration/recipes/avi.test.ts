import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { beginningsOf, samplesOf } from '#tests/integration/recipes/voice.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { keptProbe } from '#tests/setup/kept-edit.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

/** 13 s at 25 pictures a second, stored out of order, that flash and beep at each full second. */
async function makeAvi(name: string, codec: readonly string[]): Promise<string> {
  const clap = 'gte(t,0.9)*lt(mod(t,1),0.2)'
  const picture = `color=s=64x64:r=25:d=13,drawbox=color=white:t=fill:enable='${clap}'`
  const sound = `aevalsrc='0.8*sin(880*2*PI*t)*${clap}':s=44100:d=13`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const sounds = ['-bf', '2', '-c:a', 'pcm_s16le']
  return await keptClip(name, inputs.concat('-pix_fmt', 'yuv420p', codec, sounds))
}

/** How late each beep is against its flash, in milliseconds. */
async function delaysOf(path: string): Promise<readonly number[]> {
  const meter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const printed = await ffmpeg(['-i', path, '-an', '-vf', meter, '-f', 'null', '-'])
  const pictures = [...printed.matchAll(/pts_time:(\S+)\n\S+YAVG=(\S+)/g)].map(
    ([, atS, light]) => ({ atS: Number(atS), isLit: Number(light) > 120 }),
  )
  const flashes = pictures.filter(
    ({ isLit }, index) => isLit && pictures[index - 1]?.isLit === false,
  )
  const beeps = beginningsOf(await samplesOf(path, 'aresample=async=1:first_pts=0'))
  return flashes.map(({ atS }) => {
    const nearest = beeps.reduce((best, each) =>
      Math.abs(each - atS) < Math.abs(best - atS) ? each : best,
    )
    return (nearest - atS) * 1000
  })
}

async function render(slug: string, payload: unknown, path: string): Promise<string> {
  const source = await keptProbe(await testFfmpeg(), path)
  const plan = findRecipe(slug)?.plan(source, payload, { moments: [], assets: [], secret: SECRET })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return Object.values(await renderKept(plan.value, { source: path }))[0] ?? ''
}

// Two moments of five seconds, which begin between two pictures.
const SAMPLE = {
  maximumDuration: 10_000,
  segmentCount: 2,
  offsetStartMs: 733,
  offsetEndMs: 0,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}

it.each([
  ['MPEG-4', ['-c:v', 'mpeg4', '-vtag', 'XVID']],
  ['H.264', ['-c:v', 'libx264', '-preset', 'ultrafast', '-b_strategy', '0']],
] as const)(
  'REC-06 REC-07 sound of an AVI whose pictures are out of order (%s) comes with its picture',
  async (name, codec) => {
    const source = await makeAvi(`${name}.avi`, codec)
    for (const delay of await delaysOf(source)) expect(delay).toBeLessThan(-30)
    for (const [slug, payload, flashes] of [
      ['uniform-sampling', SAMPLE, 10],
      ['dynamic-watermark', { text: '@me' }, 12],
    ] as const) {
      const delays = await delaysOf(await render(slug, payload, source))
      expect(delays).toHaveLength(flashes)
      for (const delay of delays) expect(Math.abs(delay)).toBeLessThan(10)
    }
  },
)
