import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { AT_APP } from '#server/routes/frame-documents.ts'
import { fakeKey } from '#tests/fakes/key.ts'
import { createTestProvider } from '#server/payments/test/provider.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import {
  describePaymentProvider,
  type PostedNotice,
  type ProviderUnderTest,
} from '#tests/suites/payment-provider.ts'

let database: TestDatabase
let webhook: Server
let notices: PostedNotice[] = []
// What the webhook answers, the first one first; 200 when there is none.
let answers: number[] = []
let now = Date.parse('2026-01-31T12:00:00Z')

beforeAll(async () => {
  database = await createTestDatabase()
  webhook = createServer((request, response) => {
    void buffer(request).then((body) => {
      const signature = request.headers['onecut-test-signature']
      const headers = { 'onecut-test-signature': String(signature) }
      notices.push({ body, headers })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  webhook.listen(0, '127.0.0.1')
  await once(webhook, 'listening')
})
afterAll(async () => {
  webhook.close()
  await database.drop()
})

async function create(): Promise<ProviderUnderTest> {
  now = Date.parse('2026-01-31T12:00:00Z')
  notices = []
  answers = []
  const provider = createTestProvider({
    db: database.db,
    clock: () => new Date(now),
    newId: v7,
    key: fakeKey(7),
    webhookUrl: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`,
    log: createLog(() => undefined),
  })
  const press = async (id: string, name: string, delivery = 'once'): Promise<void> => {
    await provider.inner?.press(id, new URLSearchParams({ press: name, delivery }))
  }
  return {
    provider,
    clock: () => new Date(now),
    async pass(ms) {
      now += ms
    },
    pay: (id) => press(id, 'pay'),
    decline: (id) => press(id, 'decline'),
    payLate: (id) => press(id, 'pay-late'),
    setRenewals: (id, renewals) => press(id, `renewals-${renewals}`),
    refundAll: (id) => press(id, 'refund-all'),
    failRefund: (id) => press(id, 'refund-fails'),
    dispute: (id) => press(id, 'dispute'),
    decideDispute: (id, state) => press(id, `dispute-${state}`),
    posted: () => notices,
  }
}

describePaymentProvider('test', create)

describe('the provider that moves no money', () => {
  const tokens = () => ({
    reference: crypto.randomUUID(),
    customer: crypto.randomUUID(),
    kind: 'tokens' as const,
    amountCents: 2000,
    description: 'Tokens',
    expiresAt: new Date(now + 86_400_000),
  })

  async function paid(delivery: string) {
    const { provider } = await create()
    const { providerSessionId: id } = await provider.openSession(tokens(), crypto.randomUUID())
    await provider.inner?.press(id, new URLSearchParams({ press: 'pay', delivery }))
    // The database is shared: what other tests left open expires.
    const arrived = (): number =>
      notices.filter(({ body }) => new TextDecoder().decode(body).includes(id)).length
    return { tick: async () => await provider.inner?.tick(), arrived }
  }

  it('delivers notices once, twice, ten minutes late, or never', async () => {
    expect((await paid('once')).arrived()).toBe(2)
    expect((await paid('twice')).arrived()).toBe(4)
    const late = await paid('late')
    await late.tick()
    expect(late.arrived()).toBe(0)
    now += 10 * 60_000
    await late.tick()
    expect(late.arrived()).toBe(2)
    const never = await paid('never')
    now += 86_400_000
    await never.tick()
    expect(never.arrived()).toBe(0)
  })

  it('delivers a notice again that was not taken', async () => {
    const provider = await create().then((world) => world.provider)
    answers = [500]
    const { providerSessionId } = await provider.openSession(tokens(), crypto.randomUUID())
    await provider.inner?.press(providerSessionId, new URLSearchParams({ press: 'pay' }))
    const before = notices.length
    now += 60_000
    await provider.inner?.tick()
    const ids = await Promise.all(
      notices.map(
        async ({ body }) => (JSON.parse(new TextDecoder().decode(body)) as { id: string }).id,
      ),
    )
    expect([before, ids.length, new Set(ids).size]).toEqual([2, 3, 2])
  })

  it('says on its page that no money moves, and shows each step', async () => {
    const { provider } = await create()
    const { providerSessionId: id } = await provider.openSession(tokens(), crypto.randomUUID())
    const press = async (name: string): Promise<string> => {
      await provider.inner?.press(id, new URLSearchParams({ press: name }))
      return (await provider.page(id, AT_APP)).html
    }
    const { html, policy } = await provider.page(id, AT_APP)
    expect(html).toContain('TEST - no money moves')
    expect(html).toContain('$20.00')
    expect(policy.join('; ')).not.toContain('unsafe')
    expect(await press('decline')).toContain('Your card was declined.')
    expect(await press('second-step')).toContain('Your bank asks you to confirm')
    const paid = await press('pay')
    expect(paid).toContain('data-state="complete"')
    expect(paid).toContain('Refund half')
    expect(await press('refund-half')).toContain('Refunded: $10.00.')
    const disputed = await press('dispute')
    expect(disputed).toContain('Disputed: the bank has taken the money back.')
    expect(disputed).not.toContain('Refund half')
    expect(await press('dispute-won')).toContain('The dispute was won')
  })

  it('refuses what is none of its buttons', async () => {
    const { provider } = await create()
    const { providerSessionId } = await provider.openSession(tokens(), crypto.randomUUID())
    await expect(
      provider.inner?.press(providerSessionId, new URLSearchParams({ press: 'steal' })),
    ).rejects.toMatchObject({ code: 'request/invalid' })
  })
})
