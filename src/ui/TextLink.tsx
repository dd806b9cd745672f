import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'

export interface TextLinkProps {
  readonly children: ReactNode
  readonly to: string
  readonly className?: string
  readonly isNewTab?: boolean
  readonly isDocument?: boolean
}

/** A link inside a text, underlined so that color is not its only mark. */
export function TextLink({
  children,
  to,
  className,
  isNewTab = false,
  isDocument = false,
}: TextLinkProps) {
  return (
    <Link
      to={to}
      reloadDocument={isDocument}
      {...(isNewTab ? { target: '_blank', rel: 'noopener' } : {})}
      className={classNames(
        'rounded-sm font-medium text-accent underline decoration-accent-line underline-offset-4 hover:text-accent-strong hover:decoration-current',
        className,
      )}
    >
      {children}
    </Link>
  )
}
