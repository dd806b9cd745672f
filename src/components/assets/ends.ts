import * as v from 'valibot'
import { ASSET_IMAGE_MS } from '#recipes/joined-passages.ts'
import { introsOf, outrosOf, trailerOptions } from '#recipes/team-skeet-trailer/options.ts'
import { spokenLength } from '#recipes/length-words.ts'
import type { ListedAsset, MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import { payloadOf, type TaskRequest } from '#src/local/edits/task-requests.ts'

/** What stands before an edit and after it. */
export type End = 'intro' | 'outro'
export const ENDS = ['intro', 'outro'] as const

/** Ids of the assets of both ends, in playing order. */
export type EndIds = Readonly<Record<End, readonly string[]>>

const payloadWithEnds = v.object({
  introMediaAssetIds: v.array(v.string()),
  outroMediaAssetIds: v.array(v.string()),
})

/** The assets that a requested edit names; none for edits without intro and outro. */
export function endsOf(request: TaskRequest): EndIds {
  if (request.mediaJobTaskPresetSlug === 'team-skeet-trailer') {
    const options = trailerOptions.parse(request.payload)
    return options.ok
      ? { intro: introsOf(options.value), outro: outrosOf(options.value) }
      : { intro: [], outro: [] }
  }
  const read = v.safeParse(payloadWithEnds, 'payload' in request ? request.payload : undefined)
  return read.success
    ? { intro: read.output.introMediaAssetIds, outro: read.output.outroMediaAssetIds }
    : { intro: [], outro: [] }
}

/** Where an edit shows an asset. */
export type AssetPlace = End | 'logo'
export const ASSET_PLACES = [...ENDS, 'logo'] as const

/** All assets that a requested edit names. */
export function assetsOf(request: TaskRequest): Readonly<Record<AssetPlace, readonly string[]>> {
  return { ...endsOf(request), logo: logoOf(request) }
}

/** The logo of a requested watermark; none for letters, and for other edits. */
export function logoOf(request: TaskRequest): readonly string[] {
  const id = payloadOf('dynamic-watermark', request)?.logoMediaAssetId
  return id === undefined ? [] : [id]
}

/** '2 intros · 1 outro'; null for an edit without them. */
export function endsWords({ introMediaAssetIds, outroMediaAssetIds }: EndsPayload): string | null {
  const parts = [
    counted(introMediaAssetIds.length, 'intro'),
    counted(outroMediaAssetIds.length, 'outro'),
  ]
  const said = parts.filter((part) => part !== null)
  return said.length === 0 ? null : said.join(' · ')
}

interface EndsPayload {
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Whether an edit can show the asset: a video or a picture that has been read. */
export function isPicturable({ format }: Pick<MediaAsset, 'format'>): boolean {
  return format?.slug === 'video' || format?.slug === 'image'
}

/** How long an asset stands in an edit; 0 for one that no edit shows. */
export function shownMs({ format }: Pick<MediaAsset, 'format'>): number {
  if (format?.slug === 'video') return format.duration
  return format?.slug === 'image' ? ASSET_IMAGE_MS : 0
}

/** The length of all chosen assets together. */
export function totalMs(assets: readonly ListedAsset[], ids: readonly string[]): number {
  return assets
    .filter(({ asset }) => ids.includes(asset._id))
    .reduce((sum, { asset }) => sum + shownMs(asset), 0)
}

/** ', with 12 s of intro and outro'; empty without any. */
export function addedWords(addedMs: number): string {
  return addedMs === 0 ? '' : ` Intro and outro add ${spokenLength(addedMs)}.`
}

/** What is said of a place one of whose assets was deleted. */
export const MISSING: Readonly<Record<AssetPlace, string>> = {
  intro: 'An intro is missing',
  outro: 'An outro is missing',
  logo: 'A logo is missing',
}
