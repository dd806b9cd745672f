import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { deliveryMp4, needs, withoutTraces } from '#recipes/encoding.ts'
import { outputFileName } from '#recipes/naming.ts'
import { planNewSound } from '#recipes/new-sound.ts'
import { noiseStep, samplesInput, samplesStep } from '#recipes/noise.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { newPicture, type WholePicture } from '#recipes/whole-picture.ts'

/**
 * Each point becomes the mean of itself over nine pictures, as far as it differs little from one
 * to the next: grain does, what moves does not. So a still picture loses no detail, and a picture
 * with less to say is encoded in less time, which pays for the filter.
 */
const GRAIN = {
  chain: `atadenoise=${[0, 1, 2].map((plane) => `${plane}a=0.1:${plane}b=0.2`).join(':')}:s=9`,
  filters: ['atadenoise'],
} as const

const NAME = 'denoised'
const BUTTON = 'Download denoised video'

/** The whole video with less grain, and with steady noise taken off its sound. */
export const denoisedFullScene = definePreset({
  slug: 'denoised-full-scene',
  name: 'Denoised Scene',
  description: 'The whole video with less grain in the picture and less hiss in the sound.',
  tab: 'full-scene',
  price: perMinute(25),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  plan: (source, _options, context) => {
    const picture = newPicture(source, context, GRAIN)
    return ok(source.hasAudio ? planBoth(source, picture) : planPicture(source, picture))
  },
})

function planBoth(source: SourceProbe, picture: WholePicture): RecipePlan {
  return planNewSound(source, {
    picture,
    steps: [
      samplesStep(source, 'samples.pcm'),
      noiseStep('samples.pcm', 'quiet.pcm', source.durationMs),
    ],
    input: samplesInput('quiet.pcm'),
    chain: '',
    filters: [],
    name: NAME,
    suffix: NAME,
    buttonText: BUTTON,
  })
}

function planPicture(source: SourceProbe, picture: WholePicture): RecipePlan {
  const output = `${NAME}.mp4`
  return {
    files: [],
    steps: [
      {
        id: 'denoise',
        inputs: [{ from: { kind: 'source' } }],
        args: [
          '-map',
          '0:V:0',
          '-an',
          ...picture.args,
          ...withoutTraces,
          ...deliveryMp4,
          { kind: 'output', name: output },
        ],
        outputDurationMs: source.durationMs,
        weight: 1,
        needs: needs(picture.filters, picture.encoders),
      },
    ],
    outputs: [
      {
        name: output,
        buttonText: BUTTON,
        fileName: outputFileName(source.fileName, NAME, 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}
