import { KEY_EVERY_MS } from '#recipes/encoding.ts'
import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { coverPicture } from '#recipes/face-cover/cover-picture.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { levelledSound } from '#recipes/whole-sound.ts'

/**
 * The whole video with the faces hidden that a search found and its review leaves covered. A search
 * overlooks faces (`npm run bench -- edits face-strangers`): no text may promise more.
 */
export const faceBlurredFullScene = definePreset({
  slug: 'face-blurred-full-scene',
  name: 'Face Blur',
  description:
    'The whole video with faces blurred: those that a search finds and those that you add. You look at them before it is made.',
  tab: 'full-scene',
  price: perMinute(60),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, _options, context) =>
    ok(
      planScene(source, context, {
        picture: coverPicture(source, context),
        sound: source.hasAudio ? levelledSound(source) : null,
        name: 'face-blur',
        suffix: 'face-blur',
        buttonText: 'Download video with hidden faces',
      }),
    ),
})
