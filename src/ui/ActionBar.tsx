import { useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useScrollRoom } from './use-scroll-room.ts'

export interface ActionBarProps {
  /** What the action comes to, in two short lines: a phone shows them beside it. */
  readonly words: ReactNode
  /** One button, or a link that looks like one. */
  readonly action: ReactNode
  /** Stands above both, over the whole width: what keeps the action from being taken. */
  readonly children?: ReactNode
  /** On phones it stays in its place, where it would cover more than it says. */
  readonly isStillOnPhones?: boolean
  readonly className?: string
}

/**
 * The one action to which a long screen leads, always in reach: sticks to the bottom of the window
 * while the screen goes on below, and ends with it. It belongs at the end of what it ends.
 */
export function ActionBar({
  words,
  action,
  children,
  isStillOnPhones = false,
  className,
}: ActionBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useScrollRoom(bar)
  return (
    <div
      ref={bar}
      className={classNames(
        'sticky short:static bottom-0 z-20 -mx-4 mt-4 border-t border-line bg-surface-raised/95 px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-3 backdrop-blur sm:mx-0 sm:mt-8 sm:mb-[max(1rem,env(safe-area-inset-bottom))] sm:rounded-card sm:border sm:px-6 sm:py-4',
        isStillOnPhones && 'max-sm:static',
        className,
      )}
    >
      {children}
      {/* Large letters put the action below its words. */}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:gap-x-6">
        <div className="min-w-0 grow-[999] basis-28">{words}</div>
        <div className="grow max-sm:*:min-h-11 max-sm:*:w-full max-sm:*:px-3 max-sm:*:text-[0.9375rem]">
          {action}
        </div>
      </div>
    </div>
  )
}
