import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { asc, eq } from 'drizzle-orm'
import { lotSpends } from '#server/db/schema.ts'
import { EXPIRED_REFUND_DAYS, EXPIRED_REVERSAL_DAYS } from '#server/operations/core/ledger/book.ts'
import { runs } from '#tests/seeds.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { histories, playHistory, type History } from '#tests/suites/ledger.ts'
import { asLedgerUnderTest, DAY_MS, newWallet, type TestWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

/** When each transaction's tokens expire, in days from the wallet's now; null is never. */
function inDays(
  wallet: TestWallet,
  rows: readonly { coinAmount: number; coinsExpireAfterAt: Date | null }[],
): readonly (readonly [number, number | null])[] {
  return rows.map(({ coinAmount, coinsExpireAfterAt: at }) => [
    coinAmount,
    at === null ? null : (at.getTime() - wallet.clock.now) / DAY_MS,
  ])
}

describe('the ledger on PostgreSQL', () => {
  async function play(history: History): Promise<void> {
    const wallet = await newWallet(database.db, history.creditLimit)
    await playHistory(history, asLedgerUnderTest(wallet))
  }

  it('WAL-10 sequences of grants, spends, refunds, chargebacks and waiting end like the ledger on paper', async () => {
    // Eight at a time: the database works on one while the model works on another.
    const eight = fc.array(histories(300, 12), { minLength: 8, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(eight, async (each) => {
        await Promise.all(each.map(play))
      }),
      { numRuns: runs(20) },
    )
  })

  it('WAL-10 tokens that are spent and refunded twice come back with the expiry that they had', async () => {
    await play({
      creditLimit: 300,
      steps: [
        { kind: 'spend', order: 0, coinAmount: 100 },
        { kind: 'grant', coinAmount: 300, days: 1 },
        { kind: 'refund', order: 0, coinAmount: 60 },
        { kind: 'spend', order: 0, coinAmount: 200 },
        { kind: 'refund', order: 0, coinAmount: 150 },
        { kind: 'wait', days: 2 },
      ],
    })
    const wallet = await newWallet(database.db)
    const orderId = v7()
    await wallet.grant(100, null)
    await wallet.spend(100, orderId)
    expect(inDays(wallet, await wallet.refund(100, orderId))).toEqual([[100, null]])
    await wallet.grant(100, 2)
    await wallet.spend(100, orderId)
    expect(inDays(wallet, await wallet.refund(100, orderId))).toEqual([[100, 2]])
  })

  it('ORD-02 refunds of an order together give back no more than was paid for it', async () => {
    const wallet = await newWallet(database.db)
    await wallet.grant(200, null)
    const orderId = v7()
    await wallet.spend(100, orderId)
    const given: number[] = []
    for (const task of ['one', 'two', 'three'])
      given.push(...(await wallet.refund(60, orderId, task)).map((row) => row.coinAmount))
    expect(given).toEqual([60, 40])
    expect((await wallet.state()).coinBalance).toBe(200)
  })

  it('ORD-05 the same cause books once and gives the first transaction again', async () => {
    const wallet = await newWallet(database.db)
    const first = await wallet.grant(1000, null, 'signup')
    expect(await wallet.grant(1000, null, 'signup')).toEqual(first)
    const orderId = v7()
    const payment = await wallet.spend(300, orderId, 'order:a')
    expect(await wallet.spend(300, orderId, 'order:a')).toEqual(payment)
    expect(await wallet.refund(300, orderId, 'task:a')).toHaveLength(1)
    expect(await wallet.refund(300, orderId, 'task:a')).toEqual([])
    const reversal = await wallet.reverse(200, first.id, 'refund:a')
    expect(await wallet.reverse(200, first.id, 'refund:a')).toEqual(reversal)
    expect((await wallet.state()).coinBalance).toBe(800)
  })

  it('ORD-05 spends at the same time never take more than there is', async () => {
    const wallet = await newWallet(database.db)
    await wallet.grant(1000, 7)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => wallet.spend(150, v7())),
    )
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(6)
    expect((await wallet.state()).spendableCoinAmount).toBe(100)
  })

  it('ORD-05 the same cause from two devices at the same time spends once', async () => {
    const wallet = await newWallet(database.db)
    await wallet.grant(1000, 7)
    const orderId = v7()
    const [a, b] = await Promise.all([
      wallet.spend(400, orderId, 'same'),
      wallet.spend(400, orderId, 'same'),
    ])
    expect(a.id).toBe(b.id)
    expect((await wallet.state()).coinBalance).toBe(600)
  })

  it('WAL-10 a refund keeps the expiry of its lot, and gets seven days when that lot has expired meanwhile', async () => {
    const wallet = await newWallet(database.db)
    await wallet.grant(100, 2)
    await wallet.grant(100, 30)
    const orderId = v7()
    await wallet.spend(150, orderId)
    wallet.advance(3)
    const rows = await wallet.refund(150, orderId, 'task:x')
    expect(rows.map((row) => row.cause)).toEqual(['task:x', 'task:x#2'])
    expect(inDays(wallet, rows)).toEqual([
      [50, 27],
      [100, EXPIRED_REFUND_DAYS],
    ])
  })

  it('a refused spend leaves no trace', async () => {
    const wallet = await newWallet(database.db)
    await wallet.grant(10, null)
    await expect(wallet.spend(11, v7())).rejects.toMatchObject({
      code: 'payments/insufficient-tokens',
    })
    expect(await wallet.history()).toHaveLength(1)
  })
})

describe('reversals', () => {
  it('WAL-03 a reversal takes the rest of its purchase, then other purchased tokens, then makes a negative balance, and spares tokens that expire', async () => {
    const wallet = await newWallet(database.db)
    const purchase = await wallet.grant(1000, null)
    const other = await wallet.grant(300, null)
    await wallet.spend(600, v7())
    const reversal = await wallet.reverse(1000, purchase.id, 'refund:a')
    expect(reversal).toMatchObject({
      kind: 'purchase-reversal',
      coinAmount: -1000,
      revertsId: purchase.id,
    })
    const shares = await database.db
      .select({ lotId: lotSpends.lotId, coinAmount: lotSpends.coinAmount })
      .from(lotSpends)
      .where(eq(lotSpends.spendId, reversal.id))
      .orderBy(asc(lotSpends.id))
    expect(shares).toEqual([
      { lotId: purchase.id, coinAmount: 400 },
      { lotId: other.id, coinAmount: 300 },
      { lotId: null, coinAmount: 300 },
    ])
    expect(await wallet.state()).toMatchObject({ coinBalance: -300, spendableCoinAmount: 0 })
    const later = await newWallet(database.db)
    const bought = await later.grant(100, null)
    await later.spend(100, v7())
    await later.grant(500, 30)
    await later.reverse(100, bought.id)
    expect(await later.state()).toMatchObject({
      coinBalance: 400,
      expiringLots: [{ coinAmount: 500 }],
    })
  })

  it('WAL-03 a later grant settles the debt first, and its expiry does not bring the debt back', async () => {
    const wallet = await newWallet(database.db)
    const purchase = await wallet.grant(500, null)
    await wallet.spend(500, v7())
    await wallet.reverse(500, purchase.id)
    expect((await wallet.state()).coinBalance).toBe(-500)
    await wallet.grant(1900, 31)
    expect(await wallet.state()).toMatchObject({
      coinBalance: 1400,
      expiringLots: [{ coinAmount: 1400 }],
    })
    await wallet.spend(1400, v7())
    wallet.advance(32)
    expect((await wallet.state()).coinBalance).toBe(0)
  })

  it('WAL-03 a chargeback that comes back returns what it took with its expiry, or for 30 days, and cancels its debt', async () => {
    const wallet = await newWallet(database.db)
    const purchase = await wallet.grant(1000, 2)
    await wallet.spend(300, v7())
    await wallet.reverse(1000, purchase.id, 'dispute:a', 'chargeback')
    expect((await wallet.state()).coinBalance).toBe(-300)
    wallet.advance(60)
    const rows = await wallet.returnChargeback('dispute:a', 'dispute:a:returned')
    expect(rows.map((row) => [row.kind, row.cause])).toEqual([
      ['chargeback-returned', 'dispute:a:returned'],
      ['chargeback-returned', 'dispute:a:returned#2'],
    ])
    expect(inDays(wallet, rows)).toEqual([
      [300, null],
      [700, EXPIRED_REVERSAL_DAYS],
    ])
    expect((await wallet.state()).coinBalance).toBe(700)
    expect(await wallet.returnChargeback('dispute:a', 'dispute:a:returned')).toEqual([])
    expect(await wallet.returnChargeback('dispute:a', 'dispute:a:again')).toEqual([])
    expect(await wallet.returnChargeback('dispute:b', 'dispute:b:returned')).toEqual([])
  })

  it('refuses to reverse what the wallet never got', async () => {
    const [wallet, other] = [await newWallet(database.db), await newWallet(database.db)]
    const { id } = await other.grant(100, null)
    await expect(wallet.reverse(100, id)).rejects.toThrow('Not a purchase of wallet')
    expect(await wallet.history()).toEqual([])
  })
})
