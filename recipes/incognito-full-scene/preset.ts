import { KEY_EVERY_MS } from '#recipes/encoding.ts'
import { definePreset } from '#recipes/define-preset.ts'
import { coverPicture } from '#recipes/face-cover/cover-picture.ts'
import { quietSound } from '#recipes/noise.ts'
import { invalidOption } from '#recipes/option-checks.ts'
import { PREVIEW_SOUND_MS } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { maskedSound } from '#recipes/voice-mask.ts'
import { previewVoice } from '#recipes/voice-preview.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { ifItHasSound, levelledSound, type WholeSound } from '#recipes/whole-sound.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'
import { incognitoOptions, type IncognitoOptions } from './options.ts'

const LACKS = 'there is only its picture to change, which Face Blur does'

/** The whole video with faces hidden, voices changed and noise taken off, as its options say. */
export const incognitoFullScene = definePreset({
  slug: 'incognito-full-scene',
  name: 'Incognito Scene',
  description:
    'The whole video with faces blurred, those that a search finds and those that you add, and with other voices if you choose. These do not hide who speaks from software that compares voices. Videos without sound take Face Blur.',
  tab: 'full-scene',
  price: perMinute(75),
  // Of a video without sound it would make what Face Blur makes for less.
  needs: { sound: true, minimumMs: 0 },
  options: incognitoOptions,
  usesMoments: false,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, options, context) =>
    ifItHasSound(source, LACKS, () =>
      planScene(source, context, {
        picture: coverPicture(source, context),
        sound: incognitoSound(source, options, context),
        name: 'incognito',
        suffix: 'incognito',
        buttonText: 'Download incognito video',
      }),
    ),
  previewLimitMs: PREVIEW_SOUND_MS,
  preview: (source, { obfuscateVoice }, window, { secret }) =>
    obfuscateVoice
      ? ifItHasSound(source, LACKS, () => previewVoice(source, window, secret))
      : invalidOption(
          'obfuscateVoice',
          'Only changed voices can be heard here: faces are found, and noise is taken off, on the server.',
        ),
})

/** Noise goes first: what knows it by how voices sound does not know masked ones. */
function incognitoSound(
  source: SourceProbe,
  { obfuscateVoice, denoiseAudio }: IncognitoOptions,
  { secret }: Pick<PlanContext, 'secret'>,
): WholeSound {
  const quiet = denoiseAudio ? quietSound(source) : null
  return levelledSound(source, obfuscateVoice ? maskedSound(source, secret, quiet) : quiet)
}
