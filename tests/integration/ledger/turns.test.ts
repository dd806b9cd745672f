import { afterAll, beforeAll, expect, it } from 'vitest'
import { v7 } from 'uuid'
import { inTransaction } from '#server/context.ts'
import {
  grant,
  refund,
  returnReversal,
  reverse,
  spend,
} from '#server/operations/core/ledger/book.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { untilWaitingFor } from '#tests/setup/lock-waits.ts'
import { newWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

const BOOKINGS = ['grant', 'spend', 'refund', 'reversal', 'returned reversal'] as const

it.each(BOOKINGS)('ORD-05 a %s waits until another booking of its wallet is over', async (kind) => {
  const { walletId, orderId, purchaseId, ...wallet } = await paidWallet()
  const ctx = { db: database.db, clock: () => new Date(wallet.clock.now), newId: v7 }
  const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const words = { walletId, description: kind }
  const first = inTransaction(ctx, async (ctx) => {
    await spend(ctx, { ...words, coinAmount: 60, cause: 'first', orderId: v7() })
    held.resolve()
    await letGo.promise
  })
  await held.promise
  const second = inTransaction(ctx, async (ctx) => {
    const booking = { ...words, coinAmount: 60, cause: 'second' }
    switch (kind) {
      case 'grant':
        return [await grant(ctx, { ...booking, kind: 'purchase', expiresAt: null })]
      case 'spend':
        return [await spend(ctx, { ...booking, orderId })]
      case 'refund':
        return await refund(ctx, { ...booking, orderId })
      case 'reversal':
        return [await reverse(ctx, { ...booking, kind: 'chargeback', purchaseId })]
      case 'returned reversal':
        return await returnReversal(ctx, {
          ...words,
          cause: 'second',
          kind: 'chargeback-returned',
          reversalCause: 'earlier',
        })
    }
  })
  const outcome = second.then(
    (rows) => rows.map((row) => row.coinAmount),
    (error: { code?: string }) => error.code,
  )
  try {
    await untilWaitingFor('wallets', { work: outcome, db: database.db })
  } finally {
    letGo.resolve()
    await first
  }
  expect(await outcome).toEqual(OUTCOMES[kind])
})

/** What comes of 60 tokens in a wallet that had 100 before another booking spent 60 of them. */
const OUTCOMES = {
  grant: [60],
  spend: 'payments/insufficient-tokens',
  refund: [60],
  reversal: [-60],
  'returned reversal': [40],
}

/** 100 tokens are left of a purchase of 240, after an order of 100 and a chargeback of 40. */
async function paidWallet() {
  const wallet = await newWallet(database.db)
  const { id: purchaseId } = await wallet.grant(240, null)
  const orderId = v7()
  await wallet.spend(100, orderId)
  await wallet.reverse(40, purchaseId, 'earlier', 'chargeback')
  return { ...wallet, orderId, purchaseId }
}
