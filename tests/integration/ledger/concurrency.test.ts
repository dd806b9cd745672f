import { afterAll, beforeAll, expect, it } from 'vitest'
import fc from 'fast-check'
import { asc, inArray, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { inTransaction } from '#server/context.ts'
import { walletTransactions } from '#server/db/schema.ts'
import {
  grant,
  refund,
  returnReversal,
  reverse,
  spend,
  type LedgerCtx,
} from '#server/operations/core/ledger/book.ts'
import { runs } from '#tests/seeds.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { DAY_MS, newWallet, type TestWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

const WALLETS = 10
const ORDERS = 20

type Operation =
  | { readonly kind: 'grant'; readonly coinAmount: number; readonly days: number | null }
  | { readonly kind: 'spend' | 'refund'; readonly coinAmount: number; readonly order: number }
  | { readonly kind: 'charge back'; readonly coinAmount: number }
  | { readonly kind: 'return chargeback'; readonly which: number }

/** An operation on the wallet with a number; `isDoubled` sends it twice. */
type Sent = Operation & { readonly wallet: number; readonly isDoubled: boolean }

const sent: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: granted() },
      { weight: 4, arbitrary: ofOrder('spend') },
      { weight: 2, arbitrary: ofOrder('refund') },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('charge back' as const), ...amount() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('return chargeback' as const), which: fc.nat() }),
      },
    ),
    fc.nat({ max: WALLETS - 1 }),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([operation, wallet, one]) => ({ ...operation, wallet, isDoubled: one === 0 }))

function amount() {
  return { coinAmount: fc.integer({ min: 1, max: 200 }) }
}

function granted() {
  const days = fc.option(fc.integer({ min: 1, max: 40 }), { nil: null })
  return fc.record({ kind: fc.constant('grant' as const), ...amount(), days })
}

function ofOrder(kind: 'spend' | 'refund') {
  const order = fc.nat({ max: ORDERS - 1 })
  return fc.record({ kind: fc.constant(kind), ...amount(), order })
}

/** Ten wallets, each with a purchase, and orders that any of them may pay. */
async function newWorld(operations: readonly Sent[]) {
  const wallets: TestWallet[] = []
  const purchases: string[] = []
  for (let count = 0; count < WALLETS; count += 1) {
    const wallet = await newWallet(database.db)
    wallets.push(wallet)
    purchases.push((await wallet.grant(300, null, 'purchase')).id)
  }
  const orderIds = Array.from({ length: ORDERS }, () => v7())
  const causeOf = (index: number): string => `operation:${index}`
  const chargebacks = operations.flatMap((one, index) =>
    one.kind === 'charge back' ? [{ cause: causeOf(index), wallet: one.wallet }] : [],
  )
  const book = async (ctx: LedgerCtx, index: number): Promise<unknown> => {
    const one = operations[index]!
    const cause = causeOf(index)
    const walletId = wallets[one.wallet]!.walletId
    const booking = { walletId, cause, description: one.kind }
    switch (one.kind) {
      case 'grant': {
        const { coinAmount, days } = one
        const expiresAt = days === null ? null : new Date(ctx.clock().getTime() + days * DAY_MS)
        return await grant(ctx, { ...booking, kind: 'purchase', coinAmount, expiresAt })
      }
      case 'spend': {
        const orderId = await lockOrder(ctx, orderIds[one.order]!)
        return await spend(ctx, { ...booking, coinAmount: one.coinAmount, orderId })
      }
      case 'refund': {
        const orderId = await lockOrder(ctx, orderIds[one.order]!)
        return await refund(ctx, { ...booking, coinAmount: one.coinAmount, orderId })
      }
      case 'charge back': {
        const purchaseId = purchases[one.wallet]!
        const { coinAmount } = one
        return await reverse(ctx, { ...booking, kind: 'chargeback', coinAmount, purchaseId })
      }
      case 'return chargeback': {
        const { cause: reversalCause, wallet } = chargebacks[one.which % chargebacks.length]!
        const { walletId } = wallets[wallet]!
        const kind = 'chargeback-returned'
        return await returnReversal(ctx, { ...booking, kind, walletId, reversalCause })
      }
    }
  }
  return {
    /** Carries out an operation in a transaction of its own; says how it was refused. */
    run: async (index: number): Promise<string> => {
      const { clock } = wallets[0]!
      const ctx = { db: database.db, clock: () => new Date(clock.now), newId: v7 }
      return await inTransaction(ctx, (ctx) => book(ctx, index)).then(
        () => 'booked',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      )
    },
    states: () => Promise.all(wallets.map((wallet) => wallet.state())),
    debts: () => Promise.all(wallets.map((wallet) => wallet.debt())),
    /** Everything booked, in the order of the bookings: an id is made under the wallet's lock. */
    booked: async () => {
      const numberOf = new Map(wallets.map(({ walletId }, number) => [walletId, number]))
      const rows = await database.db
        .select()
        .from(walletTransactions)
        .where(inArray(walletTransactions.walletId, [...numberOf.keys()]))
        .orderBy(asc(walletTransactions.id))
      return rows.map(({ walletId, kind, cause, coinAmount, coinsExpireAfterAt }) => ({
        wallet: numberOf.get(walletId) ?? -1,
        kind,
        cause,
        coinAmount,
        expiresAt: coinsExpireAfterAt?.getTime() ?? null,
      }))
    },
  }
}

/** Stands for the lock of the order's row, which the callers of the ledger hold. */
async function lockOrder(ctx: LedgerCtx, orderId: string): Promise<string> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${orderId}))`)
  return orderId
}

/** More than the pool has connections, and few enough that none waits for one for seconds. */
const AT_ONCE = 24

async function runAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = items.values()
  const done: R[] = []
  const runNext = async (): Promise<void> => {
    for (const item of waiting) done.push(await work(item))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  return done
}

it('ORD-05 1,000 operations at the same time on ten wallets end like the same ones in sequence, and only reversals make a balance negative', async () => {
  const thousand = fc.array(sent, { minLength: 1000, maxLength: 1000 })
  await fc.assert(
    fc.asyncProperty(thousand, async (operations) => {
      const world = await newWorld(operations)
      const outcomes = await runAtOnce(
        operations.flatMap(({ isDoubled }, index) => (isDoubled ? [index, index] : [index])),
        world.run,
      )
      expect(new Set(outcomes)).toEqual(new Set(['booked', 'payments/insufficient-tokens']))

      const booked = await world.booked()
      const balances = Array.from({ length: WALLETS }, () => 0)
      for (const row of booked) {
        balances[row.wallet]! += row.coinAmount
        if (row.kind === 'order-payment') expect(balances[row.wallet]).toBeGreaterThanOrEqual(0)
      }
      expect((await world.states()).map((state) => state.coinBalance)).toEqual(balances)

      const again = await newWorld(operations)
      for (const { cause } of booked) {
        const index = /^operation:(\d+)$/.exec(cause)?.[1]
        if (index !== undefined) expect(await again.run(Number(index))).toBe('booked')
      }
      const byCause = (a: { cause: string }, b: { cause: string }) => (a.cause < b.cause ? -1 : 1)
      expect((await again.booked()).toSorted(byCause)).toEqual(booked.toSorted(byCause))
      expect(await again.states()).toEqual(await world.states())
      expect(await again.debts()).toEqual(await world.debts())
    }),
    { numRuns: runs(1), endOnFailure: true },
  )
})
