import { useId, type MouseEvent, type ReactNode, type Ref } from 'react'
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
  /**
   * Why a press does not help yet, which stands beside the button. Until it is null the button
   * keeps the focus and ignores presses, also Enter in its form, so that what is typed stays.
   */
  readonly notYet?: string | null
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
    notYet = null,
    type,
    onPress,
    label,
    describedBy,
    className,
    ...rest
  } = props
  const notYetId = useId()
  const isTooSoon = notYet !== null && !isBusy
  const ignores = isBusy || isTooSoon
  const descriptions = [describedBy, isTooSoon ? notYetId : undefined].filter(
    (id) => id !== undefined,
  )
  return (
    <>
      {/* Not the library's `isPending`: it leaves an announcement without text behind when the
          button goes away with its work (react-aria-components 1.22). */}
      <AriaButton
        {...rest}
        type={isBusy ? 'button' : (type ?? 'button')}
        aria-disabled={ignores}
        {...(onPress === undefined || ignores ? {} : { onPress })}
        {...(isTooSoon ? { onClickCapture: stop, 'data-too-soon': true } : {})}
        {...(label === undefined ? {} : { 'aria-label': label })}
        {...(descriptions.length === 0 ? {} : { 'aria-describedby': descriptions.join(' ') })}
        className={buttonLook(variant, size, className)}
      >
        {isBusy ? <Spinner /> : null}
        {children}
      </AriaButton>
      {isTooSoon ? (
        <p id={notYetId} className="w-full text-sm text-ink-muted">
          {notYet}
        </p>
      ) : null}
    </>
  )
}

/** Browsers send a form by a click on its button, also for Enter in a field. */
function stop(event: MouseEvent): void {
  event.preventDefault()
}
