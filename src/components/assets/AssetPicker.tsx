import { Plus } from 'lucide-react'
import { MAX_ASSETS_PER_END } from '#recipes/option-checks.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { spokenLength } from '#recipes/length-words.ts'
import { mediaAssetsPath } from '#src/config/paths.ts'
import type { ListedAsset, MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { truncate } from '#src/lib/text.ts'
import { ASSET_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { AssetPicture } from './AssetPicture.tsx'
import { ChosenAssets } from './ChosenAssets.tsx'
import { toggled } from './chosen-order.ts'
import { useFormPath } from './for-path.ts'
import { isPicturable, shownMs, totalMs, type End } from './ends.ts'

export interface AssetPickerProps {
  readonly end: End
  readonly assets: Shown<readonly ListedAsset[]>
  /** In playing order; some may be missing among the assets. */
  readonly chosenIds: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  /** Keeps the form before it is left for the screen of the assets. */
  readonly onLeave: () => void
  /** Goes to the screen of the assets. */
  readonly onUploadNew: () => void
}

const LABELS: Readonly<Record<End, string>> = {
  intro: 'Intro Media Assets',
  outro: 'Outro Media Assets',
}

/** The choice of what stands before or after an edit (OPT-03): which assets, and in which order. */
export function AssetPicker(props: AssetPickerProps) {
  const { end, assets, chosenIds, onChange } = props
  const label = LABELS[end]
  const offered = (assets.data ?? []).filter(
    ({ asset }) => asset.format === null || isPicturable(asset),
  )
  const sumMs = totalMs(offered, chosenIds)
  return (
    <fieldset className="min-w-0 rounded-control border border-line p-4">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      {assets.data === null && assets.status === 'nothing-yet' ? (
        <div role="status" aria-label="Loading media assets">
          <Skeleton className="h-16" />
        </div>
      ) : null}
      {assets.data === null ? (
        <PullFailure pull={assets} title="Unable to fetch media assets" />
      ) : null}
      {assets.data !== null && offered.length === 0 ? (
        <NoAssets onLeave={props.onLeave} />
      ) : (
        <ul aria-label={label} className="max-h-60 divide-y divide-line overflow-y-auto">
          {offered.map(({ asset }) => (
            <Choice
              key={asset._id}
              asset={asset}
              isChosen={chosenIds.includes(asset._id)}
              isFull={chosenIds.length >= MAX_ASSETS_PER_END}
              onChange={(isChosen) => onChange(toggled(chosenIds, asset._id, isChosen))}
            />
          ))}
        </ul>
      )}
      <ChosenAssets end={end} assets={assets} chosenIds={chosenIds} onChange={onChange} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="text-sm text-ink-muted tabular-nums">
          {chosenIds.length === 0
            ? 'None chosen'
            : `${chosenIds.length} chosen, ${spokenLength(sumMs)} together`}
        </p>
        <Button variant="quiet" size="small" onPress={props.onUploadNew}>
          <Plus aria-hidden className="size-4.5" />
          Upload a new one
        </Button>
      </div>
    </fieldset>
  )
}

function NoAssets({ onLeave }: { readonly onLeave: () => void }) {
  const formPath = useFormPath()
  return (
    // The link itself leads on; what the form holds is kept on the way.
    <p onClickCapture={onLeave} className="text-sm text-ink-muted">
      No media assets available. Please upload media assets{' '}
      <TextLink to={mediaAssetsPath(formPath)}>here</TextLink>
    </p>
  )
}

interface ChoiceProps {
  readonly asset: MediaAsset
  readonly isChosen: boolean
  /** No more can be added at this end. */
  readonly isFull: boolean
  readonly onChange: (isChosen: boolean) => void
}

function Choice({ asset, isChosen, isFull, onChange }: ChoiceProps) {
  const isReady = isPicturable(asset)
  return (
    <li>
      <Checkbox
        isSelected={isChosen}
        onChange={onChange}
        isDisabled={!isChosen && (!isReady || isFull)}
        className="w-full"
      >
        <AssetPicture asset={asset} isInChoice className="w-16 shrink-0 rounded-lg" />
        <span className="min-w-0 flex-1">
          <span className="block leading-snug wrap-anywhere">
            {truncate(asset.name, ASSET_NAME_MAX_CHARACTERS)}
          </span>
          <span className="block text-sm text-ink-muted tabular-nums">
            {isReady ? spokenLength(shownMs(asset)) : 'Processing...'}
          </span>
        </span>
      </Checkbox>
    </li>
  )
}
