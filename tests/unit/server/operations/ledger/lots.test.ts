import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  divideOverLots,
  spendableLots,
  unusedOf,
  walletState,
  type Lot,
} from '#server/operations/core/ledger/lots.ts'

const now = new Date('2026-11-21T12:00:00Z')
const named = (id: string, originId = id) => ({ id, originId })
const lots = fc
  .array(
    fc.record({
      remaining: fc.integer({ min: 0, max: 2000 }),
      expiresAt: fc.option(
        fc.integer({ min: -5, max: 5 }).map((days) => new Date(now.getTime() + days * 86_400_000)),
      ),
    }),
    { maxLength: 8 },
  )
  .map((rows) => rows.map((row, index): Lot => ({ ...named(`lot-${index}`), ...row })))
const total = (rows: readonly { coinAmount: number }[]): number =>
  rows.reduce((sum, row) => sum + row.coinAmount, 0)

describe('lots', () => {
  it('WAL-10 a lot counts until the moment it expires, not at that moment', () => {
    const lot = (ms: number): Lot => ({
      ...named('a'),
      remaining: 5,
      expiresAt: new Date(now.getTime() + ms),
    })
    expect(spendableLots([lot(1)], now)).toHaveLength(1)
    expect(spendableLots([lot(0)], now)).toHaveLength(0)
  })

  it('LIF-04 what is spent of the reward of a purchase is used of the purchase', () => {
    const lot = (id: string, remaining: number, days = 1): Lot => ({
      ...named(id),
      remaining,
      expiresAt: new Date(now.getTime() + days * 86_400_000),
    })
    const reward = { lotId: 'reward', coinAmount: 1900 }
    const unused = (kept: number) =>
      unusedOf([lot('month', 1900), lot('reward', kept)], 'month', reward, now)
    expect([1900, 200, 0].map(unused)).toEqual([1900, 200, 0])
    expect(unusedOf([lot('month', 500), lot('reward', 0)], 'month', reward, now)).toBe(0)
    expect(unusedOf([lot('month', 500), lot('reward', 0)], 'month', null, now)).toBe(500)
    expect(unusedOf([lot('month', 500, 0)], 'month', null, now)).toBe(0)
  })

  it('LIF-04 tokens that came back are unused of the purchase that they came from', () => {
    const lot = (id: string, originId: string, remaining: number): Lot => ({
      ...named(id, originId),
      remaining,
      expiresAt: null,
    })
    const held = [lot('first', 'first', 40), lot('second', 'second', 0), lot('back', 'second', 70)]
    expect(unusedOf(held, 'first', null, now)).toBe(40)
    expect(unusedOf(held, 'second', null, now)).toBe(70)
    const reward = { lotId: 'second', coinAmount: 100 }
    expect(unusedOf(held, 'first', reward, now)).toBe(10)
  })

  it('WAL-10 spending takes from the lot that expires first and from unlimited ones last', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 1, max: 5000 }), (rows, coinAmount) => {
        const counting = spendableLots(rows, now)
        const shares = divideOverLots(counting, coinAmount)
        expect(total(shares)).toBe(coinAmount)
        const at = (id: string | null): number =>
          rows.find((row) => row.id === id)?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
        const touched = shares.filter((share) => share.lotId !== null)
        for (const share of touched.slice(0, -1))
          expect(share.coinAmount).toBe(rows.find((row) => row.id === share.lotId)?.remaining)
        const latest = Math.max(...touched.map((share) => at(share.lotId)), 0)
        for (const lot of counting)
          if (at(lot.id) < latest)
            expect(touched.some((share) => share.lotId === lot.id)).toBe(true)
      }),
    )
  })

  it('WAL-03 spendable is balance plus credit limit and never below 0', () => {
    fc.assert(
      fc.property(
        lots,
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        (rows, usedCredit, limit) => {
          const state = walletState(rows, usedCredit, limit, now)
          expect(state.coinBalance).toBe(
            spendableLots(rows, now).reduce((sum, lot) => sum + lot.remaining, 0) - usedCredit,
          )
          expect(state.spendableCoinAmount).toBe(Math.max(0, state.coinBalance + limit))
        },
      ),
    )
  })
})
