import { expect, it } from 'vitest'
import { beginTokenCheckout, lookAtCheckout } from '#src/local/calls/checkout.ts'
import { createIds } from '#src/lib/ids.ts'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeCheckoutSession, idOf } from '#tests/fakes/fake-rows.ts'

const ASK = { walletId: idOf(4), orderId: null, coinAmount: 2000 }
const PATH = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'

/** A server that gives one session for each idempotency key. */
async function createWorld() {
  const api = createFakeApi()
  const sessions = new Map<string, ReturnType<typeof fakeCheckoutSession>>()
  const answer = (id: string): Response =>
    sessions.has(id)
      ? Response.json({ stripeCheckoutSession: sessions.get(id) })
      : problem(404, 'payments/session-not-found')
  api.routes.set(`POST ${PATH}`, (request) => {
    const id = `session-of-${request.headers.get('Idempotency-Key') ?? ''}`
    if (!sessions.has(id)) {
      sessions.set(id, fakeCheckoutSession({ _id: id }))
      api.routes.set(`GET ${PATH}/${id}`, () => answer(id))
    }
    return answer(id)
  })
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const db = await openTestDb()
  const deps = { api: api.client, db, clock, ids: createIds(), random: () => 0.5 }
  const begin = async (ask = ASK): Promise<string> => {
    const begun = await beginTokenCheckout(deps, ask)
    if (!begun.ok) throw new Error(begun.error.code)
    return begun.value._id
  }
  return { api, db, deps, sessions, begin }
}

it('WAL-09 a payment is begun once for a wallet, order and amount, whatever answers are lost', async () => {
  const { api, db, sessions, begin } = await createWorld()
  api.faults.push('lost-after', 'error-500', 'none')
  const first = await begin()
  expect(await begin()).toBe(first)
  expect([...sessions.keys()]).toEqual([first])
  expect(await begin({ ...ASK, coinAmount: 5000 })).not.toBe(first)
  expect(await db.checkouts.count()).toBe(2)
  const beside = { ...ASK, walletCoinAmount: 700 }
  expect(await begin(beside)).toBe(await begin(beside))
  expect(await db.checkouts.count()).toBe(3)
})

it('a reload in the middle of the first call goes on with the same payment', async () => {
  const { api, deps, sessions, begin } = await createWorld()
  const hangs = new Promise<void>((resolve) => {
    api.onHang = resolve
  })
  api.faults.push('hang-after')
  // The page that made this call is gone before the answer.
  void beginTokenCheckout(deps, ASK)
  await hangs
  expect([await begin()]).toEqual([...sessions.keys()])
})

it('a payment that ended without money is followed by another one', async () => {
  const { sessions, begin } = await createWorld()
  const expired = await begin()
  sessions.set(expired, fakeCheckoutSession({ _id: expired, status: 'expired' }))
  const failed = await begin()
  expect(failed).not.toBe(expired)
  sessions.set(failed, fakeCheckoutSession({ _id: failed, status: 'complete', payment: 'failed' }))
  expect(await begin()).not.toBe(failed)
})

it('a payment that was paid meanwhile is shown once, and the next one is another', async () => {
  const { sessions, begin } = await createWorld()
  const paid = await begin()
  sessions.set(paid, fakeCheckoutSession({ _id: paid, status: 'complete', payment: 'paid' }))
  expect(await begin()).toBe(paid)
  expect(await begin()).not.toBe(paid)
})

it('a payment that the server does not know is begun again', async () => {
  const { sessions, begin } = await createWorld()
  const lost = await begin()
  sessions.delete(lost)
  expect(await begin()).not.toBe(lost)
})

it('a refusal leaves no payment on this device, an outage leaves it', async () => {
  const { api, db, deps } = await createWorld()
  api.faults.push('proxy-403', 'proxy-403', 'proxy-403', 'proxy-403')
  expect(await beginTokenCheckout(deps, ASK)).toMatchObject({ error: { code: 'api/foreign' } })
  expect(await db.checkouts.count()).toBe(1)
  api.routes.set(`POST ${PATH}`, () => problem(422, 'payments/amount-out-of-range'))
  expect(await beginTokenCheckout(deps, ASK)).toMatchObject({
    error: { serverCode: 'payments/amount-out-of-range' },
  })
  expect(await db.checkouts.count()).toBe(0)
})

it('a look that cannot reach the server forgets nothing', async () => {
  const { api, db, deps, begin } = await createWorld()
  const id = await begin()
  api.faults.push('lost-before')
  expect(await lookAtCheckout(deps, 'tokens', id)).toMatchObject({ ok: false })
  expect(await db.checkouts.count()).toBe(1)
})
