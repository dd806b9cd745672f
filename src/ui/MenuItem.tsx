import type { ReactNode } from 'react'
import { MenuItem as AriaMenuItem } from 'react-aria-components/Menu'
import { classNames } from './class-names.ts'

export interface MenuItemProps {
  readonly children: ReactNode
  readonly icon?: ReactNode
  readonly onAction?: () => void
  /** Own path; the router takes it. */
  readonly href?: string
  readonly isDisabled?: boolean
  readonly tone?: 'neutral' | 'bad'
  /** Plain text for typing ahead, when the content is not text alone. */
  readonly text?: string
}

/** One action or link of a menu. */
export function MenuItem({ children, icon, tone = 'neutral', text, ...rest }: MenuItemProps) {
  const textValue = text ?? (typeof children === 'string' ? children : undefined)
  return (
    <AriaMenuItem
      {...rest}
      {...(textValue === undefined ? {} : { textValue })}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 py-1.5 text-[0.9375rem] font-medium no-underline outline-0 transition data-focused:bg-surface-sunken data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-accent',
        'data-disabled:cursor-not-allowed data-disabled:opacity-50 [&_svg]:size-4.5 [&_svg]:shrink-0',
        tone === 'bad' ? 'text-bad' : 'text-ink',
      )}
    >
      {icon}
      {children}
    </AriaMenuItem>
  )
}
