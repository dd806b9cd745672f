import { expect, it } from 'vitest'
import { subjectOf } from '#server/operations/core/ledger/subject.ts'

const id = '0197a3f2-7c1e-7b90-a111-000000000005'
const none = { orderId: null, revertsId: null, subscriptionId: null, cause: '' }

it.each([
  [
    { kind: 'order-payment', orderId: id, cause: `order:${id}:key` },
    { kind: 'order', id },
  ],
  [
    { kind: 'order-refund', orderId: id, cause: 'task:other#2' },
    { kind: 'order', id },
  ],
  [
    { kind: 'purchase', cause: `checkout:${id}` },
    { kind: 'checkout-session', id },
  ],
  [{ kind: 'purchase', cause: 'checkout:elsewhere' }, null],
  [
    { kind: 'subscription-grant', subscriptionId: id, cause: 'invoice:in_1' },
    { kind: 'subscription', id },
  ],
  [
    { kind: 'referral-reward', cause: `referral:${id}:referee` },
    { kind: 'referral-code-redemption', id },
  ],
  [
    { kind: 'purchase-reversal', revertsId: id, cause: 'refund:re_1' },
    { kind: 'wallet-coin-transaction', id },
  ],
  [
    { kind: 'chargeback-returned', revertsId: id, cause: 'dispute:dp_1:returned' },
    { kind: 'wallet-coin-transaction', id },
  ],
  [{ kind: 'trial-grant', cause: 'signup' }, null],
  [{ kind: 'adjustment', cause: `checkout:${id}` }, null],
] as const)('WAL-06 a line of the history names what it is about: %j', (row, subject) => {
  expect(subjectOf({ ...none, ...row })).toEqual(subject)
})
