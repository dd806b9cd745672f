import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Schemas = components['schemas']

let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_PAYMENTS: 'false' },
  })
  me = await server.signUp()
})
afterAll(() => server.stop())

it('APP-21 a server without payments says so and lists every edit at 0', async () => {
  const { capabilities } = (
    await me.client.get<{ capabilities: Schemas['Capabilities'] }>('/v1/capabilities')
  ).body
  expect(capabilities.payments).toEqual({
    isEnabled: false,
    cardProvider: 'none',
    isPublicTest: false,
    publishableKey: null,
  })
  expect(capabilities.areas).toMatchObject({ subscriptions: false, cardCheckout: false })
  const { mediaJobTaskPresets: presets } = (
    await me.client.get<{ mediaJobTaskPresets: Schemas['MediaJobTaskPreset'][] }>(
      '/v1/media-job-task-presets',
    )
  ).body
  expect(presets.length).toBeGreaterThan(10)
  for (const { pricingStrategies } of presets)
    expect(pricingStrategies).toEqual([{ pricingStrategySlug: 'per-unit', coinAmountPerUnit: 0 }])
})

it('APP-21 an order costs nothing and starts at once, also after the trial, and nothing is sold', async () => {
  now += 8 * 86_400_000
  const { jobId } = await storeJob(server.deps, me.userId, ['teaser-15s'])
  const { status, body } = await me.client.post<{ order: Schemas['Order'] }>('/v1/orders', {
    order: { mediaJobId: jobId, attestation },
  })
  expect([status, body.order]).toMatchObject([
    201,
    { lineItemsTotalCoinAmount: 0, isFullyPaid: true, remainingPayableCoinAmount: 0 },
  ])
  await expect(payer(me.client).buy(2000)).rejects.toThrow('payments/off')
  await expect(payer(me.client).subscribe()).rejects.toThrow('payments/off')
})
