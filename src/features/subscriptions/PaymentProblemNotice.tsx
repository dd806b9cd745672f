import { longDateWords } from '#src/lib/time-words.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { UpdateCard } from './UpdateCard.tsx'

export interface PaymentProblemNoticeProps {
  readonly subscription: Pick<WalletSubscription, 'status' | 'usableUntil'>
  readonly nowEpochMs: number
}

/**
 * Says until when tokens work although a month is not paid, and leads to where the card is changed;
 * nothing where all is paid.
 */
export function PaymentProblemNotice({ subscription, nowEpochMs }: PaymentProblemNoticeProps) {
  if (subscription.status !== 'payment-problem') return null
  const untilEpochMs = Date.parse(subscription.usableUntil ?? '')
  return (
    <Notice kind="warning" title="Your last payment did not go through" action={<UpdateCard />}>
      {untilEpochMs > nowEpochMs
        ? `You can order edits, and spend the tokens that have not expired, until ${longDateWords(untilEpochMs)}. After that you can do so again when the payment has gone through.`
        : 'You can order edits and spend tokens again when the payment has gone through.'}
    </Notice>
  )
}
