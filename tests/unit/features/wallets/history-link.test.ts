import { expect, it } from 'vitest'
import { lineLink, type HistoryLine } from '#src/features/wallets/history-link.ts'
import { fakeTransaction, idOf } from '#tests/fakes/fake-rows.ts'

const linkOf = (changes: Partial<HistoryLine>, lines: readonly HistoryLine[] = []) =>
  lineLink(fakeTransaction(changes), lines)

it('WAL-06 every line leads to what its tokens moved for', () => {
  expect(linkOf({ subject: { kind: 'order', _id: idOf(3) } })?.to).toBe(
    `/uploads/orders/${idOf(3)}/checkout`,
  )
  expect(linkOf({ subject: { kind: 'checkout-session', _id: idOf(8) } })?.to).toBe(
    `/wallet-coin-transactions/stripe/checkout?walletId=${idOf(4)}&stripeCheckoutSessionId=${idOf(8)}`,
  )
  expect(linkOf({ subject: { kind: 'subscription', _id: null } })?.to).toBe('/subscriptions')
  expect(linkOf({ subject: { kind: 'referral-code-redemption', _id: idOf(9) } })?.to).toBe(
    '/referral-codes',
  )
})

it('WAL-06 an expiry leads to its grant, if the history still holds it', () => {
  const grant = fakeTransaction({ _id: idOf(50) })
  const expiry = {
    kind: 'expiry',
    subject: { kind: 'wallet-coin-transaction', _id: grant._id },
  } as const
  expect(linkOf(expiry, [grant])).toEqual({
    to: `#transaction-${grant._id}`,
    label: 'View grant',
  })
  expect(linkOf(expiry)).toBeNull()
})

it('WAL-06 a line that names nothing leads nowhere', () => {
  expect(linkOf({ subject: null })).toBeNull()
})
