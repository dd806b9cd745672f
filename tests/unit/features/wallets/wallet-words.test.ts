import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { walletBadge, walletName, walletStatus } from '#src/features/wallets/wallet-words.ts'

it('WAL-01 the badge says how the balance stands', () => {
  expect([-1, 0, 1].map((balance) => walletBadge(balance).label)).toEqual([
    'Negative Balance',
    'Empty',
    'Active',
  ])
})

it('WAL-01 a wallet is named by the last 6 characters of its id', () => {
  expect(walletName('0197a3f2-7c1e-7b90-a111-000000abcdef')).toBe('Wallet ending in abcdef')
})

it('WAL-04 every balance has one status', () => {
  fc.assert(
    fc.property(fc.integer(), fc.boolean(), (balance, maySpend) => {
      const status = walletStatus(balance, maySpend)
      if (balance <= 0) expect(status).toBe('Ready to Get Started')
      else expect(status).toBe(maySpend ? 'Ready to Use' : 'Subscription Needed')
    }),
  )
})
