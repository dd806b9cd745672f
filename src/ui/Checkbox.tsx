import { Check } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { classNames } from './class-names.ts'

export interface CheckboxProps {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
  readonly isInvalid?: boolean
  /** Id of the words that say more of it. */
  readonly describedBy?: string
  readonly inputRef?: Ref<HTMLInputElement | null>
  readonly className?: string
}

/** A box to tick, with its words. */
export function Checkbox({
  children,
  isSelected,
  onChange,
  isDisabled = false,
  isInvalid = false,
  describedBy,
  inputRef,
  className,
}: CheckboxProps) {
  return (
    <AriaCheckbox
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
      isInvalid={isInvalid}
      {...(inputRef === undefined ? {} : { inputRef })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      className={classNames(
        'group inline-flex min-h-11 max-w-full cursor-pointer items-center gap-3 py-1.5 text-[0.9375rem] wrap-anywhere text-ink data-disabled:cursor-not-allowed data-disabled:text-ink-muted',
        className,
      )}
    >
      <span
        aria-hidden
        className="grid size-5 shrink-0 place-items-center rounded-md border border-line-control bg-surface text-transparent transition group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent group-data-invalid:border-bad group-data-selected:border-accent-from group-data-selected:bg-accent-from group-data-selected:text-on-accent"
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
      {children}
    </AriaCheckbox>
  )
}
