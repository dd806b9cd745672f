import type { ReactNode } from 'react'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { expiringDays } from '#src/components/tokens/expiring-days.ts'
import { longDateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { useWallets, type Wallet } from '#src/hooks/pay/use-wallets.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { periodEndWords } from './subscription-status.ts'

export interface CancelDialogProps {
  readonly subscription: WalletSubscription
  readonly isOpen: boolean
  readonly isPending: boolean
  /** Why cancelling did not work; null until then. */
  readonly problem: ReactNode
  readonly onCancel: () => void
  readonly onClose: () => void
}

/** Says what cancelling means for the tokens, and asks. */
export function CancelDialog({
  subscription,
  isOpen,
  isPending,
  problem,
  onCancel,
  onClose,
}: CancelDialogProps) {
  const notYet = useNotYet('POST /v1/wallet-subscriptions/{id}/cancel')
  return (
    <QuestionDialog
      title="Cancel Subscription?"
      width="medium"
      isOpen={isOpen}
      isPending={isPending}
      notYet={notYet}
      keepWords="Keep Subscription"
      actWords={isPending ? 'Canceling...' : 'Cancel Subscription'}
      isDanger
      onAct={onCancel}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p>
          Your subscription stays active until the end of the current billing period,{' '}
          {periodEndWords(subscription)}. After that:
        </p>
        <ul className="list-disc space-y-1 pl-5">
          <li>
            The tokens that remain in your wallet cannot be spent. If you subscribe again, you can
            spend those that have not expired.
          </li>
          <li>You get no more monthly tokens.</li>
          <li>You can subscribe again at any time.</li>
        </ul>
        <RemainingTokens />
        {problem}
      </div>
    </QuestionDialog>
  )
}

/** What of the tokens expires when, and what never does; nothing while that is not known. */
function RemainingTokens() {
  const wallets = useWallets().data ?? []
  const lines = wallets.flatMap(remainingLines)
  return lines.length === 0 ? null : (
    <div>
      <p className="font-semibold text-ink">Your tokens now</p>
      <ul className="mt-1 space-y-1 tabular-nums">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

function remainingLines({ coinBalance, expiringLots }: Wallet): readonly string[] {
  const lasting = expiringLots.reduce((left, lot) => left - lot.coinAmount, coinBalance)
  return [
    ...expiringDays(expiringLots).map(
      ({ coinAmount, atEpochMs }) => `${tokens(coinAmount)} expire on ${longDateWords(atEpochMs)}`,
    ),
    ...(lasting > 0 ? [`${tokens(lasting)} never expire`] : []),
  ]
}
