import { definePreset } from '#recipes/define-preset.ts'
import type { MarkedDrawing } from '#recipes/drawing.ts'
import { deliveryVideo, KEY_EVERY_MS, MOST_RATE, steadyFrameRate } from '#recipes/encoding.ts'
import { outputFileName, seconds } from '#recipes/naming.ts'
import type { FaceTrack } from '#recipes/face-cover/types.ts'
import { fitInside, matrixOf, toStandardPicture, type Size } from '#recipes/picture.ts'
import { keepsOwnTimes, ownTiming, type PictureTiming } from '#recipes/picture-timing.ts'
import { previewSize, previewVideo } from '#recipes/preview-steps.ts'
import { segmentIn } from '#recipes/segments.ts'
import { perMinute } from '#recipes/pricing.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type {
  AssetSource,
  PlanArg,
  PlanContext,
  PlanProblem,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import { planScene, planSceneSound } from '#recipes/whole-scene.ts'
import { keptSound } from '#recipes/whole-sound.ts'
import { stopsBesideFaces } from './beside-faces.ts'
import { drawnMark, type Mark } from './drawn-mark.ts'
import { lettersOf } from './letters.ts'
import { drawLogo, LOGO_FILE } from './logo.ts'
import type { MarkStrength } from './mark.ts'
import { drawableText, watermarkOptions, type WatermarkOptions } from './options.ts'
import { motion, type Stop } from './places.ts'

const SUFFIX = 'watermarked'
const TEXT_FILE = 'watermark.txt'
/** What stands for a logo in a preview. */
const LOGO_WORDS = 'Your logo'

/** How much of the picture letters, outline and plate hide, 0 to 1. */
const LOOKS: Readonly<
  Record<MarkStrength, { readonly letters: number; readonly edge: number; readonly ground: number }>
> = {
  light: { letters: 0.92, edge: 0.8, ground: 0.57 },
  medium: { letters: 0.95, edge: 0.85, ground: 0.66 },
  strong: { letters: 1, edge: 0.9, ground: 0.82 },
}

/** The whole video with a name or a logo that keeps moving. */
export const dynamicWatermark = definePreset({
  slug: 'dynamic-watermark',
  name: 'Dynamic Watermark',
  description:
    'The whole video with your name, social tag or logo, which keeps moving so that it cannot be cropped away.',
  tab: 'promotional',
  price: perMinute(20),
  needs: { sound: false, minimumMs: 0 },
  options: watermarkOptions,
  usesMoments: false,
  keepsOffFaces: true,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, options, context) => {
    const size = fitInside(source, 3840, 3840)
    const mark = markOf(source, options, size, context)
    if (!mark.ok) return mark
    const found = context.found ?? []
    return ok(planWatermark(source, { size, part: null, mark: mark.value, found }, context))
  },
  markedDrawing: (source, options, isSmall) => {
    const size = isSmall ? fitInside(source, 1280, 720) : fitInside(source, 3840, 3840)
    const mark = markOf(source, options, size, { assets: [] })
    return mark.ok ? ok(drawMarked(source, size, mark.value)) : mark
  },
  preview: (source, options, part, context) => {
    const size = previewSize(source)
    // A preview has no assets. Letters stand where the logo will, in its strength.
    const mark = letterMark({ ...options, text: options.text ?? LOGO_WORDS }, size)
    return ok(planWatermark(source, { size, part, mark, found: [] }, context))
  },
})

/** The letters, or the logo of the assets that are there. */
function markOf(
  source: SourceProbe,
  options: WatermarkOptions,
  size: Size,
  { assets }: Pick<PlanContext, 'assets'>,
): Result<Mark, PlanProblem> {
  if (options.logoMediaAssetId === undefined) return ok(letterMark(options, size))
  const asset = assets.find(({ id }) => id === options.logoMediaAssetId)
  return asset === undefined
    ? err({
        code: 'recipe/asset-missing',
        assetId: options.logoMediaAssetId,
        message: 'The logo is no longer in your media assets.',
      })
    : ok(logoMark(asset, options, size, matrixOf(source)))
}

interface Drawing {
  readonly size: Size
  /** What a preview shows; null = the whole video. */
  readonly part: PreviewWindow | null
  readonly mark: Mark
  readonly found: readonly FaceTrack[]
}

function planWatermark(
  source: SourceProbe,
  drawing: Drawing,
  context: Pick<PlanContext, 'availableFilters' | 'divided'>,
): RecipePlan {
  const { size, part, mark } = drawing
  const picture = drawnPicture(source, drawing, context)
  return planScene(source, context, {
    files: mark.files,
    picture: {
      args: [
        ...picture.graph,
        ...(part === null ? deliveryVideo(size) : previewVideo),
        ...picture.args,
      ],
      filters: picture.needs,
      encoders: ['libx264'],
      joints: picture.joints,
      ...(mark.cover === undefined ? {} : { cover: mark.cover }),
    },
    sound: keptSound(source, part),
    part,
    name: 'dynamic-watermark',
    suffix: SUFFIX,
    buttonText: 'Download watermarked video',
  })
}

/** The same for a device, which knows no faces. */
function drawMarked(source: SourceProbe, size: Size, mark: Mark): MarkedDrawing {
  return {
    fileName: outputFileName(source.fileName, SUFFIX, 'mp4'),
    size,
    matrix: matrixOf(source),
    lengthMs: source.durationMs,
    timing: keepsOwnTimes(source) ? 'own' : 'steady',
    frameRate: steadyFrameRate(source, MOST_RATE),
    mark: drawnMark(mark),
    sound: planSceneSound(source, keptSound(source)),
  }
}

/** The filters that scale the picture and draw the mark on it. */
function drawnPicture(
  source: SourceProbe,
  { size, part, mark, found }: Drawing,
  context: Pick<PlanContext, 'availableFilters' | 'divided'>,
): Pick<PictureTiming, 'joints'> & {
  readonly graph: readonly PlanArg[]
  readonly args: readonly string[]
  readonly needs: readonly string[]
} {
  const standard = toStandardPicture(source, size, context)
  const timing = ownTiming(source, part, segmentIn(context))
  const stops = stopsOf(mark, size, found, source.durationMs)
  // The place of the mark follows the time, so a part is drawn at its time in the whole.
  const shift =
    part === null
      ? { before: '', after: '' }
      : {
          before: `setpts=PTS+${seconds(part.startMs)}/TB,`,
          after: `,setpts=PTS-${seconds(part.startMs)}/TB`,
        }
  const parts = [
    `${timing.chain}${standard.chain},${shift.before}`,
    ...mark.filter(motion(mark.names, mark.margin + mark.inset, stops)),
    ...(shift.after + timing.after === '' ? [] : [shift.after + timing.after]),
  ]
  return {
    graph:
      mark.cover === undefined
        ? ['-map', '0:V:0', '-vf', { kind: 'filter', parts }]
        : [
            '-filter_complex',
            { kind: 'filter', parts: ['[0:V:0]', ...parts, '[v]'] },
            '-map',
            '[v]',
          ],
    args: timing.args,
    joints: timing.joints,
    needs: [...timing.filters, ...standard.filters, ...mark.needs],
  }
}

function stopsOf(
  { width, height, margin }: Mark,
  size: Size,
  found: readonly FaceTrack[],
  durationMs: number,
): readonly Stop[] | null {
  const box = {
    width: width / size.width,
    height: height / size.height,
    marginX: margin / size.width,
    marginY: margin / size.height,
  }
  return stopsBesideFaces(found, box, durationMs)
}

function marginOf(size: Size): number {
  return Math.round(Math.min(size.width, size.height) * 0.03)
}

/**
 * Letters. The text comes from a file and is not expanded, so no character in it can mean anything
 * to ffmpeg.
 *
 * [Note: a mark that can be read] Letters are white with a dark outline on a dark plate. The
 * outline makes the edge of each letter on a bright ground, the plate calms what is busy behind it,
 * and on black neither is seen. One of both is not enough: outlined letters drown in a checkered
 * ground, and a plate that makes white letters readable on white by itself hides what is behind it.
 */
function letterMark(
  {
    text,
    size: wanted,
    strength,
  }: Pick<WatermarkOptions, 'size' | 'strength'> & { readonly text: string },
  size: Size,
): Mark {
  const { fontSize, lines, width, height } = lettersOf(drawableText(text), wanted, size)
  const plate = Math.max(1, Math.round(fontSize * 0.25))
  const outline = Math.max(1, Math.round(fontSize * 0.09))
  const { letters, edge, ground } = LOOKS[strength]
  const margin = marginOf(size)
  return {
    width: width + 2 * plate,
    height: height + 2 * plate,
    margin,
    files: [{ name: TEXT_FILE, text: inItsDirection(lines) }],
    names: { whole: ['w', 'h'], own: ['tw', 'th'] },
    inset: plate,
    filter: ({ x, y }) => [
      'drawtext=fontfile=',
      { kind: 'font', name: 'watermark' },
      ':textfile=',
      { kind: 'scratch', name: TEXT_FILE },
      `:expansion=none:fontsize=${fontSize}:fontcolor=white@${letters}:borderw=${outline}:bordercolor=black@${edge}` +
        `:box=1:boxcolor=black@${ground}:boxborderw=${plate}:fix_bounds=1:x='${x}':y='${y}'`,
    ],
    needs: ['drawtext'],
  }
}

/**
 * The lines, each as a paragraph in the direction of its text (Unicode's bidirectional algorithm,
 * rules P2 and P3): ffmpeg takes every paragraph for one from left to right, so that points and
 * brackets of Hebrew and Arabic would stand on the wrong side.
 */
function inItsDirection(lines: readonly string[]): string {
  const first = /[\p{L}]/u.exec(lines.join(''))?.[0] ?? ''
  const isFromRight = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(first)
  return lines.map((line) => (isFromRight ? `${FROM_RIGHT}${line}` : line)).join('\n')
}

/** RIGHT-TO-LEFT EMBEDDING, which ends with its paragraph. */
const FROM_RIGHT = '\u202b'

/** A logo, which a step before makes the picture of, as the second input. */
function logoMark(
  asset: AssetSource,
  options: Pick<WatermarkOptions, 'size' | 'strength'>,
  size: Size,
  matrix: ReturnType<typeof matrixOf>,
): Mark {
  const { step, width, height } = drawLogo(asset, options, size)
  const margin = marginOf(size)
  return {
    width,
    height,
    margin,
    files: [],
    cover: { input: { from: { kind: 'scratch', name: LOGO_FILE } }, steps: [step] },
    names: { whole: ['W', 'H'], own: ['w', 'h'] },
    inset: 0,
    filter: ({ x, y }) => {
      const coloured = `scale=out_color_matrix=${matrix}:out_range=tv,format=yuva420p`
      return [`null[picture];[1:v]${coloured}[mark];[picture][mark]overlay=x='${x}':y='${y}'`]
    },
    needs: ['null', 'scale', 'format', 'overlay'],
  }
}
