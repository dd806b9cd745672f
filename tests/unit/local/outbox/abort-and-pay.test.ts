import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFakeApi, problem, type Fault } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeOrder, fakeUploadRequest, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { enqueueAbort } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { payOrder, settlePayment, type PayDeps } from '#src/local/outbox/pay-order.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

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
  const deps = {
    api: api.client,
    db,
    clock,
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => true,
  }
  return { api, db, clock, deps, pay: deps satisfies PayDeps }
}

it('an upload is discarded at the server as often as it takes, and one that is gone counts as done', async () => {
  const { api, db, deps } = await createWorld()
  await enqueueAbort({ db, ids: createIds(), clock: deps.clock }, idOf(2))
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(1)
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(api.requests.map((request) => request.line)).toEqual([
    `DELETE /v1/upload-requests/${idOf(2)}`,
    `DELETE /v1/upload-requests/${idOf(2)}`,
  ])
  expect(await db.outbox.count()).toBe(0)
})

it('an upload that a job uses is not discarded any more', async () => {
  const { api, db, deps } = await createWorld()
  api.uploads.set(idOf(2), fakeUploadRequest())
  api.routes.set(`DELETE /v1/upload-requests/${idOf(2)}`, () => problem(409, 'uploads/in-use'))
  await enqueueAbort({ db, ids: createIds(), clock: deps.clock }, idOf(2))
  await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(0)
})

it('a payment carries one key in header and body, built from order, wallet, remaining, amount and attempt', async () => {
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
    { numRuns: 40 },
  )
}, 60_000)
