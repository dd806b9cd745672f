import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { KEY_EVERY_MS } from '#recipes/encoding.ts'
import { quietSound } from '#recipes/noise.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'
import {
  newPicture,
  wholePicture,
  wholePictureStepMs,
  type WholePicture,
} from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { levelledSound } from '#recipes/whole-sound.ts'

/** Of a source whose grain was not measured. */
const USUAL_GRAIN = 7
/** Less is what encoders leave of a picture without grain. */
const LEAST_GRAIN = 0.7
/** Two points that differ by more than this many times the grain are not the same point. */
const REACH = 3.6
/**
 * The usual encoding takes as much of a picture as light grain does, so that little would be
 * gained.
 */
const LIGHT = { below: 6, reach: 4.2, grade: { crf: 16, bitsOfPixel: 20 } }

/**
 * Each point becomes the mean of itself over nine pictures, as far as it differs no more from one
 * to the next than its grain does: what moves differs more. So a still picture loses no detail, and
 * a picture with less to say is encoded in less time, which pays for the filter.
 */
function lessGrain(grain: number): NonNullable<Parameters<typeof newPicture>[2]> {
  const isLight = grain < LIGHT.below
  const reach = (isLight ? LIGHT.reach : REACH) * grain
  const [one, all] = [Math.min(0.25, reach / 255), Math.min(0.5, (2 * reach) / 255)]
  const planes = [0, 1, 2].map((plane) => `${plane}a=${one.toFixed(4)}:${plane}b=${all.toFixed(4)}`)
  return {
    chain: `atadenoise=${planes.join(':')}:s=9`,
    filters: ['atadenoise'],
    ...(isLight ? { grade: LIGHT.grade } : {}),
  }
}

/** The picture with its grain taken off; as it is where it has none. */
function quietPicture(source: SourceProbe, context: PlanContext): WholePicture {
  const grain = grainToTake(source)
  return grain === null
    ? wholePicture(source, context)
    : newPicture(source, context, lessGrain(grain))
}

/** Null where there is none. */
function grainToTake({ grain = USUAL_GRAIN }: SourceProbe): number | null {
  return grain < LEAST_GRAIN ? null : grain
}

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
  segmentStepMs: (source) =>
    grainToTake(source) === null ? wholePictureStepMs(source) : KEY_EVERY_MS,
  isOfDetail: true,
  plan: (source, _options, context) =>
    ok(
      planScene(source, context, {
        picture: quietPicture(source, context),
        sound: source.hasAudio ? levelledSound(source, quietSound(source)) : null,
        name: 'denoised',
        suffix: 'denoised',
        buttonText: 'Download denoised video',
      }),
    ),
})
