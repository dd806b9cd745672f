import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad'

const tones: Readonly<Record<BadgeTone, string>> = {
  neutral: 'border-line bg-surface-sunken text-ink-muted',
  accent: 'border-accent-line bg-accent-soft text-accent-strong',
  good: 'border-good-line bg-good-soft text-good',
  warning: 'border-warn-line bg-warn-soft text-warn',
  bad: 'border-bad-line bg-bad-soft text-bad',
}

/** A short word or number that stands out. The word carries the meaning, not the color. */
export function Badge({
  children,
  tone = 'neutral',
  className,
}: {
  readonly children: ReactNode
  readonly tone?: BadgeTone
  readonly className?: string
}) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-6 max-w-full shrink-0 items-center gap-1 rounded-full border px-2.5 text-xs font-semibold',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
