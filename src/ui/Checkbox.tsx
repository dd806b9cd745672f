import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components'
import { classNames } from './class-names.ts'

export interface CheckboxProps {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isIndeterminate?: boolean
  readonly isDisabled?: boolean
  /** A second line under the label. */
  readonly hint?: string
  /** Takes the place of the content as the name. */
  readonly label?: string
  readonly className?: string
}

/** A checkbox with its label; the whole row is the 44 px target. */
export function Checkbox({ children, hint, label, className, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={classNames(
        'group flex min-h-11 cursor-pointer items-start gap-3 py-2 data-disabled:cursor-not-allowed data-disabled:opacity-55',
        className,
      )}
    >
      {({ isIndeterminate, isSelected }) => (
        <>
          <span
            aria-hidden
            className="mt-0.5 grid size-5.5 shrink-0 place-items-center rounded-md border-2 border-line-control bg-surface text-on-accent transition group-hover:border-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent group-data-indeterminate:border-accent-from group-data-indeterminate:bg-accent-from group-data-selected:border-accent-from group-data-selected:bg-accent-from"
          >
            {isIndeterminate ? <Minus className="size-4" strokeWidth={3} /> : null}
            {isSelected && !isIndeterminate ? <Check className="size-4" strokeWidth={3} /> : null}
          </span>
          <span className="min-w-0">
            <span className="block">{children}</span>
            {hint === undefined ? null : (
              <span className="block text-sm text-ink-muted">{hint}</span>
            )}
          </span>
        </>
      )}
    </AriaCheckbox>
  )
}
