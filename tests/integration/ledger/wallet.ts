import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { inTransaction } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { users, wallets, walletTransactions } from '#server/db/schema.ts'
import {
  grant,
  readWalletStates,
  refund,
  returnReversal,
  reverse,
  spend,
  type LedgerCtx,
} from '#server/operations/core/ledger/book.ts'
import { isLive, unusedOf } from '#server/operations/core/ledger/lots.ts'
import { readAllLots, readDebts } from '#server/operations/core/ledger/records.ts'
import type { LedgerUnderTest } from '#tests/suites/ledger.ts'
import { byExpiry } from '#tests/unit/server/operations/ledger/memory-ledger.ts'

export const DAY_MS = 86_400_000
const start = Date.parse('2026-11-21T12:00:00Z')

/** A person with an empty wallet, and a clock of their own. */
export async function newWallet(db: Db, creditLimitCoinAmount = 0) {
  const clock = { now: start }
  const deps: Omit<LedgerCtx, 'db'> = { clock: () => new Date(clock.now), newId: v7 }
  const userId = v7()
  const walletId = v7()
  await db.insert(users).values({
    id: userId,
    email: `${userId}@example.com`,
    trialEndsAt: new Date(start),
    createdAt: new Date(start),
  })
  const row = onlyRow(
    await db
      .insert(wallets)
      .values({
        id: walletId,
        userId,
        kind: 'trial',
        creditLimitCoinAmount,
        createdAt: new Date(start),
      })
      .returning(),
  )
  const run = <T>(work: (ctx: LedgerCtx) => Promise<T>): Promise<T> =>
    inTransaction({ ...deps, db }, work)
  return {
    walletId,
    clock,
    advance: (days: number): void => {
      clock.now += days * DAY_MS
    },
    state: async () =>
      onlyRow([...(await readWalletStates({ ...deps, db }, { rows: [row] })).values()]),
    lots: () => readAllLots({ db }, [walletId]),
    debt: async () => sum(await readDebts({ db }, [walletId])),
    history: () =>
      db.select().from(walletTransactions).where(eq(walletTransactions.walletId, walletId)),
    grant: (coinAmount: number, days: number | null, cause: string = v7()) =>
      run((ctx) =>
        grant(ctx, {
          walletId,
          kind: 'purchase',
          coinAmount,
          description: 'Tokens',
          cause,
          expiresAt: days === null ? null : new Date(clock.now + days * DAY_MS),
        }),
      ),
    spend: (coinAmount: number, orderId: string, cause: string = v7()) =>
      run((ctx) => spend(ctx, { walletId, coinAmount, description: 'Order', cause, orderId })),
    refund: (coinAmount: number, orderId: string, cause: string = v7()) =>
      run((ctx) => refund(ctx, { orderId, coinAmount, cause, description: 'Refund' })),
    reverse: (
      coinAmount: number,
      purchaseId: string,
      cause: string = v7(),
      kind: 'purchase-reversal' | 'chargeback' = 'purchase-reversal',
    ) =>
      run((ctx) =>
        reverse(ctx, { walletId, kind, coinAmount, purchaseId, cause, description: 'Reversal' }),
      ),
    returnChargeback: (reversalCause: string, cause: string) =>
      run((ctx) =>
        returnReversal(ctx, {
          walletId,
          kind: 'chargeback-returned',
          reversalCause,
          cause,
          description: 'Dispute won',
        }),
      ),
  }
}

export type TestWallet = Awaited<ReturnType<typeof newWallet>>

/** The wallet as `playHistory` plays it. */
export function asLedgerUnderTest(wallet: TestWallet): LedgerUnderTest {
  const orderIds = [v7(), v7(), v7()]
  const grants: string[] = []
  const chargebacks = { booked: 0, returned: 0 }
  return {
    async grant(coinAmount, expiresAt, now) {
      wallet.clock.now = now
      const days = expiresAt === null ? null : (expiresAt - now) / DAY_MS
      grants.push((await wallet.grant(coinAmount, days)).id)
    },
    async spend(order, coinAmount, now) {
      wallet.clock.now = now
      return await wallet.spend(coinAmount, orderIds[order] ?? '').then(
        () => true,
        (error: { code?: string }) => {
          if (error.code === 'payments/insufficient-tokens') return false
          throw error
        },
      )
    },
    async refund(order, coinAmount, now) {
      wallet.clock.now = now
      return sum(await wallet.refund(coinAmount, orderIds[order] ?? ''))
    },
    async chargeBack(number, coinAmount, now) {
      wallet.clock.now = now
      const cause = `dispute:${chargebacks.booked}`
      chargebacks.booked += 1
      await wallet.reverse(coinAmount, grants[number] ?? '', cause, 'chargeback')
    },
    async returnChargeback(number, now) {
      wallet.clock.now = now
      chargebacks.returned += 1
      const cause = `dispute:${number}:returned:${chargebacks.returned}`
      return sum(await wallet.returnChargeback(`dispute:${number}`, cause))
    },
    async state(now) {
      wallet.clock.now = now
      const state = await wallet.state()
      const [lots, debt] = [await wallet.lots(), await wallet.debt()]
      const expired = lots.filter((lot) => !isLive(lot, new Date(now)))
      return {
        unused: grants.map((id) => unusedOf(lots, id, null, new Date(now))),
        coinBalance: state.coinBalance,
        spendableCoinAmount: state.spendableCoinAmount,
        byExpiry: byExpiry(state.expiringLots),
        booked: sum(await wallet.history()),
        expired: expired.reduce((total, lot) => total + lot.remaining, 0),
        debt,
      }
    },
  }
}

function sum(rows: readonly { readonly coinAmount: number }[]): number {
  return rows.reduce((total, row) => total + row.coinAmount, 0)
}
