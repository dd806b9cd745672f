import type { ReactNode } from 'react'
import { Card } from '#src/ui/Card.tsx'
import { DocumentTitle } from '#src/ui/DocumentTitle.tsx'

export interface AuthCardProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/** The frame of the sign-up, log-in and profile screens: one card in the middle, the mark above. */
export function AuthCard({ title, lead, children, footer }: AuthCardProps) {
  return (
    <div className="relative isolate flex flex-1 items-center justify-center px-4 py-10 sm:py-16">
      <div
        aria-hidden
        className="absolute inset-x-0 top-0 -z-10 h-96 bg-radial-[60%_100%_at_50%_0%] from-accent-soft to-transparent"
      />
      <DocumentTitle screen={title} />
      <div className="w-full max-w-md">
        <Card className="sm:p-9 shadow-2">
          <h1 className="text-2xl font-bold sm:text-3xl">{title}</h1>
          {lead === undefined ? null : <p className="mt-2 text-ink-muted">{lead}</p>}
          <div className="mt-7">{children}</div>
        </Card>
        {footer === undefined ? null : <p className="mt-6 text-center text-ink-muted">{footer}</p>}
      </div>
    </div>
  )
}
