import type { CataloguePreset, DefinedPreset } from './define-preset.ts'
import type { Recipe } from './recipe.ts'
import { blurVideoAndAudio } from './blur-video-and-audio/preset.ts'
import { denoisedFullScene } from './denoised-full-scene/preset.ts'
import { dynamicWatermark } from './dynamic-watermark/preset.ts'
import { enhancedAudioFullScene } from './enhanced-audio-full-scene/preset.ts'
import { exampleHighResolutionVideo } from './example-high-resolution-video/preset.ts'
import { exampleLowResolutionVideo } from './example-low-resolution-video/preset.ts'
import { faceBlurredFullScene } from './face-blurred-full-scene/preset.ts'
import { incognitoFullScene } from './incognito-full-scene/preset.ts'
import { removeBackgroundMusic } from './remove-background-music/preset.ts'
import { shortTrailerGif } from './short-trailer-gif/preset.ts'
import { socialMediaGifPack } from './social-media-gif-pack/preset.ts'
import { stillPack } from './still-pack/preset.ts'
import { teamSkeetThumbnailVideo } from './team-skeet-thumbnail-video/preset.ts'
import { teamSkeetTrailer } from './team-skeet-trailer/preset.ts'
import { teaser15s } from './teaser-15s/preset.ts'
import { teaser60s } from './teaser-60s/preset.ts'
import { teaserSquare } from './teaser-square/preset.ts'
import { teaserUpright } from './teaser-upright/preset.ts'
import { tubeCut } from './tube-cut/preset.ts'
import { uniformSampling } from './uniform-sampling/preset.ts'
import { voiceMaskFullScene } from './voice-mask-full-scene/preset.ts'

/** Every preset, in the order of the screen. A new one adds its import and its line here. */
const presets: readonly DefinedPreset[] = [
  socialMediaGifPack,
  stillPack,
  blurVideoAndAudio,
  teaser15s,
  teaser60s,
  teaserSquare,
  teaserUpright,
  tubeCut,
  teamSkeetTrailer,
  teamSkeetThumbnailVideo,
  shortTrailerGif,
  dynamicWatermark,
  uniformSampling,
  exampleLowResolutionVideo,
  exampleHighResolutionVideo,
  denoisedFullScene,
  enhancedAudioFullScene,
  removeBackgroundMusic,
  faceBlurredFullScene,
  voiceMaskFullScene,
  incognitoFullScene,
]

/** How the presets are listed, in the order of the screen. */
export const catalogue: readonly CataloguePreset[] = presets.map(({ listing }) => listing)

/** The recipes of the presets, by slug. */
export const recipes: Readonly<Record<string, Recipe>> = Object.fromEntries(
  presets.map(({ recipe }) => [recipe.slug, recipe]),
)

/** How the preset with this slug is listed, or undefined when there is none. */
export function findPreset(slug: string): CataloguePreset | undefined {
  return catalogue.find((preset) => preset.slug === slug)
}

/** The recipe of the preset with this slug, or undefined when there is none. */
export function findRecipe(slug: string): Recipe | undefined {
  return Object.hasOwn(recipes, slug) ? recipes[slug] : undefined
}
