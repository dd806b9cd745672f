import { expect, it } from 'vitest'
import { paymentStanding } from '#src/features/payments/payment-standing.ts'
import { fakePayment } from '#tests/fakes/fake-rows.ts'

it.each([
  [{}, 'Paid', null],
  [
    { withdrawnAt: '2026-11-21T10:00:00.000Z', withdrawnCents: 1800 },
    'Refund on its way',
    '$18.00',
  ],
  [{ state: 'partly-refunded', refundedCents: 1250 }, 'Partly refunded', '$12.50 of $50.00'],
  [{ state: 'refunded', refundedCents: 5000 }, 'Refunded', 'All of it'],
  [{ state: 'disputed' }, 'Disputed', 'Your bank'],
  [{ state: 'lost' }, 'Taken back by your bank', 'were taken back'],
] as const)('LIF-04 the payment %j is %s', (changes, label, meaning) => {
  const standing = paymentStanding(fakePayment(changes))
  expect(standing.label).toBe(label)
  if (meaning === null) expect(standing.meaning).toBeNull()
  else expect(standing.meaning).toContain(meaning)
})
