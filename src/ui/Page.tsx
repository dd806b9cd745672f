import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { DocumentTitle } from './DocumentTitle.tsx'
import { useFoundFocus } from './use-found-focus.ts'

export interface PageProps {
  /** The one h1 of the screen, also the document's title. */
  readonly title: string
  readonly lead?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** `narrow` for forms and messages; the default is the content width of 80rem. */
  readonly width?: 'content' | 'narrow'
  /** Keeps the heading for screen readers only. */
  readonly isTitleHidden?: boolean
  readonly className?: string
  /** For screens that give the heading the focus. */
  readonly headingRef?: Ref<HTMLHeadingElement>
}

/** The frame of a screen: document title, heading, width and outer space. */
export function Page({
  title,
  lead,
  actions,
  children,
  width = 'content',
  isTitleHidden = false,
  className,
  headingRef,
}: PageProps) {
  // With a ref of its own, the caller says when the heading has the focus.
  const screen = useFoundFocus<HTMLDivElement>(headingRef === undefined)
  return (
    <div
      ref={screen}
      className={classNames(
        'mx-auto w-full px-4 py-4 sm:px-6 sm:py-12 lg:px-8',
        width === 'content' ? 'max-w-content' : 'max-w-lg',
        className,
      )}
    >
      <DocumentTitle screen={title} />
      <div
        className={classNames(
          'flex flex-wrap items-end justify-between gap-4',
          isTitleHidden ? 'sr-only' : 'mb-4 sm:mb-8',
        )}
      >
        <div className="min-w-0">
          <h1
            ref={headingRef}
            tabIndex={-1}
            className="text-2xl font-bold outline-none sm:text-4xl"
          >
            {title}
          </h1>
          {lead === undefined ? null : (
            <div className="mt-2 max-w-prose text-lg text-ink-muted">{lead}</div>
          )}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
