import { useState } from 'react'
import * as v from 'valibot'
import { refuseTogether } from '#checks/asset-limits.ts'
import {
  TRAILER_INTROS,
  TRAILER_OUTROS,
  trailerOptions,
} from '#recipes/team-skeet-trailer/options.ts'
import { totalMs } from '#src/components/assets/ends.ts'
import { missingIds } from '#src/components/assets/missing-ends.ts'
import type { ListedAsset } from '#src/hooks/assets/use-media-assets.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import type { OptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { PayloadOf, RequestOf } from '#src/local/edits/task-requests.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { musicTracks, type MusicTrack } from '#src/local/nouns/music-tracks.ts'
import { keptFields } from './use-ends.ts'
import { useFormAssets } from './use-form-assets.ts'

const SLUG = 'team-skeet-trailer'

/** The fields of the form that name a video, in playing order. */
export const TRAILER_VIDEOS = [...TRAILER_INTROS, ...TRAILER_OUTROS] as const
export type TrailerVideo = (typeof TRAILER_VIDEOS)[number]
type TrailerField = TrailerVideo | 'musicTrackId'

/** What the form holds: ids, or '' where nothing is chosen. */
type TrailerDraft = Readonly<Record<TrailerField, string>>

const EMPTY: TrailerDraft = {
  introBrandLogoVideoMediaAssetId: '',
  introLicensorLogoVideoMediaAssetId: '',
  disclaimerVideoMediaAssetId: '',
  outroLicensorLogoVideoMediaAssetId: '',
  outroBrandLogoVideoMediaAssetId: '',
  musicTrackId: '',
}
const keptDraft = v.record(v.string(), v.string())

/** The form of the brand trailer: what it holds, what can be chosen, and what is wrong. */
export interface TrailerForm {
  readonly draft: TrailerDraft
  readonly change: (field: TrailerField, id: string) => void
  /** The person's videos; pictures and sounds are left out, as the edit takes videos only. */
  readonly videos: Shown<readonly ListedAsset[]>
  readonly music: Shown<readonly MusicTrack[]>
  /** Without the right to read assets nothing can be chosen. */
  readonly mayChoose: boolean
  /** Null while the options cannot be used. */
  readonly request: RequestOf<typeof SLUG> | null
  /** Why they cannot; of one field, or of the form. */
  readonly problem: { readonly field: string | null; readonly message: string } | null
  /** How much the videos of the brand add to the minute. */
  readonly addedMs: number
  /** Keeps the form and goes to the screen of the assets. */
  readonly uploadNew: () => void
}

export function useTrailerDraft(
  initial: PayloadOf<typeof SLUG> | null,
  kept: OptionsDraft | null,
  sourceDurationMs: number | null,
): TrailerForm {
  const { assets, mayChoose, uploadNew } = useFormAssets(SLUG)
  const music = useNounList(musicTracks)
  const [draft, setDraft] = useState<TrailerDraft>(() => beginWith(initial, kept))
  const chosen = TRAILER_VIDEOS.map((field) => draft[field]).filter((id) => id !== '')
  // Each time it is shown counts.
  const addedMs = chosen.reduce((sum, id) => sum + totalMs(assets.data ?? [], [id]), 0)
  const request = requestWithOptions(SLUG, draft, sourceDurationMs)
  const problem = problemOf(request, draft, assets, addedMs)
  return {
    draft,
    change: (field, id) => setDraft({ ...draft, [field]: id }),
    videos: { ...assets, data: assets.data?.filter(isTaken) ?? null },
    music,
    mayChoose,
    request: request.ok && problem === null ? request.value : null,
    problem,
    addedMs,
    uploadNew: () => uploadNew({ fields: draft }),
  }
}

function isTaken({ asset }: ListedAsset): boolean {
  return trailerOptions.assetKinds?.some((kind) => kind === asset.format?.slug) === true
}

function problemOf(
  request: ReturnType<typeof requestWithOptions<typeof SLUG>>,
  draft: TrailerDraft,
  assets: Shown<readonly ListedAsset[]>,
  addedMs: number,
): TrailerForm['problem'] {
  if (!request.ok) return request.error
  const gone = TRAILER_VIDEOS.find(
    (field) => missingIds(assets, [draft[field]]).length > 0 && draft[field] !== '',
  )
  if (gone !== undefined)
    return { field: gone, message: 'It was deleted. Please choose another video.' }
  const tooLong = refuseTogether([addedMs])
  return tooLong === null ? null : { field: null, message: tooLong }
}

function beginWith(
  initial: PayloadOf<typeof SLUG> | null,
  kept: OptionsDraft | null,
): TrailerDraft {
  const given = keptFields(kept, keptDraft) ?? initial ?? {}
  const fields = Object.entries(given).filter(
    ([field, id]) => Object.hasOwn(EMPTY, field) && typeof id === 'string',
  )
  return { ...EMPTY, ...Object.fromEntries(fields) }
}
