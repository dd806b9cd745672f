import { needs } from '#recipes/encoding.ts'
import { hasAlpha, type Size } from '#recipes/picture.ts'
import type { AssetSource, PlanStep, SourceProbe } from '#recipes/types.ts'
import type { MarkSize, MarkStrength } from './mark.ts'

/** What a picture has to be as a logo. Of its transparent margins nothing counts. */
export interface LogoFacts {
  /** In pixels, without transparent margins; 0 where nothing is to be seen. */
  readonly width: number
  readonly height: number
  /** Whether it can be seen through anywhere. */
  readonly isTransparent: boolean
}

/** Of the longer side: a smaller logo is blurred where a video is shown 360 pixels wide. */
const LEAST_SIDE_PX = 128
/** A logo that is longer is less than 9 pixels high there, as a small one. */
const MOST_TIMES = 10

/** Side of a square logo, as a share of the picture's width; others have the same area. */
const SHARES: Readonly<Record<MarkSize, number>> = { small: 0.08, medium: 0.1, large: 0.14 }
/** The most that a logo may have of each side of the picture. */
const MOST_OF_WIDTH = 0.5
const MOST_OF_HEIGHT = 0.3

/** What is known of a picture; of one that was not measured, what its format says. */
export function logoFactsOf({ width, height, drawn, ...probe }: SourceProbe): LogoFacts {
  if (drawn === undefined) return { width, height, isTransparent: hasAlpha(probe) }
  return {
    width: Math.round(width * drawn.width),
    height: Math.round(height * drawn.height),
    isTransparent: !drawn.isOpaque,
  }
}

/** Why a picture cannot be the logo of a watermark, in words for the creator; null where it can. */
export function refuseLogo({ width, height, isTransparent }: LogoFacts): string | null {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (short === 0) return 'Nothing is to be seen on this picture. Please choose another one.'
  if (!isTransparent)
    return 'This picture has no transparent parts, so it would be a box on your video. Please export the logo as a PNG with a transparent ground.'
  if (long > MOST_TIMES * short)
    return `This logo is ${width} × ${height}, too thin to be seen on a phone. Please choose one that is up to ${MOST_TIMES} times as long as it is high.`
  if (long < LEAST_SIDE_PX)
    return `This logo is ${width} × ${height}, so it would be blurred. Please choose one whose longer side has ${LEAST_SIDE_PX} pixels or more.`
  return null
}

/** A logo as it lies on the picture. Sizes are in pixels, with what is around it. */
export interface DrawnLogo {
  /** Makes the picture of the mark. */
  readonly step: PlanStep
  readonly width: number
  readonly height: number
}

export const LOGO_FILE = 'mark.png'

const SOLID: Readonly<Record<MarkStrength, number>> = { light: 0.9, medium: 0.95, strong: 1 }

/** How far the band is blurred, as a share of the picture's width: 1.8 of 360 pixels. */
const BLUR = 0.005
/**
 * A blurred edge is this many times weaker where the band ends, which is half as far again as its
 * blur.
 */
const RAISED = 16
/** Beyond it nothing of the band is left. */
const REACH = 3.2
/** Luminance that black and white differ from equally (WCAG 2.2): by 4.6 to 1. */
const MIDDLE = 0.179
/** How far around a place its logo decides whether the band is black or white. */
const WIDE = 2

/**
 * The picture of the mark: the logo on a band that follows its shape.
 *
 * [Note: a logo that can be seen] The ground changes while the video plays, the logo does not. So
 * the band is what the logo is told apart from: black around its light parts, white around its dark
 * ones, by what is near. It also lies below the logo, so that one that can be half seen through
 * looks the same on every ground. A plate as behind letters would hide far more, and would be grey
 * to logos of both kinds.
 */
export function drawLogo(
  asset: AssetSource,
  { size, strength }: { readonly size: MarkSize; readonly strength: MarkStrength },
  picture: Size,
): DrawnLogo {
  const { width, height } = logoSize(logoFactsOf(asset.probe), size, picture)
  const blur = Math.max(0.5, picture.width * BLUR)
  const reach = Math.ceil(blur * REACH)
  const whole = { width: width + 2 * reach, height: height + 2 * reach }
  const { x, y, ...drawn } = asset.probe.drawn ?? { x: 0, y: 0, width: 1, height: 1 }
  const side = (name: string, share: number): string => `'max(1,${name}*${share.toFixed(5)})'`
  const cut = `crop=${side('iw', drawn.width)}:${side('ih', drawn.height)}:'iw*${x.toFixed(5)}':'ih*${y.toFixed(5)}'`
  const fitted = `premultiply=inplace=1,scale=${width}:${height}:flags=bicubic,pad=${whole.width}:${whole.height}:${reach}:${reach}:color=black@0`
  const graph = [
    // Premultiplied, so that colours of what is transparent do not come out at the edges.
    `[0:V:0]format=rgba,${cut},format=gbrap,${fitted},split=3[logo][shape][light]`,
    `[shape]alphaextract,gblur=sigma=${blur.toFixed(3)},lut=c0='clip(val*${RAISED},0,255)'[reach]`,
    `[light]${LIGHT_PARTS},gblur=sigma=${(blur * WIDE).toFixed(3)},${TONE}[tone]`,
    '[tone][reach]alphamerge,format=rgba[band]',
    '[logo]unpremultiply=inplace=1,format=rgba[ink]',
    `[band][ink]overlay=format=rgb,colorchannelmixer=aa=${SOLID[strength]}[mark]`,
  ].join(';')
  return {
    ...whole,
    step: {
      id: 'mark',
      inputs: [{ from: { kind: 'asset', id: asset.id } }],
      args: [
        '-filter_complex',
        graph,
        '-map',
        '[mark]',
        '-frames:v',
        '1',
        '-c:v',
        'png',
        { kind: 'scratch', name: LOGO_FILE },
      ],
      outputDurationMs: 0,
      weight: 0,
      needs: needs(FILTERS, ['png']),
    },
  }
}

const FILTERS = [
  'format',
  'crop',
  'premultiply',
  'scale',
  'pad',
  'split',
  'alphaextract',
  'gblur',
  'lut',
  'geq',
  'alphamerge',
  'unpremultiply',
  'overlay',
  'colorchannelmixer',
]

/** Of a pixel that is premultiplied, 0 to 255. */
const LUMINANCE = [
  ['r', 0.2126],
  ['g', 0.7152],
  ['b', 0.0722],
]
  .map(([plane, weight]) => `255*${weight}*pow(${plane}(X,Y)/255,2.2)`)
  .join('+')

/** How much of each place is drawn (alpha), and how much of that is light (green). */
const LIGHT_PARTS = `geq=r=0:b=0:g='if(gt(${LUMINANCE},${MIDDLE}*alpha(X,Y)),alpha(X,Y),0)':a='alpha(X,Y)'`

/** Black where most of what is near is light, else white. */
const OPPOSITE = `if(gt(2*g(X,Y),alpha(X,Y)),0,255)`
const TONE = `geq=r='${OPPOSITE}':g='${OPPOSITE}':b='${OPPOSITE}':a=255`

/** The same area for every shape, within what a logo may have of the picture. */
function logoSize(
  { width, height }: Pick<LogoFacts, 'width' | 'height'>,
  wanted: MarkSize,
  picture: Size,
): Size {
  const [wide, high] = [Math.max(1, width), Math.max(1, height)]
  const side = picture.width * SHARES[wanted]
  const scale = Math.min(
    side / Math.sqrt(wide * high),
    (picture.width * MOST_OF_WIDTH) / wide,
    (picture.height * MOST_OF_HEIGHT) / high,
  )
  return {
    width: Math.max(2, Math.round(wide * scale)),
    height: Math.max(2, Math.round(high * scale)),
  }
}
