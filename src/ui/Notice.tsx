import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type NoticeKind = 'info' | 'success' | 'warning' | 'error'

const looks: Readonly<
  Record<NoticeKind, { readonly box: string; readonly icon: typeof Info; readonly ink: string }>
> = {
  info: { box: 'border-accent-line bg-accent-soft', icon: Info, ink: 'text-accent' },
  success: { box: 'border-good-line bg-good-soft', icon: CircleCheck, ink: 'text-good' },
  warning: { box: 'border-warn-line bg-warn-soft', icon: TriangleAlert, ink: 'text-warn' },
  error: { box: 'border-bad-line bg-bad-soft', icon: CircleAlert, ink: 'text-bad' },
}

export interface NoticeProps {
  readonly kind?: NoticeKind
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly id?: string
  /**
   * Announced by screen readers when it appears: assertively for errors, politely otherwise. Off
   * for notices that are there from the start.
   */
  readonly isLive?: boolean
  readonly className?: string
}

/** A message that stays beside its subject. */
export function Notice({
  kind = 'info',
  title,
  children,
  action,
  id,
  isLive = false,
  className,
}: NoticeProps) {
  const look = looks[kind]
  const Icon = look.icon
  const liveRole = kind === 'error' ? 'alert' : 'status'
  return (
    <div
      id={id}
      role={isLive ? liveRole : undefined}
      className={classNames(
        'flex gap-3 rounded-control border p-4 text-[0.9375rem] text-ink',
        look.box,
        className,
      )}
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', look.ink)} />
      <div className="min-w-0 flex-1">
        {title === undefined ? null : <p className="font-semibold">{title}</p>}
        {children === undefined ? null : (
          <div
            className={classNames(
              'wrap-break-word',
              title !== undefined && 'mt-0.5 text-ink-muted',
            )}
          >
            {children}
          </div>
        )}
        {action === undefined ? null : <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}
