import { definePreset, noOptions } from '#recipes/define-preset.ts'
import {
  deliveryAudio,
  deliveryMp4,
  deliveryVideo,
  needs,
  withoutTraces,
} from '#recipes/encoding.ts'
import { coverPicture } from '#recipes/face-cover/cover-picture.ts'
import { LEVEL_FILTERS, levelled, loudnessStep } from '#recipes/loudness.ts'
import { outputFileName } from '#recipes/naming.ts'
import { fitInside } from '#recipes/picture.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'

const OUTPUT = 'face-blur.mp4'

/** The whole video with the faces hidden that its review does not leave visible. */
export const faceBlurredFullScene = definePreset({
  slug: 'face-blurred-full-scene',
  name: 'Face Blur',
  description: 'The whole video with every face blurred that you do not leave visible.',
  tab: 'full-scene',
  price: perMinute(60),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  plan: (source, _options, context) => ok(planFaceBlur(source, context)),
})

function planFaceBlur(source: SourceProbe, context: PlanContext): RecipePlan {
  const size = fitInside(source, 3840, 3840)
  const covered = coverPicture(source, size, context)
  const measured = {
    inputs: [{ from: { kind: 'source' as const } }],
    map: '0:a:0',
    chain: '',
    filters: [],
    durationMs: source.durationMs,
  }
  const sound = source.hasAudio
    ? ['-map', '0:a:0', '-af', levelled('loudness', ''), ...deliveryAudio]
    : []
  return {
    files: [],
    masks: [covered.mask],
    steps: [
      ...(source.hasAudio ? [loudnessStep('loudness', measured)] : []),
      {
        id: 'cover',
        inputs: [{ from: { kind: 'source' } }, covered.input],
        args: [
          '-filter_complex',
          covered.graph,
          '-map',
          '[v]',
          ...sound,
          ...withoutTraces,
          ...deliveryVideo(size),
          '-fps_mode',
          'vfr',
          ...deliveryMp4,
          { kind: 'output', name: OUTPUT },
        ],
        outputDurationMs: source.durationMs,
        weight: source.durationMs,
        needs: needs(
          [...covered.needs, ...(source.hasAudio ? LEVEL_FILTERS : [])],
          ['libx264', ...(source.hasAudio ? ['aac'] : [])],
        ),
      },
    ],
    outputs: [
      {
        name: OUTPUT,
        buttonText: 'Download video with hidden faces',
        fileName: outputFileName(source.fileName, 'face-blur', 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}
