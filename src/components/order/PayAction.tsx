import { useContext, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { ActionBar } from '#src/ui/ActionBar.tsx'
import { PayBarPlace } from './pay-bar-place.ts'

export interface PayActionProps {
  /** The way to pay that comes first. */
  readonly isMain: boolean
  readonly order: Order
  /** What pressing it pays and what is left then, where that is not all of the order. */
  readonly part?: { readonly coinAmount: number; readonly leftToPay: number } | null
  /** Why the last try did not succeed; null of none. */
  readonly problem: ReactNode
  /** The button. In the bar it stands beside what it pays. */
  readonly children: (isInBar: boolean) => ReactNode
}

/**
 * One way to pay. Where the payment stands below what is ordered, the main one is in a bar at the
 * bottom of the window: with eight edits, a phone has the payment two screens further down.
 */
export function PayAction({ isMain, order, part = null, problem, children }: PayActionProps) {
  const place = useContext(PayBarPlace)
  if (!isMain || place === null)
    return (
      <>
        {problem}
        {children(false)}
      </>
    )
  const due = order.remainingPayableCoinAmount
  return createPortal(
    <ActionBar
      words={
        <p className="leading-snug tabular-nums">
          <span className="block font-semibold max-sm:text-[0.9375rem]">
            {part === null ? tokens(due) : `${tokens(part.coinAmount)} now`}
          </span>
          <span className="block text-sm text-ink-muted">
            {part === null ? `${dollars(due)} to pay` : `${tokens(part.leftToPay)} left to pay`}
          </span>
        </p>
      }
      action={children(true)}
    >
      {problem === null ? null : <div className="mb-3">{problem}</div>}
    </ActionBar>,
    place,
  )
}
