import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { grainIn, GRAIN_LOOK } from '#recipes/grain.ts'
import { grayRun } from '#recipes/gray-pictures.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { renderKept } from './kept-render.ts'
import { ffmpeg } from './render-plan.ts'

const LOSSLESS = '-c:v libx264 -qp 0 -preset ultrafast'.split(' ')

/**
 * The grain of a video of two seconds or more, as the check after the upload measures it.
 * @param raw scratch file for its pictures
 */
export async function grainOf(path: string, raw = `${path}.raw`): Promise<number> {
  const { args } = grayRun([500], [GRAIN_LOOK])
  const words = args.map((arg) => (typeof arg === 'string' ? arg : raw))
  await ffmpeg(['-y', '-ss', '0.5', '-i', path].concat(words))
  return grainIn([await readFile(raw)]) ?? Number.NaN
}

/** How many dB nearer to the picture without grain of this strength a denoised scene is. */
export async function denoisedBy(strength: number, folder: string): Promise<number> {
  const [clean, noisy] = [join(folder, 'detail.mkv'), join(folder, `grain-${strength}.mp4`)]
  const detail = 'mandelbrot=s=320x180:r=25:end_pts=200,format=yuv420p'
  const noise = `[0]split[a][b];[b]noise=alls=${strength}:allf=t:all_seed=3[n]`
  const source = ['-y', '-f', 'lavfi', '-t', '2', '-i', detail, '-filter_complex', noise]
  const outputs = [
    ['[a]', clean],
    ['[n]', noisy],
  ] as const
  await ffmpeg(source.concat(outputs.flatMap(([pad, path]) => ['-map', pad, ...LOSSLESS, path])))
  const plan = findRecipe('denoised-full-scene')?.plan(
    probe({
      durationMs: 2000,
      width: 320,
      height: 180,
      pixelFormat: 'yuv420p',
      hasAudio: false,
      grain: await grainOf(noisy),
    }),
    undefined,
    { moments: [], assets: [], secret: SECRET },
  )
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const [result = ''] = Object.values(await renderKept(plan.value, { source: noisy }))
  return (await likeness(result, clean)) - (await likeness(noisy, clean))
}

async function likeness(path: string, clean: string): Promise<number> {
  const graph = '[0:v][1:v]psnr=stats_file=-'
  const printed = await ffmpeg(['-i', path, '-i', clean, '-lavfi', graph, '-f', 'null', '-'])
  const values = [...printed.matchAll(/psnr_y:([\d.]+)/g)].map(([, text]) => Number(text))
  return values.reduce((sum, each) => sum + each, 0) / values.length
}
