import type { ReactNode } from 'react'
import { DocumentTitle } from '#src/ui/DocumentTitle.tsx'
import { useFoundFocus } from '#src/ui/use-found-focus.ts'

export interface MessageScreenProps {
  /** A short word or number over the title: '404'. */
  readonly eyebrow?: string
  readonly title: string
  readonly children: ReactNode
  readonly action: ReactNode
}

/** A screen that says one thing: not found, not authorised, an error. */
export function MessageScreen({ eyebrow, title, children, action }: MessageScreenProps) {
  const screen = useFoundFocus<HTMLDivElement>()
  return (
    <div
      ref={screen}
      className="flex flex-1 flex-col items-center justify-center px-6 py-20 text-center"
    >
      <DocumentTitle screen={title} />
      {eyebrow === undefined ? null : (
        <p className="text-gradient-accent text-6xl font-bold tracking-tight sm:text-7xl">
          {eyebrow}
        </p>
      )}
      <h1 tabIndex={-1} className="mt-4 text-3xl font-bold outline-none sm:text-4xl">
        {title}
      </h1>
      <div className="mt-4 max-w-prose text-lg text-ink-muted">{children}</div>
      <div className="mt-8 flex flex-wrap justify-center gap-3">{action}</div>
    </div>
  )
}
