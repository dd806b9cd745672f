import { describe, expect, it } from 'vitest'
import { paymentState } from '#src/features/upload/order/payment-state.ts'

describe('the payment of an order', () => {
  it('ORD-09 is Awaiting Payment, Upload Processing or Complete', () => {
    const states = [true, false].flatMap((isFullyPaid) =>
      [true, false].flatMap((isUploadRequestCompleted) =>
        [true, false].map((isUploadRequestValidated) => ({
          isFullyPaid,
          isUploadRequestCompleted,
          isUploadRequestValidated,
        })),
      ),
    )
    for (const facts of states) {
      const isChecked = facts.isUploadRequestCompleted && facts.isUploadRequestValidated
      const paidState = isChecked ? 'Complete' : 'Upload Processing'
      expect(paymentState(facts, facts)).toBe(facts.isFullyPaid ? paidState : 'Awaiting Payment')
    }
  })
})
