import { moneyWords } from '#src/components/tokens/token-words.ts'
import type { Payment } from '#src/local/nouns/payments.ts'
import type { BadgeTone } from '#src/ui/Badge.tsx'

export interface PaymentStanding {
  readonly label: string
  readonly tone: BadgeTone
  /** What it means for the person; null where the label says it all. */
  readonly meaning: string | null
}

/** How a payment stands, in words. */
export function paymentStanding(payment: Payment): PaymentStanding {
  const { state, refundedCents, amountCents, currency, withdrawnCents } = payment
  switch (state) {
    case 'paid':
      return withdrawnCents === 0
        ? { label: 'Paid', tone: 'good', meaning: null }
        : {
            label: 'Refund on its way',
            tone: 'accent',
            meaning: `You gave unused tokens back. ${moneyWords(withdrawnCents, currency)} goes back to where the payment came from.`,
          }
    case 'partly-refunded':
      return {
        label: 'Partly refunded',
        tone: 'neutral',
        meaning: `${moneyWords(refundedCents, currency)} of ${moneyWords(amountCents, currency)} went back.`,
      }
    case 'refunded':
      return { label: 'Refunded', tone: 'neutral', meaning: 'All of it went back.' }
    case 'disputed':
      return {
        label: 'Disputed',
        tone: 'warning',
        meaning:
          'Your bank took this payment back and decides about it. Its tokens wait until then.',
      }
    case 'lost':
      return {
        label: 'Taken back by your bank',
        tone: 'bad',
        meaning: 'The tokens of this payment were taken back with the money.',
      }
  }
}
