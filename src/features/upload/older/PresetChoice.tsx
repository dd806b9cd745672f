import { Check, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { classNames } from '#src/ui/class-names.ts'

export interface PresetChoiceProps {
  readonly preset: Preset
  readonly price: string
  readonly isChosen: boolean
  /** The chosen options in words, and the page that changes them; null without options. */
  readonly options: { readonly words: string; readonly path: string } | null
  /** Why it cannot be made of this video; what was chosen before can still be taken out. */
  readonly obstacle: string | null
  /** What else is to be known of it before it is chosen for this video. */
  readonly caution: string | null
  readonly onToggle: () => void
}

/** One format of the older flow: picture, name, description, price and a box to tick. */
export function PresetChoice(props: PresetChoiceProps) {
  const { preset, isChosen, options, obstacle, onToggle } = props
  const id = useId()
  const told = obstacle ?? props.caution
  return (
    <li
      className={classNames(
        'flex flex-col overflow-hidden rounded-card border bg-surface shadow-1',
        isChosen ? 'border-accent ring-2 ring-accent' : 'border-line',
      )}
    >
      <Checkbox
        isSelected={isChosen}
        onChange={onToggle}
        isDisabled={obstacle !== null && !isChosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${told === null ? '' : `${id}-told `}${id}-price ${id}-text`}
        className="group relative flex flex-1 flex-wrap cursor-pointer rounded-card sm:flex-col sm:flex-nowrap outline-0 data-disabled:cursor-not-allowed data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-accent"
      >
        <img
          src={preset.imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          width={640}
          height={360}
          className="w-28 shrink-0 bg-surface-sunken object-cover sm:aspect-16/9 sm:w-full"
        />
        <ChoiceWords id={id} preset={preset} price={props.price} told={told} />
      </Checkbox>
      {options === null ? null : (
        <div className="mx-4 mb-4 flex flex-wrap items-center justify-between gap-x-2 rounded-control bg-surface-sunken py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 basis-24 truncate">{options.words}</span>
          <LinkButton to={options.path} variant="quiet" size="small">
            Change
            <span className="sr-only">{` options of ${preset.name}`}</span>
          </LinkButton>
        </div>
      )}
    </li>
  )
}

/** The box, and what the format is and costs. */
function ChoiceWords({
  id,
  preset,
  price,
  told,
}: Pick<PresetChoiceProps, 'preset' | 'price'> & {
  readonly id: string
  readonly told: string | null
}) {
  return (
    <span className="flex min-w-0 flex-1 basis-40 gap-3 p-4">
      <span
        aria-hidden
        className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-md border border-line-control bg-surface text-transparent group-data-disabled:border-line group-data-selected:border-accent-from group-data-selected:bg-accent-from group-data-selected:text-on-accent"
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
      <span className="flex min-w-0 flex-col gap-1.5">
        <span id={`${id}-name`} className="leading-snug font-semibold">
          {preset.name}
        </span>
        <span id={`${id}-text`} className="flex-1 text-sm leading-relaxed text-ink-muted">
          {preset.description}
        </span>
        <span id={`${id}-price`} className="font-semibold tabular-nums">
          {price}
        </span>
        {told === null ? null : (
          <span id={`${id}-told`} className="flex gap-1.5 text-sm font-medium">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
            {told}
          </span>
        )}
      </span>
    </span>
  )
}
