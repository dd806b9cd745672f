import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { sampledSound } from '#recipes/noise.ts'
import { perMinute } from '#recipes/pricing.ts'
import { err } from '#recipes/result.ts'
import { hasWideSound } from '#recipes/sound-width.ts'
import { wholePicture, wholePictureStepMs } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { ifItHasSound, levelledSound } from '#recipes/whole-sound.ts'

/** The delay of the filter, in samples at 48 kHz; the step takes it out again. */
const DELAY_SAMPLES = 1536
/**
 * What both channels have alike becomes the one in the middle, which alone is kept, on both sides.
 * The end is filled with as much silence as the delay pushes out of the file.
 */
const MIDDLE = {
  chain: [
    `apad=pad_len=${DELAY_SAMPLES}`,
    'dialoguenhance=original=0:enhance=3:voice=2',
    'pan=stereo|c0=c2|c1=c2',
    `atrim=start_sample=${DELAY_SAMPLES}`,
    'asetpts=PTS-STARTPTS',
  ].join(','),
  filters: ['apad', 'dialoguenhance', 'pan', 'atrim', 'asetpts'],
} as const

/** The whole video with its music turned down, where its two channels allow it. */
export const removeBackgroundMusic = definePreset({
  slug: 'remove-background-music',
  name: 'Remove Background Music',
  description:
    'The whole video with music turned down behind the voices, so that a platform does not mute it.',
  tab: 'full-scene',
  price: perMinute(30),
  needs: { sound: 'wide', minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: wholePictureStepMs,
  plan: (source, _options, context) => {
    if (source.hasAudio && hasWideSound(source) === false)
      return err({
        code: 'recipe/source-unusable',
        message:
          'Voices and music of this video are in one channel, so the music cannot be turned down by itself.',
      })
    return ifItHasSound(source, 'there is no music to turn down', () =>
      planScene(source, context, {
        picture: wholePicture(source, context),
        sound: levelledSound(source, sampledSound(source, 'middle', MIDDLE)),
        name: 'less-music',
        suffix: 'less-music',
        buttonText: 'Download video with less music',
      }),
    )
  },
})
