import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { KEY_EVERY_MS, withoutEncoder } from '#recipes/encoding.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { steadyTiming } from '#recipes/picture-timing.ts'
import { previewVideo } from '#recipes/preview-steps.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, PreviewWindow, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { segmentIn } from '#recipes/segments.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { evenSound, filteredSound, levelledSound, type WholeSound } from '#recipes/whole-sound.ts'

/**
 * So few pixels let `medium` take as long as `veryfast` does for Full HD, and it saves a fifth of
 * the bytes. CRF 22 keeps an SSIM of 0.97 or more. The cap holds grain below 2.5 Mbit/s, which slow
 * connections play.
 */
const smallVideo = [
  '-c:v',
  'libx264',
  '-preset',
  'medium',
  '-crf',
  '22',
  '-profile:v',
  'high',
  '-pix_fmt',
  'yuv420p',
  '-maxrate',
  '2500k',
  '-bufsize',
  '5000k',
  '-force_key_frames',
  `expr:gte(t,n_forced*${KEY_EVERY_MS / 1000})`,
  ...withoutEncoder,
] as const

/** The whole video as a small file. */
export const exampleLowResolutionVideo = definePreset({
  slug: 'example-low-resolution-video',
  name: 'Low Resolution Copy',
  description: 'The whole video as a small 480p file, for quick sharing and slow connections.',
  tab: 'full-scene',
  price: perEdit(50),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, _options, context) => ok(planLow(source, context)),
  preview: (source, _options, window, context) => ok(planLow(source, context, window)),
})

/** The whole video, or a part of it as a preview shows it. */
function planLow(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters' | 'divided'>,
  part: PreviewWindow | null = null,
): RecipePlan {
  const size = fitInside(source, 854, 480)
  const standard = toStandardPicture(source, size, context)
  const timing = steadyTiming(source, part, undefined, segmentIn(context))
  return planScene(source, context, {
    picture: {
      args: [
        '-map',
        '0:V:0',
        '-vf',
        `${timing.chain}${standard.chain}${timing.after}`,
        ...(part === null ? smallVideo : previewVideo),
      ],
      filters: [...timing.filters, ...standard.filters],
      encoders: ['libx264'],
      joints: timing.joints,
    },
    sound: source.hasAudio ? lowSound(source, part) : null,
    part,
    name: 'low-resolution',
    suffix: '480p',
    buttonText: 'Download low resolution copy',
  })
}

/** A preview has one step, so it levels as it goes. */
function lowSound(source: SourceProbe, part: PreviewWindow | null): WholeSound {
  return part === null ? levelledSound(source) : filteredSound(evenSound)
}
