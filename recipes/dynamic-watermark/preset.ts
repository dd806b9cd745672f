import { definePreset } from '#recipes/define-preset.ts'
import { deliveryVideo } from '#recipes/encoding.ts'
import { seconds } from '#recipes/naming.ts'
import { fitInside, toStandardPicture, type Size } from '#recipes/picture.ts'
import { ownTiming } from '#recipes/picture-timing.ts'
import { previewSize, previewVideo } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type {
  PlanArg,
  PlanContext,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { keptSound } from '#recipes/whole-sound.ts'
import { lettersOf, type Letters } from './letters.ts'
import {
  drawableText,
  watermarkOptions,
  type MarkStrength,
  type WatermarkOptions,
} from './options.ts'

/** How long the text rests and moves at each place, together. */
const STAY_S = 8
/** How long it takes to glide to the next place. */
const GLIDE_S = 1.6

/**
 * Where the text goes, as shares of the free room (0,0 = top left). No two neighbours share an
 * edge, so that a crop that removes one place shows the next; never the middle, where it would hide
 * the picture.
 */
const PLACES = [
  [0, 0],
  [1, 0.82],
  [0.08, 0.94],
  [0.94, 0.06],
  [0.5, 1],
  [0, 0.5],
  [1, 0.4],
  [0.42, 0.02],
] as const

const TEXT_FILE = 'watermark.txt'

/** How much of the picture letters, outline and plate hide, 0 to 1. */
const LOOKS: Readonly<
  Record<MarkStrength, { readonly letters: number; readonly edge: number; readonly ground: number }>
> = {
  light: { letters: 0.92, edge: 0.8, ground: 0.57 },
  medium: { letters: 0.95, edge: 0.85, ground: 0.66 },
  strong: { letters: 1, edge: 0.9, ground: 0.82 },
}

/** The whole video with a name that keeps moving. */
export const dynamicWatermark = definePreset({
  slug: 'dynamic-watermark',
  name: 'Dynamic Watermark',
  description:
    'The whole video with your name or social tag, which keeps moving so that it cannot be cropped away.',
  tab: 'promotional',
  price: perMinute(20),
  needs: { sound: false, minimumMs: 0 },
  options: watermarkOptions,
  usesMoments: false,
  plan: (source, options, context) => ok(planWatermark(source, options, context)),
  preview: (source, options, window, context) =>
    ok(planWatermark(source, options, context, window)),
})

/** The whole video, or a part of it as a preview shows it. */
function planWatermark(
  source: SourceProbe,
  options: WatermarkOptions,
  context: Pick<PlanContext, 'availableFilters'>,
  part: PreviewWindow | null = null,
): RecipePlan {
  const size = part === null ? fitInside(source, 3840, 3840) : previewSize(source)
  const letters = lettersOf(drawableText(options.text), options.size, size)
  const mark = movingText(letters, size, options.strength)
  const picture = drawnPicture(source, { size, mark, part }, context)
  return planScene(source, {
    files: [{ name: TEXT_FILE, text: letters.lines.join('\n') }],
    picture: {
      args: [
        '-map',
        '0:V:0',
        '-vf',
        picture.filter,
        ...(part === null ? deliveryVideo(size) : previewVideo),
        ...picture.args,
      ],
      filters: picture.needs,
      encoders: ['libx264'],
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
  { size, mark, part }: { size: Size; mark: FilterParts; part: PreviewWindow | null },
  context: Pick<PlanContext, 'availableFilters'>,
): {
  readonly filter: PlanArg
  readonly args: readonly string[]
  readonly needs: readonly string[]
} {
  const standard = toStandardPicture(source, size, context)
  const timing = ownTiming(source, part)
  // The place of the text follows the time, so a part is drawn at its time in the whole.
  const shift =
    part === null
      ? { before: '', after: [] }
      : {
          before: `setpts=PTS+${seconds(part.startMs)}/TB,`,
          after: [`,setpts=PTS-${seconds(part.startMs)}/TB`],
        }
  return {
    filter: {
      kind: 'filter',
      parts: [`${timing.chain}${standard.chain},${shift.before}`, ...mark, ...shift.after],
    },
    args: timing.args,
    needs: [...timing.filters, ...standard.filters, 'drawtext'],
  }
}

/**
 * The drawing filter. The text comes from a file and is not expanded, so no character in it can
 * mean anything to ffmpeg.
 *
 * [Note: a mark that can be read] Letters are white with a dark outline on a dark plate. The
 * outline makes the edge of each letter on a bright ground, the plate calms what is busy behind it,
 * and on black neither is seen. One of both is not enough: outlined letters drown in a checkered
 * ground, and a plate that makes white letters readable on white by itself hides what is behind it.
 */
function movingText({ fontSize }: Letters, size: Size, strength: MarkStrength): FilterParts {
  const plate = Math.max(1, Math.round(fontSize * 0.25))
  const margin = Math.round(Math.min(size.width, size.height) * 0.03) + plate
  const outline = Math.max(1, Math.round(fontSize * 0.09))
  const { letters, edge, ground } = LOOKS[strength]
  return [
    'drawtext=fontfile=',
    { kind: 'font', name: 'watermark' },
    ':textfile=',
    { kind: 'scratch', name: TEXT_FILE },
    `:expansion=none:fontsize=${fontSize}:fontcolor=white@${letters}:borderw=${outline}:bordercolor=black@${edge}` +
      `:box=1:boxcolor=black@${ground}:boxborderw=${plate}:fix_bounds=1` +
      `:x='${glide(
        'w',
        'tw',
        margin,
        PLACES.map(([x]) => x),
      )}':y='${glide(
        'h',
        'th',
        margin,
        PLACES.map(([, y]) => y),
      )}'`,
  ]
}

/**
 * An ffmpeg expression of t that rests at each share of the free room and glides softly to the
 * next.
 */
function glide(whole: string, own: string, margin: number, shares: readonly number[]): string {
  const table = (register: number): string =>
    shares
      .slice(0, -1)
      .reduceRight(
        (rest, share, index) => `if(eq(ld(${register}),${index}),${share},${rest})`,
        String(shares.at(-1) ?? 0),
      )
  const begin =
    `st(0,mod(floor(t/${STAY_S}),${shares.length}));st(1,mod(ld(0)+1,${shares.length}));` +
    `st(2,clip((mod(t,${STAY_S})-${STAY_S - GLIDE_S})/${GLIDE_S},0,1));st(3,ld(2)*ld(2)*(3-2*ld(2)));`
  return `${begin}${margin}+(${whole}-${own}-${2 * margin})*(${table(0)}*(1-ld(3))+${table(1)}*ld(3))`
}
