import { definePreset } from '#recipes/define-preset.ts'
import { deliveryVideo } from '#recipes/encoding.ts'
import { seconds } from '#recipes/naming.ts'
import type { FaceTrack } from '#recipes/face-cover/types.ts'
import { fitInside, matrixOf, toStandardPicture, type Size } from '#recipes/picture.ts'
import { ownTiming } from '#recipes/picture-timing.ts'
import { previewSize, previewVideo } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { err, ok } from '#recipes/result.ts'
import type {
  AssetSource,
  PlanArg,
  PlanContext,
  PlanFile,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import type { WholePicture } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { keptSound } from '#recipes/whole-sound.ts'
import { stopsBesideFaces } from './beside-faces.ts'
import { lettersOf } from './letters.ts'
import { drawLogo, LOGO_FILE } from './logo.ts'
import type { MarkStrength } from './mark.ts'
import { drawableText, watermarkOptions, type WatermarkOptions } from './options.ts'
import { motion, type Stop } from './places.ts'

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
  plan: (source, options, context) => {
    const size = fitInside(source, 3840, 3840)
    const found = context.found ?? []
    if (options.logoMediaAssetId === undefined)
      return ok(
        planWatermark(
          source,
          { size, part: null, mark: letterMark(options, size), found },
          context,
        ),
      )
    const asset = context.assets.find(({ id }) => id === options.logoMediaAssetId)
    return asset === undefined
      ? err({
          code: 'recipe/asset-missing',
          assetId: options.logoMediaAssetId,
          message: 'The logo is no longer in your media assets.',
        })
      : ok(
          planWatermark(
            source,
            { size, part: null, mark: logoMark(asset, options, size, matrixOf(source)), found },
            context,
          ),
        )
  },
  preview: (source, options, part, context) => {
    const size = previewSize(source)
    // A preview has no assets. Letters stand where the logo will, in its strength.
    const mark = letterMark({ ...options, text: options.text ?? LOGO_WORDS }, size)
    return ok(planWatermark(source, { size, part, mark, found: [] }, context))
  },
})

/** What moves over the picture. */
interface Mark {
  /** With all around it, in pixels. */
  readonly width: number
  readonly height: number
  /** Kept free at each edge, in pixels. */
  readonly margin: number
  readonly files: readonly PlanFile[]
  readonly cover?: NonNullable<WholePicture['cover']>
  /** The filters that draw it on the picture that goes into them. */
  readonly filter: (stops: readonly Stop[] | null) => FilterParts
  readonly needs: readonly string[]
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
  context: Pick<PlanContext, 'availableFilters'>,
): RecipePlan {
  const { size, part, mark } = drawing
  const picture = drawnPicture(source, drawing, context)
  return planScene(source, {
    files: mark.files,
    picture: {
      args: [
        ...picture.graph,
        ...(part === null ? deliveryVideo(size) : previewVideo),
        ...picture.args,
      ],
      filters: picture.needs,
      encoders: ['libx264'],
      ...(mark.cover === undefined ? {} : { cover: mark.cover }),
    },
    sound: keptSound(source, part),
    part,
    name: 'dynamic-watermark',
    suffix: 'watermarked',
    buttonText: 'Download watermarked video',
  })
}

type FilterParts = Extract<PlanArg, { kind: 'filter' }>['parts']

/** The filters that scale the picture and draw the mark on it. */
function drawnPicture(
  source: SourceProbe,
  { size, part, mark, found }: Drawing,
  context: Pick<PlanContext, 'availableFilters'>,
): {
  readonly graph: readonly PlanArg[]
  readonly args: readonly string[]
  readonly needs: readonly string[]
} {
  const standard = toStandardPicture(source, size, context)
  const timing = ownTiming(source, part)
  // The place of the mark follows the time, so a part is drawn at its time in the whole.
  const shift =
    part === null
      ? { before: '', after: [] }
      : {
          before: `setpts=PTS+${seconds(part.startMs)}/TB,`,
          after: [`,setpts=PTS-${seconds(part.startMs)}/TB`],
        }
  const parts = [
    `${timing.chain}${standard.chain},${shift.before}`,
    ...mark.filter(stopsOf(mark, size, found, source.durationMs)),
    ...shift.after,
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
    files: [{ name: TEXT_FILE, text: lines.join('\n') }],
    filter: (stops) => {
      const { x, y } = motion({ whole: ['w', 'h'], own: ['tw', 'th'] }, margin + plate, stops)
      return [
        'drawtext=fontfile=',
        { kind: 'font', name: 'watermark' },
        ':textfile=',
        { kind: 'scratch', name: TEXT_FILE },
        `:expansion=none:fontsize=${fontSize}:fontcolor=white@${letters}:borderw=${outline}:bordercolor=black@${edge}` +
          `:box=1:boxcolor=black@${ground}:boxborderw=${plate}:fix_bounds=1:x='${x}':y='${y}'`,
      ]
    },
    needs: ['drawtext'],
  }
}

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
    filter: (stops) => {
      const { x, y } = motion({ whole: ['W', 'H'], own: ['w', 'h'] }, margin, stops)
      const coloured = `scale=out_color_matrix=${matrix}:out_range=tv,format=yuva420p`
      return [`null[picture];[1:v]${coloured}[mark];[picture][mark]overlay=x='${x}':y='${y}'`]
    },
    needs: ['null', 'scale', 'format', 'overlay'],
  }
}
