import type { ReactNode } from 'react'
import { tokens } from '#src/components/token-words.ts'
import type { PriceTotal } from '#src/local/edits/price.ts'
import { Button } from '#src/ui/Button.tsx'

export interface SummaryBarProps {
  readonly count: number
  readonly total: PriceTotal
  /** What the person can spend; null while unknown. */
  readonly spendableCoinAmount: number | null
  readonly isBusy: boolean
  /** The choice cannot be ordered as it is; the notice says why. */
  readonly isBlocked: boolean
  readonly onSubmit: () => void
  /** Stands above the sum: what the person needs to know before submitting. */
  readonly notice?: ReactNode
}

/** What the choice costs and what remains, always visible, with the button that submits it. */
export function SummaryBar({
  count,
  total,
  spendableCoinAmount,
  isBusy,
  isBlocked,
  onSubmit,
  notice,
}: SummaryBarProps) {
  const left = spendableCoinAmount === null ? null : spendableCoinAmount - total.coinAmount
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-8 border-t border-line bg-surface-raised/95 px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-3 backdrop-blur sm:mx-0 sm:mb-4 sm:rounded-card sm:border sm:px-6 sm:py-4">
      {notice}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p role="status" className="min-w-0 flex-1 leading-snug">
          <span className="block font-semibold tabular-nums">{`${count} ${count === 1 ? 'edit' : 'edits'} · ${total.isComplete ? '' : 'from '}${tokens(total.coinAmount)}`}</span>
          <span id="summary-balance" className="block text-sm text-ink-muted tabular-nums">
            {count === 0
              ? 'Choose at least one edit to continue.'
              : balanceWords(spendableCoinAmount, left)}
          </span>
        </p>
        <Button
          size="large"
          onPress={onSubmit}
          isDisabled={count === 0 || isBlocked}
          isBusy={isBusy}
          describedBy="summary-balance"
          className="w-full sm:w-auto"
        >
          Submit for Editing
        </Button>
      </div>
    </div>
  )
}

function balanceWords(spendable: number | null, left: number | null): string {
  if (spendable === null || left === null) return 'Your balance is not known yet.'
  return left >= 0
    ? `You have ${tokens(spendable)}. ${tokens(left)} will be left.`
    : `You have ${tokens(spendable)}. You need ${tokens(-left)} more to order.`
}
