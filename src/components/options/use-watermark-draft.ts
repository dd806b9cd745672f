import { useState } from 'react'
import * as v from 'valibot'
import { refuseLogo } from '#recipes/dynamic-watermark/logo.ts'
import { MARK_SIZES, MARK_STRENGTHS, type MarkSize } from '#recipes/dynamic-watermark/mark.ts'
import { missingIds } from '#src/components/assets/missing-ends.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { ListedAsset, MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import type { OptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import {
  requestWithOptions,
  type PayloadOf,
  type RequestOf,
} from '#src/local/edits/task-requests.ts'
import { keptFields } from './use-ends.ts'
import { useFormAssets } from './use-form-assets.ts'

const SLUG = 'dynamic-watermark'

/** What the mark may show. */
export const MARKS = ['letters', 'logo'] as const

const keptDraft = v.object({
  mark: v.picklist(MARKS),
  text: v.string(),
  /** '' while none is chosen. */
  logoId: v.string(),
  size: v.picklist(MARK_SIZES),
  strength: v.picklist(MARK_STRENGTHS),
})
/** What the form holds; the text stays while a logo is chosen. */
export type WatermarkDraft = Readonly<v.InferOutput<typeof keptDraft>>

/** The form of the watermark: what it holds, what can be chosen, and what is wrong. */
export interface WatermarkForm {
  readonly draft: WatermarkDraft
  readonly change: (changed: Partial<WatermarkDraft>) => void
  /** The person's pictures; videos and sounds are left out. */
  readonly images: Shown<readonly ListedAsset[]>
  /** Without the right to read assets no logo can be chosen. */
  readonly mayChoose: boolean
  /** Null while the options cannot be used. */
  readonly request: RequestOf<typeof SLUG> | null
  /** Why they cannot. */
  readonly problem: string | null
  /** Whether that is of the chosen logo, which is said at once. */
  readonly isOfLogo: boolean
  /** Keeps the form and goes to the screen of the assets. */
  readonly uploadNew: () => void
}

export function useWatermarkDraft(
  initial: PayloadOf<typeof SLUG> | null,
  kept: OptionsDraft | null,
  sourceDurationMs: number | null,
): WatermarkForm {
  const { assets, mayChoose, uploadNew } = useFormAssets(SLUG)
  const [draft, setDraft] = useState(() => beginWith(initial, kept))
  const { mark, text, logoId, size, strength } = draft
  const shown = mark === 'letters' ? { text } : { logoMediaAssetId: logoId }
  const request = requestWithOptions(SLUG, { ...shown, size, strength }, sourceDurationMs)
  const logoProblem = mark === 'logo' && logoId !== '' ? problemOfLogo(logoId, assets) : null
  return {
    draft,
    change: (changed) => setDraft({ ...draft, ...changed }),
    images: {
      ...assets,
      data: assets.data?.filter(({ asset }) => asset.format?.slug === 'image') ?? null,
    },
    mayChoose,
    request: request.ok && logoProblem === null ? request.value : null,
    problem: logoProblem ?? (request.ok ? null : request.error.message),
    isOfLogo: logoProblem !== null,
    uploadNew: () => uploadNew({ fields: draft }),
  }
}

/** Letters without a choice; the asset for which the form was left is the logo. */
function beginWith(
  initial: PayloadOf<typeof SLUG> | null,
  kept: OptionsDraft | null,
): WatermarkDraft {
  const left = keptFields(kept, keptDraft)
  if (left !== null) return { ...left, logoId: kept?.mediaAssetId ?? left.logoId }
  const logoId = initial?.logoMediaAssetId ?? ''
  return {
    mark: logoId === '' ? 'letters' : 'logo',
    text: initial?.text ?? '',
    logoId,
    size: initial?.size ?? ('medium' satisfies MarkSize),
    strength: initial?.strength ?? 'medium',
  }
}

function problemOfLogo(id: string, assets: Shown<readonly ListedAsset[]>): string | null {
  if (missingIds(assets, [id]).length > 0) return 'It was deleted. Please choose another logo.'
  const asset = assets.data?.find(({ asset }) => asset._id === id)?.asset
  return asset === undefined ? null : problemOfAsset(asset)
}

/** By the rule of the server, where it has said what is to be seen of the picture. */
function problemOfAsset({ format }: MediaAsset): string | null {
  if (format === null) return 'This picture is not ready yet. Please wait a moment.'
  if (format.slug !== 'image') return 'A logo is a picture. Please choose another one.'
  return format.drawn === undefined ? null : refuseLogo(format.drawn)
}
