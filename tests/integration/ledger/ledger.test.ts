import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { count, eq } from 'drizzle-orm'
import { inTransaction } from '#server/context.ts'
import { users, wallets, walletTransactions } from '#server/db/schema.ts'
import {
  EXPIRED_REFUND_DAYS,
  grant,
  readWalletStates,
  refund,
  spend,
  type LedgerCtx,
} from '#server/operations/ledger/book.ts'
import { createLedgerModel, type LedgerModel } from '#tests/integration/ledger/ledger-model.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

const DAY_MS = 86_400_000
const start = Date.parse('2026-11-21T12:00:00Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

/** A person with an empty wallet, and a clock of their own. */
async function newWallet(creditLimitCoinAmount = 0) {
  let now = start
  const deps: Omit<LedgerCtx, 'db'> = { clock: () => new Date(now), newId: v7 }
  const userId = v7()
  const walletId = v7()
  await database.db.insert(users).values({
    id: userId,
    email: `${userId}@example.com`,
    trialEndsAt: new Date(start),
    createdAt: new Date(start),
  })
  const [wallet] = await database.db
    .insert(wallets)
    .values({
      id: walletId,
      userId,
      kind: 'trial',
      creditLimitCoinAmount,
      createdAt: new Date(start),
    })
    .returning()
  const run = <T>(work: (ctx: LedgerCtx) => Promise<T>): Promise<T> =>
    inTransaction({ ...deps, db: database.db }, work)
  return {
    walletId,
    deps,
    run,
    advance: (days: number): void => {
      now += days * DAY_MS
    },
    now: () => now,
    state: async () =>
      (await readWalletStates({ ...deps, db: database.db }, { rows: [wallet!] })).get(walletId)!,
    grant: (coinAmount: number, days: number | null, cause: string = v7()) =>
      run((ctx) =>
        grant(ctx, {
          walletId,
          kind: 'purchase',
          coinAmount,
          description: 'Tokens',
          cause,
          expiresAt: days === null ? null : new Date(now + days * DAY_MS),
        }),
      ),
    spend: (coinAmount: number, orderId: string, cause: string = v7()) =>
      run((ctx) => spend(ctx, { walletId, coinAmount, description: 'Order', cause, orderId })),
    refund: (coinAmount: number, orderId: string, cause: string = v7()) =>
      run((ctx) => refund(ctx, { orderId, coinAmount, cause, description: 'Refund' })),
  }
}

type Step =
  | { readonly kind: 'grant'; readonly coinAmount: number; readonly days: number | null }
  | { readonly kind: 'spend'; readonly coinAmount: number; readonly order: number }
  | { readonly kind: 'refund'; readonly coinAmount: number; readonly order: number }
  | { readonly kind: 'wait'; readonly days: number }

const steps = fc.array<Step>(
  fc.oneof(
    fc.record({
      kind: fc.constant('grant' as const),
      coinAmount: fc.integer({ min: 1, max: 900 }),
      days: fc.option(fc.integer({ min: 1, max: 10 }), { nil: null }),
    }),
    fc.record({
      kind: fc.constant('spend' as const),
      coinAmount: fc.integer({ min: 1, max: 900 }),
      order: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({
      kind: fc.constant('refund' as const),
      coinAmount: fc.integer({ min: 1, max: 900 }),
      order: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 6 }) }),
  ),
  { minLength: 1, maxLength: 25 },
)

async function applyStep(
  step: Step,
  wallet: Awaited<ReturnType<typeof newWallet>>,
  model: LedgerModel,
  orderIds: readonly string[],
): Promise<void> {
  switch (step.kind) {
    case 'wait':
      wallet.advance(step.days)
      return
    case 'grant':
      await wallet.grant(step.coinAmount, step.days)
      model.grant(step.coinAmount, step.days === null ? null : wallet.now() + step.days * DAY_MS)
      return
    case 'spend': {
      const isPaid = model.spend(step.order, step.coinAmount, wallet.now())
      const outcome = await wallet.spend(step.coinAmount, orderIds[step.order]!).then(
        () => 'paid',
        (error: { code?: string }) => error.code,
      )
      expect(outcome).toBe(isPaid ? 'paid' : 'payments/insufficient-tokens')
      return
    }
    case 'refund': {
      const rows = await wallet.refund(step.coinAmount, orderIds[step.order]!)
      expect(rows.reduce((sum, row) => sum + row.coinAmount, 0)).toBe(
        model.refund(step.order, step.coinAmount, wallet.now()),
      )
    }
  }
}

describe('the ledger on PostgreSQL', () => {
  it('WAL-10 any sequence of grants, spends, refunds and waiting ends like the simple model', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 0, 300), async (sequence, creditLimit) => {
        const wallet = await newWallet(creditLimit)
        const model = createLedgerModel(creditLimit)
        const orderIds = [v7(), v7(), v7()]
        for (const step of sequence) {
          await applyStep(step, wallet, model, orderIds)
          const { coinBalance, spendableCoinAmount, expiringLots } = await wallet.state()
          const byExpiry = new Map<number, number>()
          for (const lot of expiringLots)
            byExpiry.set(
              lot.expiresAt.getTime(),
              (byExpiry.get(lot.expiresAt.getTime()) ?? 0) + lot.coinAmount,
            )
          expect({ coinBalance, spendableCoinAmount, byExpiry: [...byExpiry] }).toEqual(
            model.state(wallet.now()),
          )
        }
      }),
      { numRuns: 60 },
    )
  }, 120_000)

  it('ORD-05 the same cause books once and gives the first transaction again', async () => {
    const wallet = await newWallet()
    const first = await wallet.grant(1000, null, 'signup')
    expect(await wallet.grant(1000, null, 'signup')).toEqual(first)
    const orderId = v7()
    const payment = await wallet.spend(300, orderId, 'order:a')
    expect(await wallet.spend(300, orderId, 'order:a')).toEqual(payment)
    expect(await wallet.refund(300, orderId, 'task:a')).toHaveLength(1)
    expect(await wallet.refund(300, orderId, 'task:a')).toEqual([])
    expect((await wallet.state()).coinBalance).toBe(1000)
  })

  it('ORD-05 spends at the same time never take more than there is', async () => {
    const wallet = await newWallet()
    await wallet.grant(1000, 7)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => wallet.spend(150, v7())),
    )
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(6)
    expect((await wallet.state()).spendableCoinAmount).toBe(100)
  })

  it('ORD-05 the same cause from two devices at the same time spends once', async () => {
    const wallet = await newWallet()
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
    const wallet = await newWallet()
    await wallet.grant(100, 2)
    await wallet.grant(100, 30)
    const orderId = v7()
    await wallet.spend(150, orderId)
    wallet.advance(3)
    const rows = await wallet.refund(150, orderId, 'task:x')
    const inDays = (row: { coinsExpireAfterAt: Date | null }): number =>
      ((row.coinsExpireAfterAt?.getTime() ?? 0) - wallet.now()) / DAY_MS
    expect(rows.map((row) => [row.cause, row.coinAmount, inDays(row)])).toEqual([
      ['task:x', 50, 27],
      ['task:x#2', 100, EXPIRED_REFUND_DAYS],
    ])
  })

  it('a refused spend leaves no trace', async () => {
    const wallet = await newWallet()
    await wallet.grant(10, null)
    await expect(wallet.spend(11, v7())).rejects.toMatchObject({
      code: 'payments/insufficient-tokens',
    })
    const [rows] = await database.db
      .select({ count: count() })
      .from(walletTransactions)
      .where(eq(walletTransactions.walletId, wallet.walletId))
    expect(rows?.count).toBe(1)
  })
})
