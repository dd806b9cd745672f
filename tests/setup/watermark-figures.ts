import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How long the text is at each place, and how long of that it rests there. */
const STAY_S = 8
const REST_S = 6.4
/** The half of the picture that is free while the text rests; null where it rests in the middle. */
const FREE_HALVES = ['low', 'high', 'high', 'low', 'high', null, null, 'low'] as const

/**
 * How like its source a watermarked video is beside its text: the mean SSIM of the halves in which
 * the text does not rest.
 */
export async function likenessBeside(path: string, source: string): Promise<number> {
  const values: number[] = []
  for (const [half, y] of [
    ['high', '0'],
    ['low', 'ih/2'],
  ] as const) {
    const crop = `crop=iw:ih/2:0:${y}`
    const graph = `[0:v]${crop}[a];[1:v]${crop}[b];[a][b]ssim`
    for (const { atS, value } of await printed(['-i', path, '-i', source], graph, 'ssim.All'))
      if (isAtRest(atS) && FREE_HALVES[placeAt(atS)] === half) values.push(value)
  }
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/**
 * The least contrast of the text and what is around it, of all pictures, over a video of plain
 * pictures: the ratio of WCAG 2.2, of which large letters need 3.
 */
export async function leastContrast(path: string): Promise<number> {
  const stats = 'signalstats'
  const darkest = await printed(['-i', path], stats, 'signalstats.YMIN')
  const lightest = await printed(['-i', path], stats, 'signalstats.YMAX')
  const ratios = darkest.map(
    ({ value }, index) => (lightOf(lightest[index]?.value ?? 0) + 0.05) / (lightOf(value) + 0.05),
  )
  return Math.min(...ratios)
}

/** The light of a grey of a screen, 0 to 1, from its level in video. */
function lightOf(level: number): number {
  const shown = Math.min(1, Math.max(0, (level - 16) / 219))
  return shown <= 0.04045 ? shown / 12.92 : ((shown + 0.055) / 1.055) ** 2.4
}

function placeAt(atS: number): number {
  return Math.floor(atS / STAY_S) % FREE_HALVES.length
}

function isAtRest(atS: number): boolean {
  return atS % STAY_S < REST_S
}

/** What ffmpeg measures of each picture. */
async function printed(
  inputs: readonly string[],
  graph: string,
  key: string,
): Promise<readonly { readonly atS: number; readonly value: number }[]> {
  const filter = `${graph},metadata=print:key=lavfi.${key}:file=-`
  const args = ['-nostdin', '-v', 'error', ...inputs, '-an', '-lavfi', filter, '-f', 'null', '-']
  const { stdout } = await run('ffmpeg', args, { maxBuffer: 64 << 20 })
  const lines = stdout.matchAll(/pts_time:([\d.]+)\s+lavfi\.[\w.]+=([\d.]+)/g)
  return [...lines].map(([, atS, value]) => ({ atS: Number(atS), value: Number(value) }))
}
