import type { PresetSlug } from '#recipes/define-preset.ts'

/**
 * Presets whose picture is what their recipe made (`make-landing-media.ts`); the others have a
 * motif (`make-preset-art.ts`).
 */
export const MADE_BY_RECIPES = [
  'teaser-15s',
  'social-media-gif-pack',
  'still-pack',
  'dynamic-watermark',
  'tube-cut',
  'uniform-sampling',
] as const satisfies readonly PresetSlug[]
