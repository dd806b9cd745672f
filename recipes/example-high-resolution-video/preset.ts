import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { KEY_EVERY_MS, withoutEncoder } from '#recipes/encoding.ts'
import { fitInside, scaledTo, toStandardPicture, type Size } from '#recipes/picture.ts'
import { ownTiming } from '#recipes/picture-timing.ts'
import { perSecond } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { segmentIn } from '#recipes/segments.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { keptSound } from '#recipes/whole-sound.ts'

/** The whole video at up to 4K with nothing lost that can be seen, and with its own sound. */
export const exampleHighResolutionVideo = definePreset({
  slug: 'example-high-resolution-video',
  name: 'High Resolution Copy',
  description: 'The whole video as a clean, high quality file that plays on every device.',
  tab: 'full-scene',
  price: perSecond(1),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  isOfDetail: true,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, _options, context) => ok(planHigh(source, context)),
})

/** How the picture is filtered and encoded. */
interface Picture {
  readonly chain: string
  readonly filters: readonly string[]
  readonly encoder: 'libx264' | 'libx265'
  readonly args: readonly string[]
}

function planHigh(source: SourceProbe, context: PlanContext): RecipePlan {
  const size = fitInside(source, 3840, 2160)
  const canKeepHdr = context.availableEncoders?.has('libx265') ?? true
  const picture =
    source.isHdr && canKeepHdr ? hdrPicture(source, size) : plainPicture(source, size, context)
  const timing = ownTiming(source, null, segmentIn(context))
  return planScene(source, context, {
    picture: {
      args: [
        '-map',
        '0:V:0',
        '-vf',
        `${timing.chain}${picture.chain}${timing.after}`,
        '-c:v',
        picture.encoder,
        ...picture.args,
        '-force_key_frames',
        `expr:gte(t,n_forced*${KEY_EVERY_MS / 1000})`,
        ...timing.args,
      ],
      filters: [...timing.filters, ...picture.filters],
      encoders: [picture.encoder],
      joints: timing.joints,
    },
    sound: keptSound(source),
    name: 'high-resolution',
    suffix: 'high-resolution',
    buttonText: 'Download high resolution copy',
  })
}

/**
 * At most 20 bits a pixel and second (1080p: 41 Mbit/s), which grain of an SSIM of 0.99 stays
 * below; it bounds what a result can take of the disk.
 */
function rateCap({ width, height }: Size): readonly string[] {
  const kbit = Math.max(8000, Math.round((width * height * 20) / 1000))
  return ['-maxrate', `${kbit}k`, '-bufsize', `${kbit * 2}k`]
}

/** More than this takes the settings that keep memory small. */
const FULL_HD_PIXELS = 2_300_000

function plainPicture(source: SourceProbe, size: Size, context: PlanContext): Picture {
  const { chain, filters } = toStandardPicture(source, size, context)
  return {
    chain,
    filters,
    encoder: 'libx264',
    args: [
      ...(size.width * size.height > FULL_HD_PIXELS ? largeVideo : fullHdVideo),
      '-profile:v',
      'high',
      '-pix_fmt',
      'yuv420p',
      ...rateCap(size),
      ...withoutEncoder,
    ],
  }
}

const fullHdVideo = ['-preset', 'medium', '-rc-lookahead', '20', '-crf', '17'] as const

/**
 * Each picture of 4K that the encoder keeps takes 12 MB: `medium` needs 1.4 GB of memory and 20
 * seconds of a processor for one second, these settings less than half of both. The finer CRF makes
 * up for it in bytes.
 */
const largeVideo = [
  '-preset',
  'veryfast',
  '-rc-lookahead',
  '5',
  '-refs',
  '1',
  '-bf',
  '1',
  '-threads',
  '2',
  '-crf',
  '16',
] as const

/**
 * The light and colours stay as they are, in ten bits; how they are stored goes from the source's
 * pictures into the file. The mark `hvc1` is what Apple's players ask for. Without `info=0` the
 * encoder writes its settings into the pictures, and ffmpeg its name into the header.
 */
function hdrPicture(source: SourceProbe, size: Size): Picture {
  const scaling = scaledTo(source, size)
  return {
    chain: `${scaling.chain},setsar=1,format=yuv420p10le`,
    filters: [...scaling.filters, 'setsar', 'format'],
    encoder: 'libx265',
    args: [
      '-preset',
      'fast',
      '-crf',
      '17',
      '-pix_fmt',
      'yuv420p10le',
      '-tag:v',
      'hvc1',
      '-x265-params',
      'info=0:log-level=error:rc-lookahead=20',
      ...rateCap(size),
      '-metadata:s:v:0',
      'encoder=HEVC Coding',
    ],
  }
}
