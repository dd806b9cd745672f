import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFakeApi, type Fault } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeOrder, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { payOrder, settlePayment, type PayDeps } from '#src/local/calls/pay-order.ts'
import { runs } from '#tests/seeds.ts'

const PAYMENT = {
  orderId: idOf(3),
  walletId: idOf(4),
  remainingPayableCoinAmount: 300,
  coinAmount: 300,
}

async function createWorld() {
  const api = createFakeApi()
  api.orders.set(idOf(3), fakeOrder())
  api.wallets.set(idOf(4), fakeWallet())
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const db = await openTestDb()
  const pay: PayDeps = { api: api.client, db, clock, random: () => 0.5 }
  return { api, db, pay }
}

it('ORD-05 a payment carries one key in header and body, built from order, wallet, remaining, amount and attempt', async () => {
  const { api, db, pay } = await createWorld()
  expect(await payOrder(pay, PAYMENT)).toEqual({ ok: true, value: null })
  expect(api.requests[0]?.key).toBe(`${idOf(3)}:${idOf(4)}:300:300:${pay.clock.now()}`)
  expect((await db.orders.get(idOf(3)))?.value.isFullyPaid).toBe(true)
  expect((await db.wallets.get(idOf(4)))?.value.spendableCoinAmount).toBe(700)
  expect(await db.paymentIntents.count()).toBe(0)
})

it('a payment that is refused spends nothing and leaves no intent', async () => {
  const { api, db, pay } = await createWorld()
  const outcome = await payOrder(pay, { ...PAYMENT, coinAmount: 5000 })
  expect(outcome).toMatchObject({
    ok: false,
    error: { code: 'api/http', status: 402, serverCode: 'payments/insufficient-tokens' },
  })
  expect([api.payments.length, await db.paymentIntents.count()]).toEqual([0, 0])
})

it('SAF-07 an answer of a proxy is no refusal: the intent stays, and checking pays once', async () => {
  const { api, db, pay } = await createWorld()
  api.faults.push('proxy-403', 'proxy-403', 'proxy-403', 'proxy-403')
  expect(await payOrder(pay, PAYMENT)).toMatchObject({
    error: { code: 'api/foreign', status: 403 },
  })
  expect(await db.paymentIntents.count()).toBe(1)
  expect(await settlePayment(pay, idOf(3))).toEqual({ ok: true, value: null })
  expect(api.payments).toEqual([{ orderId: idOf(3), coinAmount: 300 }])
})

it('another amount is not sent while a payment of the order is unanswered', async () => {
  const { api, pay } = await createWorld()
  api.faults.push('lost-after', 'lost-before', 'lost-before', 'lost-before')
  expect(await payOrder(pay, PAYMENT)).toEqual({ ok: false, error: { code: 'api/no-response' } })
  expect(await payOrder(pay, { ...PAYMENT, coinAmount: 100 })).toMatchObject({
    ok: false,
    error: { code: 'payment/unsettled' },
  })
  expect(await settlePayment(pay, idOf(3))).toEqual({ ok: true, value: null })
  expect(api.payments).toEqual([{ orderId: idOf(3), coinAmount: 300 }])
})

it('pressing and reloading in any order under any loss spends once', async () => {
  const faults = fc.array(
    fc.constantFrom<Fault>(
      'none',
      'lost-before',
      'lost-after',
      'error-500',
      'error-429',
      'error-401',
    ),
    { maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(faults, fc.integer({ min: 1, max: 3 }), async (story, presses) => {
      const { api, db, pay } = await createWorld()
      api.faults.push(...story)
      await Promise.all(Array.from({ length: presses }, () => payOrder(pay, PAYMENT)))
      while ((await db.paymentIntents.count()) > 0) await settlePayment(pay, idOf(3))
      expect(api.payments).toEqual([{ orderId: idOf(3), coinAmount: 300 }])
      db.close()
    }),
    { numRuns: runs(40) },
  )
})
