import { definePreset, noOptions } from '#recipes/define-preset.ts'
import {
  deliveryAudio,
  deliveryMp4,
  evenLoudness,
  needs,
  steadyFrameRate,
  withoutEncoder,
  withoutTraces,
} from '#recipes/encoding.ts'
import { outputFileName } from '#recipes/naming.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { previewVideo } from '#recipes/preview-steps.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type {
  PlanContext,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'

const OUTPUT = 'low-resolution.mp4'

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
  'expr:gte(t,n_forced*2)',
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
  plan: (source, _options, context) => ok(planLow(source, context)),
  preview: (source, _options, window, context) => ok(planLow(source, context, window)),
})

/** The whole video, or a part of it as a preview shows it. */
function planLow(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters'>,
  part: PreviewWindow | null = null,
): RecipePlan {
  const size = fitInside(source, 854, 480)
  const standard = toStandardPicture(source, size, context)
  const step: PlanStep = {
    id: 'low-resolution',
    inputs: [
      {
        from: { kind: 'source' },
        ...(part === null ? {} : { seekMs: part.startMs, durationMs: part.durationMs }),
      },
    ],
    args: [
      '-map',
      '0:V:0',
      ...(source.hasAudio
        ? ['-map', '0:a:0', '-af', `aresample=48000:async=1:first_pts=0,${evenLoudness}`]
        : []),
      '-vf',
      `fps=${steadyFrameRate(source).text},${standard.chain}`,
      ...withoutTraces,
      ...(part === null ? smallVideo : previewVideo),
      ...(source.hasAudio ? deliveryAudio : []),
      ...deliveryMp4,
      { kind: 'output', name: OUTPUT },
    ],
    outputDurationMs: part?.durationMs ?? source.durationMs,
    weight: 1,
    needs: needs(
      ['fps', ...standard.filters, ...(source.hasAudio ? ['aresample', 'loudnorm'] : [])],
      ['libx264', ...(source.hasAudio ? ['aac'] : [])],
    ),
  }
  return {
    files: [],
    steps: [step],
    outputs: [
      {
        name: OUTPUT,
        buttonText: 'Download low resolution copy',
        fileName: outputFileName(source.fileName, '480p', 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}
