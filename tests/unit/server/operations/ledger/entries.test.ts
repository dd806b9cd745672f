import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  grantEntry,
  returnEntries,
  type StoredShare,
} from '#server/operations/core/ledger/entries.ts'
import { runs } from '#tests/seeds.ts'
import { histories, playHistory } from '#tests/suites/ledger.ts'
import { createMemoryLedger } from './memory-ledger.ts'

describe('entries of the ledger', () => {
  it('WAL-10 10,000 histories end like the ledger on paper: refunds are exact, and no debt is older than the newest grant', async () => {
    await fc.assert(
      fc.asyncProperty(histories(30, 25), async (history) => {
        await playHistory(history, createMemoryLedger(history.creditLimit))
      }),
      { numRuns: runs(10_000) },
    )
  })

  const now = new Date('2026-11-21T12:00:00Z')
  const share = (id: number, coinAmount: number, lotId: string | null): StoredShare => ({
    id,
    walletId: 'wallet',
    lotId,
    originId: lotId,
    coinAmount,
    expiresAt: null,
  })
  const debts = [share(1, 30, null), share(2, 50, null)]

  it('WAL-10 a grant pays all debt that it can, oldest first', () => {
    const settled = (coinAmount: number) =>
      grantEntry(debts, { coinAmount, expiresAt: null }, now).changes
    expect(settled(100)).toEqual([
      { kind: 'settle', shareId: 1, coinAmount: 30 },
      { kind: 'settle', shareId: 2, coinAmount: 50 },
    ])
    expect(settled(40)).toEqual([
      { kind: 'settle', shareId: 1, coinAmount: 30 },
      { kind: 'settle', shareId: 2, coinAmount: 10 },
    ])
  })

  it('WAL-10 a grant that has expired when it is booked pays no debt', () => {
    expect(grantEntry(debts, { coinAmount: 100, expiresAt: now }, now).changes).toEqual([])
  })

  it('ORD-02 no more comes back than was taken and is not back yet, and it pays other debt', () => {
    const taken = [share(3, 60, 'lot'), share(4, 5, null)]
    const [cancelled, returned, ...others] = returnEntries(taken, [share(1, 30, null)], 500, {
      now,
      extraDays: 7,
    })
    expect(cancelled).toMatchObject({
      coinAmount: 5,
      changes: [{ kind: 'cancel', shareId: 4, coinAmount: 5 }],
    })
    expect(returned).toMatchObject({
      coinAmount: 60,
      changes: [
        { kind: 'return', shareId: 3, coinAmount: 60 },
        { kind: 'settle', shareId: 1, coinAmount: 30 },
      ],
    })
    expect(others).toEqual([])
  })
})
