import { WITHDRAWAL_DAYS } from '#spec/numbers.ts'
import type { PaymentRow } from '#server/db/rows.ts'

const WITHDRAWAL_MS = WITHDRAWAL_DAYS * 24 * 60 * 60 * 1000

/** When the days end in which unused tokens of a payment can be given back. */
export function withdrawalEnd({ paidAt }: Pick<PaymentRow, 'paidAt'>): Date {
  return new Date(paidAt.getTime() + WITHDRAWAL_MS)
}

/** Whether the person paid nothing after all, or took back what they had not used. */
export function isGivenBack({
  withdrawnAt,
  state,
}: Pick<PaymentRow, 'withdrawnAt' | 'state'>): boolean {
  return withdrawnAt !== null || state === 'refunded' || state === 'lost'
}
