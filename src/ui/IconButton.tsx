import type { ReactNode, Ref } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'

export interface IconButtonProps {
  /** The accessible name; also shown as the browser's hint. */
  readonly label: string
  readonly icon: ReactNode
  readonly onPress?: () => void
  readonly isDisabled?: boolean
  readonly className?: string
  readonly slot?: 'close'
  readonly isPressed?: boolean
  /** For buttons that show and hide something. */
  readonly isExpanded?: boolean
  /** Id of what it shows. */
  readonly controls?: string
  /** For who leads the focus back to it. */
  readonly ref?: Ref<HTMLButtonElement>
}

/** A round 44 px button with an icon only. */
export function IconButton({
  label,
  icon,
  className,
  isPressed,
  isExpanded,
  controls,
  ...rest
}: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      aria-label={label}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...(controls === undefined ? {} : { 'aria-controls': controls })}
      className={classNames(
        'inline-flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-full text-ink-muted transition hover:bg-surface-sunken hover:text-ink',
        'data-disabled:cursor-not-allowed data-disabled:opacity-50 [&_svg]:size-5',
        className,
      )}
    >
      {icon}
    </AriaButton>
  )
}
