import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { inTransaction } from '#server/context.ts'
import { startWorkflowIfReady } from '#server/operations/commerce/fulfilment/start-workflow.ts'
import { refundTask } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { refundedByTaskId } from '#server/operations/core/ledger/task-refunds.ts'
import {
  measureUpload,
  storeJob,
  storeTasks,
  type StoredJob,
} from '#tests/integration/orders/stored-job.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Order = components['schemas']['Order']
type Wallet = components['schemas']['Wallet']
type ErrorBody = components['schemas']['Error']

let server: TestServer
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

async function newCustomer(): Promise<SignedUp & { wallet: Wallet }> {
  now += 3_700_000
  const person = await server.signUp()
  return { ...person, wallet: await walletOf(person.client) }
}

const walletOf = async (client: TestClient): Promise<Wallet> =>
  (await client.get<{ wallets: Wallet[] }>('/v1/wallets')).body.wallets[0]!
const place = (client: TestClient, mediaJobId: string) =>
  client.post<{ order: Order } & ErrorBody>('/v1/orders', { order: { mediaJobId, attestation } })
const pay = (
  client: TestClient,
  orderId: string,
  walletId: string,
  coinAmount: number,
  idempotencyKey: string = crypto.randomUUID(),
) =>
  client.post<{ order: Order; wallet: Wallet } & ErrorBody>(
    `/v1/payments/orders/${orderId}/wallet-coin-transactions`,
    { walletCoinTransaction: { walletId, coinAmount }, idempotencyKey },
  )
const cancel = (client: TestClient, orderId: string) =>
  client.post<{ order: Order } & ErrorBody>(`/v1/orders/${orderId}/cancel`)

async function isStarted(job: StoredJob): Promise<boolean> {
  const [row] = await server.deps.db.select().from(mediaJobs).where(eq(mediaJobs.id, job.jobId))
  return row?.workflowStartedAt !== null
}

describe('placing an order', () => {
  it('JOB-04 waits for the end of the check of its video, which can lock the job meanwhile', async () => {
    const { client, userId } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const waiting = async () => {
      const { rows } = await server.deps.db.execute<{ waiting: number }>(sql`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return rows[0]?.waiting
    }
    const placed = await inTransaction(server.deps, async ({ db }) => {
      await db
        .select()
        .from(uploadRequests)
        .where(eq(uploadRequests.id, job.uploadId))
        .for('update')
      const answer = place(client, job.jobId)
      await expect.poll(waiting).toBe(1)
      const locked = await db
        .select()
        .from(mediaJobs)
        .where(eq(mediaJobs.id, job.jobId))
        .for('update', { noWait: true })
      expect(locked).toHaveLength(1)
      return { answer }
    })
    expect((await placed.answer).status).toBe(201)
  })

  it('ORD-02 prices each edit from the catalogue and the measured length', async () => {
    const { client, userId } = await newCustomer()
    const job = await storeJob(
      server.deps,
      userId,
      ['teaser-15s', 'dynamic-watermark', 'example-high-resolution-video'],
      90_500,
    )
    const {
      status,
      body: { order },
    } = await place(client, job.jobId)
    expect(status).toBe(201)
    expect(
      order.lineItems.map((item) => [
        item.orderedProductVariant.mediaJobTaskPresetSlug,
        item.pricing.usage,
        item.totalCoinAmount,
      ]),
    ).toEqual([
      ['teaser-15s', null, 300],
      ['dynamic-watermark', 2, 40],
      ['example-high-resolution-video', 91, 91],
    ])
    expect(order.lineItems.map(({ pricing }) => pricing)).toMatchObject([
      {
        pricingStrategySlug: 'per-unit',
        quantity: 1,
        pricingStrategy: { coinAmountPerUnit: 300 },
      },
      {
        pricingStrategySlug: 'usage-based',
        pricingStrategy: { coinAmountPerUsageUnit: 20, usageUnit: 'source-video-minutes' },
      },
      {
        pricingStrategySlug: 'usage-based',
        pricingStrategy: { coinAmountPerUsageUnit: 1, usageUnit: 'source-video-seconds' },
      },
    ])
    expect(order).toMatchObject({
      mediaJobId: job.jobId,
      status: 'open',
      lineItemsTotalCoinAmount: 431,
      paidTotalCoinAmount: 0,
      refundedTotalCoinAmount: 0,
      remainingPayableCoinAmount: 431,
      isFullyPaid: false,
      hasPaidWalletCoinTransactions: false,
    })
    expect((await client.get<{ order: Order }>(`/v1/orders/${order._id}`)).body.order).toEqual(
      order,
    )
  })

  it('JOB-01 a double click makes one order', async () => {
    const { client, userId } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const answers = await Promise.all([
      place(client, job.jobId),
      place(client, job.jobId),
      place(client, job.jobId),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(answers.map((answer) => answer.body.order._id)).size).toBe(1)
    expect(
      (await client.get<{ orders: Order[] }>(`/v1/media-jobs/${job.jobId}/orders`)).body.orders,
    ).toEqual([answers[0]?.body.order])
  })

  it('JOB-01 a price by length waits for the measurement; a fixed price does not', async () => {
    const { client, userId } = await newCustomer()
    const byLength = await storeJob(server.deps, userId, ['voice-mask-full-scene'], null)
    expect(await place(client, byLength.jobId)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/metadata-pending' } },
    })
    await measureUpload(server.deps, byLength.uploadId, 60_001)
    expect((await place(client, byLength.jobId)).body.order.lineItemsTotalCoinAmount).toBe(20)
    const fixed = await storeJob(server.deps, userId, ['teaser-15s'], null)
    expect((await place(client, fixed.jobId)).status).toBe(201)
  })

  it('JOB-01 changed edits are priced again until something is paid', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const first = (await place(client, job.jobId)).body.order
    await server.deps.db.delete(mediaJobTasks).where(eq(mediaJobTasks.mediaJobId, job.jobId))
    await storeTasks(server.deps, job.jobId, ['still-pack', 'social-media-gif-pack'])
    const second = await place(client, job.jobId)
    expect(second).toMatchObject({
      status: 200,
      body: { order: { _id: first._id, lineItemsTotalCoinAmount: 400 } },
    })
    await pay(client, first._id, wallet._id, 100)
    expect((await place(client, job.jobId)).body.order).toMatchObject({
      lineItemsTotalCoinAmount: 400,
      remainingPayableCoinAmount: 300,
    })
  })

  it('ORD-07 an order whose new edits have no price yet takes no tokens until it is priced', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'], null)
    const { order } = (await place(client, job.jobId)).body
    await server.deps.db.delete(mediaJobTasks).where(eq(mediaJobTasks.mediaJobId, job.jobId))
    await storeTasks(server.deps, job.jobId, ['voice-mask-full-scene'])
    expect(await pay(client, order._id, wallet._id, 20)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/metadata-pending' } },
    })
    await measureUpload(server.deps, job.uploadId, 59_000)
    expect((await place(client, job.jobId)).body.order.remainingPayableCoinAmount).toBe(20)
    expect((await pay(client, order._id, wallet._id, 20)).body.order.isFullyPaid).toBe(true)
  })

  it('DEL-01 an edit that was paid for before the video was measured comes back where it would be all of it', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s', 'still-pack'], null)
    const { order } = (await place(client, job.jobId)).body
    await pay(client, order._id, wallet._id, order.remainingPayableCoinAmount)
    expect((await walletOf(client)).coinBalance).toBe(1000 - 450)
    await measureUpload(server.deps, job.uploadId, 10_000)
    await inTransaction(server.deps, async (ctx) => {
      await startWorkflowIfReady(ctx, { mediaJobId: job.jobId })
    })
    const { mediaJob } = (
      await client.get<{ mediaJob: components['schemas']['MediaJob'] }>(
        `/v1/media-jobs/${job.jobId}`,
      )
    ).body
    expect(
      mediaJob.tasks.map(({ status, errorMessage, refundedCoinAmount }) => [
        status,
        errorMessage,
        refundedCoinAmount,
      ]),
    ).toEqual([
      [
        'failed',
        'Your video is 10 s long, so a teaser of 15 s would be all of it: please choose another edit.',
        300,
      ],
      ['created', null, 0],
    ])
    expect((await walletOf(client)).coinBalance).toBe(1000 - 150)
    // Tried again it would come out as it did not before: whole, and for nothing.
    expect(await client.post(`/v1/media-job-tasks/${job.taskIds[0]}/retry`)).toMatchObject({
      status: 422,
      body: { error: { code: 'presets/unfit-options' } },
    })
  })

  it('ORD-07 a file that could not be read takes no order and no tokens', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const { order } = (await place(client, job.jobId)).body
    await server.deps.db
      .update(uploadRequests)
      .set({ state: 'failed', failureReason: 'This is not a video file.' })
      .where(eq(uploadRequests.id, job.uploadId))
    for (const answer of [
      await place(client, job.jobId),
      await pay(client, order._id, wallet._id, 300),
    ]) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: 'uploads/failed', message: 'This is not a video file.' } },
      })
    }
    expect((await walletOf(client)).coinBalance).toBe(1000)
  })
})

describe('paying with tokens', () => {
  it('ORD-04 partial payments add up; the last one starts the work', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s', 'teaser-60s'])
    const { order } = (await place(client, job.jobId)).body
    const first = await pay(client, order._id, wallet._id, 740)
    expect(first).toMatchObject({
      status: 201,
      body: {
        order: {
          status: 'open',
          paidTotalCoinAmount: 740,
          remainingPayableCoinAmount: 160,
          hasPaidWalletCoinTransactions: true,
        },
        wallet: { spendableCoinAmount: 260 },
      },
    })
    expect(await isStarted(job)).toBe(false)
    const last = await pay(client, order._id, wallet._id, 160)
    expect(last).toMatchObject({
      status: 201,
      body: {
        order: { status: 'paid', isFullyPaid: true, remainingPayableCoinAmount: 0 },
        wallet: { spendableCoinAmount: 100 },
      },
    })
    expect(last.body.order.walletCoinTransactions.map((one) => one.coinAmount)).toEqual([
      -740, -160,
    ])
    expect(await isStarted(job)).toBe(true)
    const queued = await server.deps.db.execute(
      sql`select count(*)::int as count from pgboss.job where name = 'render-task' and data->>'taskId' in ${[...job.taskIds]}`,
    )
    expect(queued.rows[0]).toEqual({ count: 2 })
    expect(await pay(client, order._id, wallet._id, 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/already-paid' } },
    })
  })

  it('ORD-04 a paid order waits for its upload', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'], null)
    const { order } = (await place(client, job.jobId)).body
    expect((await pay(client, order._id, wallet._id, 300)).body.order.isFullyPaid).toBe(true)
    expect(await isStarted(job)).toBe(false)
  })

  it('ORD-05 more than can be spent is 402, more than remains is 422, and both take nothing', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['team-skeet-trailer', 'teaser-60s'])
    const { order } = (await place(client, job.jobId)).body
    expect(await pay(client, order._id, wallet._id, 1001)).toMatchObject({
      status: 402,
      body: { error: { code: 'payments/insufficient-tokens' } },
    })
    expect(await pay(client, order._id, wallet._id, 1501)).toMatchObject({
      status: 422,
      body: { error: { code: 'orders/amount-too-high' } },
    })
    expect((await walletOf(client)).coinBalance).toBe(1000)
  })

  it('ORD-05 a payment that says another amount was left to pay takes nothing, and its repetition is answered all the same', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const { order } = (await place(client, job.jobId)).body
    const payment = (coinAmount: number, remaining: number, key: string) =>
      client.post<{ order: Order }>(`/v1/payments/orders/${order._id}/wallet-coin-transactions`, {
        walletCoinTransaction: {
          walletId: wallet._id,
          coinAmount,
          remainingPayableCoinAmount: remaining,
        },
        idempotencyKey: key,
      })
    expect(await payment(100, 250, 'key-of-an-order-before')).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/changed' } },
    })
    expect((await walletOf(client)).coinBalance).toBe(1000)
    expect((await payment(100, 300, 'key-of-this-order')).status).toBe(201)
    expect((await payment(100, 300, 'key-of-this-order')).status).toBe(200)
    expect((await payment(100, 300, 'key-of-another-press')).status).toBe(409)
    expect((await walletOf(client)).coinBalance).toBe(900)
  })

  it('ORD-05 the same key and body is answered again without spending; another body under the key is 409', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const { order } = (await place(client, job.jobId)).body
    const key = `${order._id}:${wallet._id}:300:100:1`
    const answers = await Promise.all([
      pay(client, order._id, wallet._id, 100, key),
      pay(client, order._id, wallet._id, 100, key),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 201])
    expect(await pay(client, order._id, wallet._id, 101, key)).toMatchObject({
      status: 409,
      body: { error: { code: 'request/idempotency-conflict' } },
    })
    expect((await walletOf(client)).coinBalance).toBe(900)
  })

  it('ORD-05 two devices that pay one order at the same time spend once', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s'])
    const { order } = (await place(client, job.jobId)).body
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => pay(client, order._id, wallet._id, 300)),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409])
    expect((await walletOf(client)).coinBalance).toBe(700)
  })

  it('ORD-05 a wallet that two orders want at the same time pays what it holds', async () => {
    const { client, userId, wallet } = await newCustomer()
    const orders = await Promise.all(
      [0, 1].map(
        async () =>
          (await place(client, (await storeJob(server.deps, userId, ['teaser-60s'])).jobId)).body
            .order,
      ),
    )
    const answers = await Promise.all(
      orders.map((order) => pay(client, order._id, wallet._id, 600)),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 402])
    expect((await walletOf(client)).coinBalance).toBe(400)
  })
})

describe('giving tokens back', () => {
  it('ORD-02 a failed task is refunded once and does not make its order payable again', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s', 'still-pack'])
    const { order } = (await place(client, job.jobId)).body
    await pay(client, order._id, wallet._id, 450)
    const [taskId = ''] = job.taskIds
    const given = await Promise.all(
      [0, 1, 2].map(() => inTransaction(server.deps, (ctx) => refundTask(ctx, { taskId }))),
    )
    expect(given.toSorted()).toEqual([0, 0, 300])
    expect(await refundedByTaskId(server.deps, { taskIds: job.taskIds })).toEqual(
      new Map([[taskId, 300]]),
    )
    expect(
      (await client.get<{ order: Order }>(`/v1/orders/${order._id}`)).body.order,
    ).toMatchObject({
      status: 'paid',
      isFullyPaid: true,
      paidTotalCoinAmount: 450,
      refundedTotalCoinAmount: 300,
      remainingPayableCoinAmount: 0,
    })
    const after = await walletOf(client)
    expect(after).toMatchObject({
      coinBalance: 850,
      expiringLots: [
        { coinAmount: 550, expiresAt: wallet.expiringLots[0]?.expiresAt },
        { coinAmount: 300, expiresAt: wallet.expiringLots[0]?.expiresAt },
      ],
    })
  })

  it('ORD-02 a task of a partly paid order gets back no more than was paid', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s', 'still-pack'])
    const { order } = (await place(client, job.jobId)).body
    await pay(client, order._id, wallet._id, 350)
    const given: number[] = []
    for (const taskId of job.taskIds)
      given.push(await inTransaction(server.deps, (ctx) => refundTask(ctx, { taskId })))
    expect(given).toEqual([300, 50])
    expect((await walletOf(client)).coinBalance).toBe(1000)
  })

  it('ORD-02 cancelling before the work starts gives everything back and cancels the tasks; repeating is harmless', async () => {
    const { client, userId, wallet } = await newCustomer()
    const job = await storeJob(server.deps, userId, ['teaser-15s', 'still-pack'], null)
    const { order } = (await place(client, job.jobId)).body
    await pay(client, order._id, wallet._id, 400)
    for (let index = 0; index < 2; index += 1) {
      expect(await cancel(client, order._id)).toMatchObject({
        status: 200,
        body: {
          order: {
            status: 'canceled',
            isFullyPaid: false,
            refundedTotalCoinAmount: 400,
            remainingPayableCoinAmount: 0,
          },
        },
      })
    }
    expect((await walletOf(client)).coinBalance).toBe(1000)
    const tasks = await server.deps.db
      .select({ status: mediaJobTasks.status })
      .from(mediaJobTasks)
      .where(eq(mediaJobTasks.mediaJobId, job.jobId))
    expect(tasks).toEqual([{ status: 'canceled' }, { status: 'canceled' }])
    expect(await pay(client, order._id, wallet._id, 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/canceled' } },
    })
  })

  it('ORD-02 work that has begun cannot be cancelled', async () => {
    const { client, userId, wallet } = await newCustomer()
    const { order } = (
      await place(client, (await storeJob(server.deps, userId, ['still-pack'])).jobId)
    ).body
    await pay(client, order._id, wallet._id, 150)
    expect(await cancel(client, order._id)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/work-started' } },
    })
  })

  it('ORD-05 paying and cancelling at the same time never loses or makes tokens', async () => {
    const { client, userId, wallet } = await newCustomer()
    for (let round = 0; round < 6; round += 1) {
      const job = await storeJob(
        server.deps,
        userId,
        ['still-pack'],
        round % 2 === 0 ? null : 10_000,
      )
      const { order } = (await place(client, job.jobId)).body
      const before = (await walletOf(client)).coinBalance
      const answers = await Promise.all([
        pay(client, order._id, wallet._id, 150),
        cancel(client, order._id),
        pay(client, order._id, wallet._id, 50),
        place(client, job.jobId),
      ])
      for (const answer of answers) expect([200, 201, 409, 422]).toContain(answer.status)
      const settled = (await client.get<{ order: Order }>(`/v1/orders/${order._id}`)).body.order
      expect((await walletOf(client)).coinBalance).toBe(
        before - settled.paidTotalCoinAmount + settled.refundedTotalCoinAmount,
      )
      expect(await isStarted(job)).toBe(settled.status === 'paid' && round % 2 === 1)
      if (settled.status === 'canceled')
        expect(settled.refundedTotalCoinAmount).toBe(settled.paidTotalCoinAmount)
    }
  })
})

describe('tenancy', () => {
  it('ORD-07 orders, jobs and wallets of another user are 404, also for payments', async () => {
    const owner = await newCustomer()
    const other = await newCustomer()
    const job = await storeJob(server.deps, owner.userId, ['still-pack'])
    const { order } = (await place(owner.client, job.jobId)).body
    const own = (
      await place(other.client, (await storeJob(server.deps, other.userId, ['still-pack'])).jobId)
    ).body.order
    const answers = [
      await other.client.get(`/v1/orders/${order._id}`),
      await other.client.get(`/v1/media-jobs/${job.jobId}/orders`),
      await place(other.client, job.jobId),
      await cancel(other.client, order._id),
      await pay(other.client, order._id, other.wallet._id, 150),
      await pay(other.client, own._id, owner.wallet._id, 150),
      await other.client.get(`/v1/wallets/${owner.wallet._id}`),
      await other.client.get(`/v1/wallets/${owner.wallet._id}/wallet-coin-transactions`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404))
    expect((await walletOf(owner.client)).coinBalance).toBe(1000)
  })

  it('WAL-06 the history is newest first and explains each movement', async () => {
    const { client, userId, wallet } = await newCustomer()
    const { order } = (
      await place(client, (await storeJob(server.deps, userId, ['still-pack'])).jobId)
    ).body
    now += 1000
    await pay(client, order._id, wallet._id, 150)
    const { walletCoinTransactions } = (
      await client.get<{
        walletCoinTransactions: components['schemas']['WalletCoinTransaction'][]
      }>(`/v1/wallets/${wallet._id}/wallet-coin-transactions`)
    ).body
    expect(walletCoinTransactions).toMatchObject([
      {
        kind: 'order-payment',
        coinAmount: -150,
        description: 'Still Pack',
        orderId: order._id,
        subject: { kind: 'order', _id: order._id },
        coinsExpireAfterAt: null,
      },
      {
        kind: 'trial-grant',
        coinAmount: 1000,
        description: 'Welcome tokens',
        orderId: null,
        subject: null,
        coinsExpireAfterAt: wallet.expiringLots[0]?.expiresAt,
      },
    ])
  })

  it('WAL-06 the history shows what expired, names its grant, and sums up to the balance', async () => {
    const { client, userId, wallet } = await newCustomer()
    const { order } = (
      await place(client, (await storeJob(server.deps, userId, ['still-pack'])).jobId)
    ).body
    await pay(client, order._id, wallet._id, 150)
    const history = async () =>
      (
        await client.get<{
          walletCoinTransactions: components['schemas']['WalletCoinTransaction'][]
        }>(`/v1/wallets/${wallet._id}/wallet-coin-transactions`)
      ).body.walletCoinTransactions
    expect((await history()).map((line) => line.kind)).toEqual(['order-payment', 'trial-grant'])
    now += 8 * 86_400_000
    const [expiry, ...earlier] = await history()
    const grant = earlier.find((line) => line.kind === 'trial-grant')
    expect(expiry).toMatchObject({
      kind: 'expiry',
      coinAmount: -850,
      subject: { kind: 'wallet-coin-transaction', _id: grant?._id },
      createdAt: grant?.coinsExpireAfterAt,
    })
    expect((await history())[0]).toEqual(expiry)
    expect(earlier.map((line) => line.kind)).toEqual(['order-payment', 'trial-grant'])
    expect((await walletOf(client)).coinBalance).toBe(0)
  })
})
