import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface CardProps {
  readonly children: ReactNode
  readonly className?: string
  readonly as?: 'div' | 'section' | 'article' | 'li'
  /** Id of the heading that names the section. */
  readonly labelledBy?: string
  /** `flush` leaves the padding to the content (pictures to the edge). */
  readonly isFlush?: boolean
}

/** A raised surface that holds one thing. */
export function Card({
  children,
  className,
  as: Element = 'div',
  labelledBy,
  isFlush = false,
}: CardProps) {
  return (
    <Element
      {...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy })}
      className={classNames(
        'rounded-card border border-line bg-surface shadow-1',
        !isFlush && 'p-5 sm:p-7',
        className,
      )}
    >
      {children}
    </Element>
  )
}
