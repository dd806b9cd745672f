import { useState } from 'react'
import * as v from 'valibot'
import { refuseTogether } from '#checks/asset-limits.ts'
import { isPicturable, type End, type EndIds } from '#src/components/assets/ends.ts'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { missingIds } from '#src/components/assets/missing-ends.ts'
import { totalMs } from '#src/components/assets/ends.ts'
import type { ListedAsset } from '#src/hooks/assets/use-media-assets.ts'
import { useOptionsDraft, type OptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useFormAssets } from './use-form-assets.ts'

/** The intro and outro of an option form. */
export interface Ends {
  readonly ids: EndIds
  readonly change: (end: End, ids: readonly string[]) => void
  readonly assets: Shown<readonly ListedAsset[]>
  /** Without the right to read assets there is nothing to choose from. */
  readonly mayChoose: boolean
  /** An asset that was chosen is deleted, or all are too long: the options cannot be used so. */
  readonly isRefused: boolean
  /** That both ends are too long together, in words; null while they are not. */
  readonly tooLong: string | null
  /** How much both ends add to the length of the edit. */
  readonly addedMs: number
  /** The asset for which the form was left, until it is chosen. */
  readonly awaited: OptionsDraft | null
  /** Keeps the form, on the way to the screen of the assets. */
  readonly keep: (end: End) => void
  /** Keeps the form and goes there. */
  readonly uploadNew: (end: End) => void
}

interface EndsPlan {
  readonly slug: string
  readonly initial: {
    readonly introMediaAssetIds: readonly string[]
    readonly outroMediaAssetIds: readonly string[]
  }
  /** The form as it was left, if it was. */
  readonly kept: OptionsDraft | null
  /** What the form's other fields hold. */
  readonly fields: unknown
}

const keptEnds = v.object({
  ends: v.object({ intro: v.array(v.string()), outro: v.array(v.string()) }),
})

/**
 * The choice of intro and outro. An asset for which the form was left joins its end as soon as it
 * can be chosen.
 */
export function useEnds({ slug, initial, kept, fields }: EndsPlan): Ends {
  const { assets, mayChoose, keep, uploadNew } = useFormAssets(slug)
  const draft = useOptionsDraft(useFormPath())
  const [ids, setIds] = useState<EndIds>(() => beginWith(initial, kept))
  const [joinedId, setJoinedId] = useState<string | null>(null)
  const left = draft.kind === 'ready' && draft.value?.slug === slug ? draft.value : null
  const arrived = readyAsset(assets, left)
  if (left !== null && arrived !== null && arrived !== joinedId) {
    setJoinedId(arrived)
    if (!ids[left.end].includes(arrived))
      setIds({ ...ids, [left.end]: [...ids[left.end], arrived] })
  }
  const addedMs = totalMs(assets.data ?? [], ids.intro) + totalMs(assets.data ?? [], ids.outro)
  const tooLong = refuseTogether([addedMs])
  return {
    ids,
    change: (end, changed) => setIds({ ...ids, [end]: changed }),
    assets,
    mayChoose,
    isRefused: tooLong !== null || missingIds(assets, [...ids.intro, ...ids.outro]).length > 0,
    tooLong,
    addedMs,
    awaited: left !== null && left.uploadId !== null && arrived === null ? left : null,
    keep: (end) => keep({ fields, ends: ids }, end),
    uploadNew: (end) => uploadNew({ fields, ends: ids }, end),
  }
}

function beginWith(initial: EndsPlan['initial'], kept: OptionsDraft | null): EndIds {
  const read = v.safeParse(keptEnds, kept?.fields)
  return read.success
    ? read.output.ends
    : { intro: initial.introMediaAssetIds, outro: initial.outroMediaAssetIds }
}

/** The asset that the form waits for, once an edit can show it. */
function readyAsset(
  { data }: Shown<readonly ListedAsset[]>,
  left: OptionsDraft | null,
): string | null {
  const found = data?.find(({ asset }) => asset._id === left?.mediaAssetId)
  return found !== undefined && isPicturable(found.asset) ? found.asset._id : null
}

/** The fields of a form that was left, as its own schema reads them; null where there are none. */
export function keptFields<T>(
  kept: OptionsDraft | null,
  schema: v.GenericSchema<unknown, T>,
): T | null {
  const read = v.safeParse(v.object({ fields: schema }), kept?.fields)
  return read.success ? read.output.fields : null
}
