import { expect, it } from 'vitest'
import {
  centsOfCoins,
  coinsOfRefunds,
  nextReading,
  standingOf,
  tokenTakers,
  withdrawableUntil,
} from '#server/operations/commerce/payments/money-back.ts'

const DAY_MS = 86_400_000
const paidAt = new Date('2026-11-21T12:00:00Z')
const after = (days: number): Date => new Date(paidAt.getTime() + days * DAY_MS)
const refunds = (...cents: number[]) => ({
  refunds: cents.map((amountCents, nth) => ({ refundId: `re_${nth}`, amountCents, key: null })),
})

it.each([
  [{ amountCents: 5000, coinAmount: 5000 }, [100, 4900], [100, 4900]],
  // With taxes a token costs more than a cent, and all of the money still takes all tokens.
  [{ amountCents: 5950, coinAmount: 5000 }, [1, 1, 1, 5947], [1, 1, 1, 4997]],
  [{ amountCents: 950, coinAmount: 1900 }, [475, 475], [950, 950]],
  [{ amountCents: 100, coinAmount: 100 }, [80, 80], [80, 20]],
])('refunds of %j, %j, take %j tokens', (charged, cents, coins) => {
  expect(coinsOfRefunds(charged, refunds(...cents)).map(({ coinAmount }) => coinAmount)).toEqual(
    coins,
  )
})

it('a withdrawal takes its tokens once, before what others take, paid out or owed', () => {
  const row = { id: 'p', withdrawnCents: 1800 }
  const own = { refundId: 're_own', amountCents: 1800, key: 'withdrawal:p' }
  const [other] = refunds(2000).refunds
  const taken = (...given: (typeof own)[]) =>
    coinsOfRefunds(
      { amountCents: 2000, coinAmount: 2000 },
      { refunds: tokenTakers(row, { refunds: [...refunds(2000).refunds, ...given] }) },
    ).map(({ key, coinAmount }) => [key, coinAmount])
  expect(taken()).toEqual([
    [own.key, 1800],
    [null, 200],
  ])
  expect(taken(own)).toEqual(taken())
  expect(tokenTakers({ ...row, withdrawnCents: null }, refunds(2000))).toEqual([other])
})

it.each([
  [refunds(), null, 'paid', 0],
  [refunds(100), null, 'partly-refunded', 100],
  [refunds(100, 400), null, 'refunded', 500],
  [refunds(100), 'open', 'disputed', 100],
  [refunds(), 'lost', 'lost', 0],
  [refunds(), 'won', 'paid', 0],
  [refunds(100), 'won', 'partly-refunded', 100],
] as const)(
  'with %j and the dispute %j a payment is %s',
  (given, dispute, state, refundedCents) => {
    const facts = {
      ...given,
      dispute: dispute === null ? null : { disputeId: 'dp', amountCents: 500, state: dispute },
    }
    expect(standingOf({ amountCents: 500 }, facts)).toEqual({ state, refundedCents })
  },
)

it('is read again when its age has doubled, each day while it is disputed, and at last no more', () => {
  const open = { disputeId: 'dp', amountCents: 500, state: 'open' as const }
  expect(nextReading({ paidAt }, { dispute: null }, paidAt)).toEqual(after(1))
  expect(nextReading({ paidAt }, { dispute: null }, after(20))).toEqual(after(40))
  expect(nextReading({ paidAt }, { dispute: open }, after(20))).toEqual(after(21))
  expect(nextReading({ paidAt }, { dispute: null }, after(181))).toBeNull()
})

it('LIF-04 unused tokens can be given back until the 14th day is over', () => {
  const payment = { state: 'paid', withdrawnAt: null, paidAt } as const
  expect(withdrawableUntil(payment, 1, after(13.9))).toEqual(after(14))
  expect(withdrawableUntil(payment, 1, after(14))).toBeNull()
  expect(withdrawableUntil(payment, 0, paidAt)).toBeNull()
  expect(withdrawableUntil({ ...payment, withdrawnAt: paidAt }, 1, paidAt)).toBeNull()
  expect(withdrawableUntil({ ...payment, state: 'disputed' }, 1, paidAt)).toBeNull()
})

it('LIF-04 unused tokens give back their share of what was charged, taxes included', () => {
  expect(centsOfCoins({ amountCents: 5950, coinAmount: 5000 }, 5000)).toBe(5950)
  expect(centsOfCoins({ amountCents: 5950, coinAmount: 5000 }, 1)).toBe(1)
  expect(centsOfCoins({ amountCents: 2000, coinAmount: 2000 }, 1800)).toBe(1800)
})
