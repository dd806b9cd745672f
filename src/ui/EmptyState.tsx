import type { ReactNode } from 'react'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** What will be here. */
  readonly children?: ReactNode
  /** The one action that starts it. */
  readonly action?: ReactNode
}

/** Says what will be here and how to start it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-card border border-dashed border-line-strong bg-surface px-6 py-14 text-center sm:py-20">
      {icon === undefined ? null : (
        <div
          aria-hidden
          className="mb-2 grid size-16 place-items-center rounded-2xl bg-accent-soft text-accent [&_svg]:size-7"
        >
          {icon}
        </div>
      )}
      <h2 className="text-xl font-semibold">{title}</h2>
      {children === undefined ? null : <div className="max-w-prose text-ink-muted">{children}</div>}
      {action === undefined ? null : <div className="mt-4">{action}</div>}
    </div>
  )
}
