import type { OptionRules } from '#recipes/define-preset.ts'
import { invalidOption, optionFields } from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionsProblem } from '#recipes/types.ts'

/** The options of team-skeet-trailer: ids of videos among the media assets; null = left out. */
export interface TrailerOptions {
  readonly introBrandLogoVideoMediaAssetId: string
  readonly introLicensorLogoVideoMediaAssetId: string | null
  readonly disclaimerVideoMediaAssetId: string | null
  readonly outroLicensorLogoVideoMediaAssetId: string | null
  readonly outroBrandLogoVideoMediaAssetId: string
  /** Null = without music. */
  readonly musicTrackId: string | null
}

/** The videos before and after the trailer itself, each in playing order. */
export const TRAILER_INTROS = [
  'introBrandLogoVideoMediaAssetId',
  'introLicensorLogoVideoMediaAssetId',
  'disclaimerVideoMediaAssetId',
] as const
export const TRAILER_OUTROS = [
  'outroLicensorLogoVideoMediaAssetId',
  'outroBrandLogoVideoMediaAssetId',
] as const

const NOTHING_CHOSEN = 'Please select a media asset for all required fields.'
const NO_PREROLL = 'Please select a media asset for the Preroll Brand Video.'
const NO_POSTROLL = 'Please select a media asset for the Postroll Brand Video.'
const OPTIONAL = [
  'introLicensorLogoVideoMediaAssetId',
  'disclaimerVideoMediaAssetId',
  'outroLicensorLogoVideoMediaAssetId',
  'musicTrackId',
] as const

const BRAND_VIDEOS: TrailerOptions = {
  introBrandLogoVideoMediaAssetId: 'preroll',
  introLicensorLogoVideoMediaAssetId: null,
  disclaimerVideoMediaAssetId: null,
  outroLicensorLogoVideoMediaAssetId: null,
  outroBrandLogoVideoMediaAssetId: 'postroll',
  musicTrackId: null,
}

export const trailerOptions: OptionRules<TrailerOptions> = {
  parse: parseTrailerOptions,
  typical: BRAND_VIDEOS,
  full: { ...BRAND_VIDEOS, musicTrackId: 'track' },
  assetKinds: ['video'],
  assetIds: (options) => [...introsOf(options), ...outrosOf(options)],
  musicTrackIds: ({ musicTrackId }) => (musicTrackId === null ? [] : [musicTrackId]),
}

/** What is shown before the trailer itself, in playing order. */
export function introsOf(options: TrailerOptions): readonly string[] {
  return TRAILER_INTROS.map((field) => options[field]).filter((id) => id !== null)
}

/** What is shown after it. */
export function outrosOf(options: TrailerOptions): readonly string[] {
  return TRAILER_OUTROS.map((field) => options[field]).filter((id) => id !== null)
}

function parseTrailerOptions(payload: unknown): Result<TrailerOptions, OptionsProblem> {
  const given = optionFields(payload)
  if (given === null) return invalidOption(null, NOTHING_CHOSEN)
  const preroll = idIn(given.get('introBrandLogoVideoMediaAssetId'))
  const postroll = idIn(given.get('outroBrandLogoVideoMediaAssetId'))
  if (preroll === null && postroll === null) return invalidOption(null, NOTHING_CHOSEN)
  if (preroll === null) return invalidOption('introBrandLogoVideoMediaAssetId', NO_PREROLL)
  if (postroll === null) return invalidOption('outroBrandLogoVideoMediaAssetId', NO_POSTROLL)
  const wrong = OPTIONAL.find(
    (field) => !isLeftOut(given.get(field)) && idIn(given.get(field)) === null,
  )
  if (wrong !== undefined) return invalidOption(wrong, 'Please choose again, or leave it out')
  return ok({
    introBrandLogoVideoMediaAssetId: preroll,
    introLicensorLogoVideoMediaAssetId: idIn(given.get('introLicensorLogoVideoMediaAssetId')),
    disclaimerVideoMediaAssetId: idIn(given.get('disclaimerVideoMediaAssetId')),
    outroLicensorLogoVideoMediaAssetId: idIn(given.get('outroLicensorLogoVideoMediaAssetId')),
    outroBrandLogoVideoMediaAssetId: postroll,
    musicTrackId: idIn(given.get('musicTrackId')),
  })
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** An id as it came over the wire; null for everything else. */
function idIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
