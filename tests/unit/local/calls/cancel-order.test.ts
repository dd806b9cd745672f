import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, fakeOrder, idOf } from '#tests/fakes/fake-rows.ts'
import { createIds } from '#src/lib/ids.ts'
import { cancelOrder } from '#src/local/calls/direct-calls.ts'

const CANCEL = `POST /v1/orders/${idOf(3)}/cancel`

async function createWorld() {
  const api = createFakeApi()
  const db = await openTestDb()
  return { api, db, deps: { api: api.client, db, clock: createFakeClock(), ids: createIds() } }
}

it('a cancelled order and its job are on the device as the server left them', async () => {
  const { api, db, deps } = await createWorld()
  api.routes.set(CANCEL, () =>
    Response.json({
      order: fakeOrder({
        status: 'canceled',
        paidTotalCoinAmount: 100,
        refundedTotalCoinAmount: 100,
      }),
    }),
  )
  api.routes.set(`GET /v1/media-jobs/${idOf(1)}`, () =>
    Response.json({ mediaJob: fakeMediaJob({ orderIsPlaced: false }) }),
  )
  expect((await cancelOrder(deps, idOf(3))).ok).toBe(true)
  expect((await db.orders.get(idOf(3)))?.value).toMatchObject({
    status: 'canceled',
    refundedTotalCoinAmount: 100,
  })
  expect((await db.mediaJobs.get(idOf(1)))?.value.orderIsPlaced).toBe(false)
})

it('an order whose work has begun stays as it is', async () => {
  const { api, db, deps } = await createWorld()
  api.routes.set(CANCEL, () => problem(409, 'orders/work-started'))
  expect(await cancelOrder(deps, idOf(3))).toMatchObject({
    ok: false,
    error: { serverCode: 'orders/work-started' },
  })
  expect(await db.orders.count()).toBe(0)
})
