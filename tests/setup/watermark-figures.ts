import { GROUNDS, GROUND_PICTURES } from './picture-sources.ts'
import { rawPictures } from './raw-pictures.ts'
import { runTool } from './run-tool.ts'

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
  const isLow = FREE_HALVES.flatMap((half, place) =>
    half === 'low' ? [`eq(mod(floor(t/${STAY_S}),${FREE_HALVES.length}),${place})`] : [],
  ).join('+')
  const crop = `crop=iw:ih/2:0:'ih/2*(${isLow})'`
  const graph = `[0:v]${crop}[a];[1:v]${crop}[b];[a][b]ssim`
  const values = (await printed(['-i', path, '-i', source], graph, 'ssim.All'))
    .filter(({ atS }) => isAtRest(atS) && FREE_HALVES[placeAt(atS)] !== null)
    .map(({ value }) => value)
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** How wide a phone shows a video, in pixels of a page. */
const PHONE_WIDTH = 360
/** Of letters, by the brightness that they have on black: inside of one, and beside it. */
const [INK, BESIDE] = [0.7, 0.1]
/** What is as near to a stroke as this, in pixels of a phone, is what it is told apart from. */
const NEAR = 2
/** Large letters need it (WCAG 2.2). */
const LEAST_RATIO = 3

export type Ground = (typeof GROUNDS)[number]

/** How a watermark reads on one ground. */
export interface Legibility {
  /** Of what can be read of the letters, in pixels of a phone. */
  readonly heightPx: number
  /** How much of the letters can be read, 0 to 1. */
  readonly readable: number
}

/**
 * How the mark of `onGrounds`, light or dark, reads on a phone, ground by ground. A part of a
 * letter can be read where its light differs from all that is near by what large letters need. The
 * mean of what is around would not do: on a checkered ground a grey letter differs from the mean
 * and vanishes among the squares. The height counts as well, because an eye does not see letters
 * that are too small, however white they are on black: an x of 6 pixels on a phone at 35 cm has a
 * sixth of a degree, three times what a sharp eye needs to see it at all.
 *
 * Letters are known by the black ground, on which a light mark is all that is to be seen, and dark
 * ones by the white ground.
 */
export async function legibilityOf(
  path: string,
  tone: 'light' | 'dark' = 'light',
): Promise<ReadonlyMap<Ground, Legibility>> {
  const middle = `eq(mod(n,${GROUND_PICTURES}),${Math.floor(GROUND_PICTURES / 2)})`
  const filter = `select='${middle}',scale=${PHONE_WIDTH}:-2:flags=area,format=gray`
  const pictures = await rawPictures(path, filter)
  const size = pictures.length / GROUNDS.length
  const shown = GROUNDS.map(
    (ground, index) => [ground, pictures.subarray(index * size, (index + 1) * size)] as const,
  )
  const plain = tone === 'light' ? 'black' : 'white'
  const alone = shown.find(([ground]) => ground === plain)?.[1] ?? Buffer.alloc(0)
  const marked = [...alone].map((each) => (tone === 'light' ? each : 255 - each))
  const most = marked.reduce((sum, each) => Math.max(sum, each), 1)
  const ink = marked.map((each) => each / most)
  return new Map(shown.map(([ground, levels]) => [ground, legibilityIn(levels, ink)]))
}

function legibilityIn(levels: Uint8Array, ink: readonly number[]): Legibility {
  const light = [...levels].map(lightOf)
  const letters = ink.flatMap((share, at) => (share >= INK ? [at] : []))
  const readable = letters.filter((at) => {
    const beside = near(at).filter((next) => (ink[next] ?? 0) <= BESIDE)
    const ratios = beside.map((next) => ((light[at] ?? 0) + 0.05) / ((light[next] ?? 0) + 0.05))
    return (
      ratios.length > 0 &&
      (Math.min(...ratios) >= LEAST_RATIO || Math.max(...ratios) <= 1 / LEAST_RATIO)
    )
  })
  const rows = readable.map((at) => Math.floor(at / PHONE_WIDTH))
  return {
    heightPx: rows.length === 0 ? 0 : Math.max(...rows) - Math.min(...rows) + 1,
    readable: letters.length === 0 ? 0 : readable.length / letters.length,
  }
}

/** The places in a picture that are near to one. */
function near(at: number): readonly number[] {
  const steps = Array.from({ length: 2 * NEAR + 1 }, (_, index) => index - NEAR)
  return steps.flatMap((down) => steps.map((right) => at + down * PHONE_WIDTH + right))
}

/** The light of a grey of a screen, 0 to 1. */
function lightOf(level: number): number {
  const shown = level / 255
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
  const { stdout } = await runTool('ffmpeg', args)
  const lines = stdout.matchAll(/pts_time:([\d.]+)\s+lavfi\.[\w.]+=([\d.]+)/g)
  return [...lines].map(([, atS, value]) => ({ atS: Number(atS), value: Number(value) }))
}
