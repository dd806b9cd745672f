import { ChevronDown, ChevronUp, GripVertical, TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import type { ListedAsset } from '#src/hooks/assets/use-media-assets.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { truncate } from '#src/lib/text.ts'
import { ASSET_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { classNames } from '#src/ui/class-names.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { movedTo, toggled } from './chosen-order.ts'
import { MISSING, type End } from './ends.ts'
import { missingIds } from './missing-ends.ts'

interface ChosenAssetsProps {
  readonly end: End
  readonly assets: Shown<readonly ListedAsset[]>
  readonly chosenIds: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The chosen assets in playing order, to be moved by dragging or by buttons. */
export function ChosenAssets({ end, assets, chosenIds, onChange }: ChosenAssetsProps) {
  const [draggedId, setDraggedId] = useState<string | null>(null)
  const missing = missingIds(assets, chosenIds)
  if (chosenIds.length === 0) return null
  const drop = (place: number) => {
    if (draggedId !== null) onChange(movedTo(chosenIds, draggedId, place))
    setDraggedId(null)
  }
  return (
    <>
      <ol
        aria-label={end === 'intro' ? 'Order of the intro' : 'Order of the outro'}
        className="mt-3 flex flex-col gap-1.5"
      >
        {chosenIds.map((id, place) => (
          <li
            key={id}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDraggedId(id)
            }}
            onDragEnd={() => setDraggedId(null)}
            onDragOver={(event) => {
              if (draggedId !== null) event.preventDefault()
            }}
            onDrop={(event) => {
              event.preventDefault()
              drop(place)
            }}
            className={classNames(
              'flex cursor-grab items-center gap-2 rounded-lg bg-surface-sunken pl-2',
              draggedId === id && 'opacity-50',
            )}
          >
            <GripVertical aria-hidden className="size-4.5 shrink-0 text-ink-faint" />
            <ChosenName
              end={end}
              name={assets.data?.find(({ asset }) => asset._id === id)?.asset.name ?? null}
              isMissing={missing.includes(id)}
            />
            <PlaceButtons
              place={place}
              count={chosenIds.length}
              onMove={(to) => onChange(movedTo(chosenIds, id, to))}
              onRemove={() => onChange(toggled(chosenIds, id, false))}
            />
          </li>
        ))}
      </ol>
      {missing.length === 0 ? null : (
        <p role="alert" className="mt-2 text-sm text-bad">
          {`${MISSING[end]}. It was deleted; remove it or choose another.`}
        </p>
      )}
    </>
  )
}

interface ChosenNameProps {
  readonly end: End
  /** Null while it is not known. */
  readonly name: string | null
  readonly isMissing: boolean
}

function ChosenName({ end, name, isMissing }: ChosenNameProps) {
  return isMissing ? (
    <span className="flex min-w-0 flex-1 items-center gap-1.5 text-sm font-medium text-bad">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      {MISSING[end]}
    </span>
  ) : (
    <span className="min-w-0 flex-1 text-sm wrap-anywhere">
      {name === null ? '…' : truncate(name, ASSET_NAME_MAX_CHARACTERS)}
    </span>
  )
}

interface PlaceButtonsProps {
  /** From 0. */
  readonly place: number
  readonly count: number
  readonly onMove: (place: number) => void
  readonly onRemove: () => void
}

function PlaceButtons({ place, count, onMove, onRemove }: PlaceButtonsProps) {
  const which = `${place + 1} of ${count}`
  return (
    <span className="flex shrink-0">
      <IconButton
        label={`Move up ${which}`}
        icon={<ChevronUp aria-hidden />}
        isDisabled={place === 0}
        onPress={() => onMove(place - 1)}
      />
      <IconButton
        label={`Move down ${which}`}
        icon={<ChevronDown aria-hidden />}
        isDisabled={place === count - 1}
        onPress={() => onMove(place + 1)}
      />
      <IconButton label={`Remove ${which}`} icon={<X aria-hidden />} onPress={onRemove} />
    </span>
  )
}
