import { Check, Play, Plus, SlidersHorizontal, TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { ToggleButton, type ToggleButtonProps } from 'react-aria-components/ToggleButton'
import type { components } from '#openapi/schema.gen.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'

export interface PresetCardProps {
  readonly preset: Pick<
    components['schemas']['MediaJobTaskPreset'],
    'slug' | 'name' | 'description' | 'imageUrl' | 'badge' | 'hasOptions'
  >
  readonly price: string
  readonly isChosen: boolean
  /** The chosen options in words: '@someusername'. */
  readonly options?: string | null
  /** Nothing can be chosen yet: the card only shows. */
  readonly isReadOnly?: boolean
  /** Why it cannot be made of this video; what was chosen before can still be taken out. */
  readonly obstacle?: string | null
  /** What else is to be known of it before it is chosen for this video. */
  readonly caution?: string | null
  /** What else is to be known before choosing it. */
  readonly note?: string | null
  readonly onPress: () => void
  /** Opens the options of a chosen preset again. */
  readonly onChangeOptions?: () => void
  /** Opens its moment board; left out where its options are all there is to change. */
  readonly onChooseMoments?: (() => void) | undefined
  /** Shows the edit on the creator's own video; left out while there is none. */
  readonly onPreview?: (() => void) | null
  /** What this device can do with it; null where it has no file of the video. */
  readonly make?: ReactNode
}

/**
 * One edit format: picture, name, what it makes, its exact price, and whether it is chosen. The
 * whole card is the control.
 */
export function PresetCard({
  preset,
  price,
  isChosen,
  isReadOnly = false,
  obstacle = null,
  note = null,
  caution = null,
  onPress,
  onPreview = null,
  make = null,
  ...chosen
}: PresetCardProps) {
  const id = useId()
  const told = obstacle ?? caution
  return (
    <div
      className={classNames(
        'group relative grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 max-sm:@max-[17.25rem]:grid-cols-1 gap-y-2 overflow-hidden rounded-card border bg-surface p-4 shadow-1 transition sm:flex sm:flex-col sm:gap-0 sm:p-0',
        isChosen
          ? 'border-accent ring-2 ring-accent forced-colors:outline-4 forced-colors:outline-[Highlight]'
          : 'border-line',
        !isReadOnly && !isChosen && 'hover:border-line-control hover:shadow-2',
      )}
    >
      {/* First, so that a keyboard chooses an edit before it comes to what else the card has. */}
      {isReadOnly ? null : (
        <ChoiceButton
          id={id}
          isImpossible={obstacle !== null}
          isTold={told !== null}
          isSelected={isChosen}
          onChange={onPress}
        />
      )}
      <Picture preset={preset} />
      {isReadOnly || (obstacle !== null && !isChosen) ? null : (
        <ChoiceMark isChosen={isChosen} hasOptions={preset.hasOptions} />
      )}
      {/* On a phone the name stands beside the picture, and the rest has the whole width. */}
      <div className="contents sm:flex sm:flex-1 sm:flex-col sm:gap-1.5 sm:p-4">
        <Name id={`${id}-name`} isReadOnly={isReadOnly}>
          {preset.name}
        </Name>
        <div className="col-span-full flex min-w-0 flex-1 flex-col gap-1.5">
          <p id={`${id}-text`} className="flex-1 text-sm leading-relaxed text-ink-muted">
            {preset.description}
          </p>
          <PriceLine id={`${id}-price`} price={price} name={preset.name} onPreview={onPreview} />
          {make}
          {note === null ? null : <p className="text-sm font-medium text-good">{note}</p>}
          {told === null ? null : <Told id={`${id}-told`} text={told} />}
          <ChosenOptions name={preset.name} {...chosen} />
        </div>
      </div>
    </div>
  )
}

function Name({
  isReadOnly,
  ...heading
}: {
  readonly id: string
  readonly isReadOnly: boolean
  readonly children: string
}) {
  return (
    <h3
      {...heading}
      className={classNames(
        'text-[1.0625rem] leading-snug font-semibold',
        !isReadOnly && 'max-sm:@min-[17.25rem]:pr-9',
      )}
    />
  )
}

/** Lies over the whole card; what else can be pressed lies above it (`z-10`). */
function ChoiceButton({
  id,
  isImpossible,
  isTold,
  ...choice
}: {
  readonly id: string
  readonly isImpossible: boolean
  readonly isTold: boolean
} & Pick<ToggleButtonProps, 'isSelected' | 'onChange'>) {
  return (
    <ToggleButton
      {...choice}
      isDisabled={isImpossible && choice.isSelected !== true}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${isTold ? `${id}-told ` : ''}${id}-price ${id}-text`}
      className="absolute inset-0 z-1 cursor-pointer data-disabled:cursor-not-allowed rounded-card outline-0 data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-accent"
    />
  )
}

/** Whole at every width: a part of it says nothing about the format. */
function Picture({ preset }: Pick<PresetCardProps, 'preset'>) {
  return (
    <div className="relative aspect-16/9 shrink-0 self-start overflow-hidden bg-surface-sunken max-sm:rounded-lg sm:w-full">
      <img
        src={preset.imageUrl}
        alt=""
        loading="lazy"
        decoding="async"
        width={640}
        height={360}
        className="size-full object-cover transition duration-300 group-hover:scale-[1.02] motion-reduce:transform-none"
      />
      {preset.badge === null ? null : (
        <Badge tone="accent" className="absolute top-1 left-1 shadow-1 sm:top-3 sm:left-3">
          {preset.badge === 'popular' ? 'Popular' : 'New'}
        </Badge>
      )}
    </div>
  )
}

/** What pressing the card does: take it out, ask for its options, or add it. */
function ChoiceMark({
  isChosen,
  hasOptions,
}: {
  readonly isChosen: boolean
  readonly hasOptions: boolean
}) {
  return (
    <span
      aria-hidden
      className={classNames(
        'absolute top-2.5 right-2.5 grid size-9 sm:top-3 sm:right-3 place-items-center rounded-full border shadow-1 transition',
        isChosen
          ? 'border-transparent bg-accent-from text-on-accent'
          : 'border-line bg-surface text-ink-muted',
      )}
    >
      {choiceIcon(isChosen, hasOptions)}
    </span>
  )
}

function choiceIcon(isChosen: boolean, hasOptions: boolean): ReactNode {
  if (isChosen) return <Check className="size-5" strokeWidth={2.5} />
  return hasOptions ? <SlidersHorizontal className="size-4.5" /> : <Plus className="size-5" />
}

function PriceLine({
  id,
  price,
  name,
  onPreview,
}: {
  readonly id: string
  readonly price: string
  readonly name: string
  readonly onPreview: (() => void) | null
}) {
  return (
    <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-2">
      <p id={id} className="font-semibold tabular-nums">
        {price}
      </p>
      {onPreview === null ? null : <PreviewButton name={name} onPress={onPreview} />}
    </div>
  )
}

function Told({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-sm font-medium">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      {text}
    </p>
  )
}

function PreviewButton({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  return (
    <Button
      variant="quiet"
      size="small"
      onPress={onPress}
      label={`Preview of ${name}`}
      className="relative z-10 -mr-2 text-accent"
    >
      <Play aria-hidden className="size-4" />
      Preview
    </Button>
  )
}

function ChosenOptions({
  name,
  options = null,
  onChangeOptions,
  onChooseMoments,
}: Pick<PresetCardProps, 'options' | 'onChangeOptions' | 'onChooseMoments'> & {
  readonly name: string
}) {
  if (options === null) return null
  const buttons = [
    { text: 'Moments', label: `Choose moments of ${name}`, onPress: onChooseMoments },
    { text: 'Change', label: `Change options of ${name}`, onPress: onChangeOptions },
  ].flatMap(({ onPress, ...words }) => (onPress === undefined ? [] : [{ ...words, onPress }]))
  // With two buttons beside them, nothing would be left of the words on a phone.
  const isOwnRow = buttons.length > 1
  return (
    <div className="relative z-10 mt-1 flex flex-wrap items-center justify-between gap-x-2 rounded-control bg-surface-sunken py-1 pr-1 pl-3 text-sm">
      <span
        className={classNames('min-w-0 flex-1 basis-24 truncate', isOwnRow && 'max-sm:basis-full')}
      >
        {options}
      </span>
      <span className={classNames('flex', isOwnRow && 'max-sm:-ml-2.5')}>
        {buttons.map(({ text, ...button }) => (
          <Button key={text} variant="quiet" size="small" {...button}>
            {text}
          </Button>
        ))}
      </span>
    </div>
  )
}
