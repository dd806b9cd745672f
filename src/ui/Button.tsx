import type { ReactNode, Ref } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { buttonLook } from './button-look.ts'
import type { ButtonSize, ButtonVariant } from './button-look.ts'
import { Spinner } from './Spinner.tsx'

export interface ButtonProps {
  readonly children: ReactNode
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly type?: 'button' | 'submit'
  readonly onPress?: () => void
  readonly isDisabled?: boolean
  /**
   * Shows a spinner, keeps the focus and ignores presses, so that the button stays in place while
   * its work runs.
   */
  readonly isBusy?: boolean
  /** Needed when the visible content is only an icon. */
  readonly label?: string
  /** Id of the text that says why the button is disabled. */
  readonly describedBy?: string
  readonly className?: string
  /** `close` closes the surrounding dialog. */
  readonly slot?: 'close'
  readonly autoFocus?: boolean
  readonly form?: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** A push button; `primary` at most once per screen. */
export function Button(props: ButtonProps) {
  const {
    children,
    variant,
    size,
    isBusy = false,
    type,
    onPress,
    label,
    describedBy,
    className,
    ...rest
  } = props
  return (
    // Not the library's `isPending`: it leaves an announcement without text behind when the button
    // goes away with its work (react-aria-components 1.22).
    <AriaButton
      {...rest}
      type={isBusy ? 'button' : (type ?? 'button')}
      aria-disabled={isBusy}
      {...(onPress === undefined || isBusy ? {} : { onPress })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      className={buttonLook(variant, size, className)}
    >
      {isBusy ? <Spinner /> : null}
      {children}
    </AriaButton>
  )
}
