import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonLook } from './button-look.ts'
import type { ButtonSize, ButtonVariant } from './button-look.ts'

export interface LinkButtonProps {
  readonly children: ReactNode
  readonly to: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly className?: string
  readonly replace?: boolean
  /** Router state that travels with the navigation. */
  readonly state?: unknown
  /** Opens in a new tab, without an opener. */
  readonly isNewTab?: boolean
  /** Lets the browser load the address instead of the router: for pages that the server renders. */
  readonly isDocument?: boolean
  /** Runs before the address changes. */
  readonly onPress?: () => void
}

/** A link that looks like a button: use it when pressing changes the address. */
export function LinkButton({
  children,
  variant,
  size,
  className,
  isNewTab = false,
  isDocument = false,
  onPress,
  ...rest
}: LinkButtonProps) {
  return (
    <Link
      {...rest}
      reloadDocument={isDocument}
      onClick={onPress}
      {...(isNewTab ? { target: '_blank', rel: 'noopener' } : {})}
      className={buttonLook(variant, size, className)}
    >
      {children}
    </Link>
  )
}
