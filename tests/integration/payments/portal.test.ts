import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

const DAY_MS = 86_400_000
const PORTAL = '/v1/payments/portal-sessions'

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

async function subscribed() {
  const { client } = await server.signUp()
  const person = payer(client)
  const checkout = await person.subscribe()
  await person.press(checkout, 'pay')
  await person.look(checkout)
  return { client, person, checkout }
}

/** The path of the page where the card is changed. */
async function portalOf(client: TestClient): Promise<string> {
  const { status, body } = await client.post<{ portalSession: { url: string } }>(PORTAL)
  expect(status).toBe(201)
  const { origin, pathname } = new URL(body.portalSession.url)
  expect(origin).toBe(server.origin)
  return pathname
}

async function press(client: TestClient, path: string, name: string, headers = {}) {
  return await client.post(path, new URLSearchParams({ press: name }), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

describe('the page where a card is changed', () => {
  it('pays a month that failed when the card is changed', async () => {
    const { client, person, checkout } = await subscribed()
    await person.press(checkout, 'renewals-fail')
    now += 32 * DAY_MS
    await tickPayments(server.deps)
    expect(await person.subscriptions()).toMatchObject([{ status: 'payment-problem' }])
    const path = await portalOf(client)
    const { headers, bytes } = await client.get(path)
    const html = new TextDecoder().decode(bytes)
    expect(html).toContain('TEST - no money moves')
    expect(html).toContain('A month is not paid.')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect((await press(client, path, 'renewals-succeed')).status).toBe(303)
    now += 10 * 60_000
    await tickPayments(server.deps)
    expect(await person.subscriptions()).toMatchObject([{ status: 'active' }])
  })

  it('is 409 for a person without a subscription', async () => {
    const { client } = await server.signUp()
    expect(await client.post(PORTAL)).toMatchObject({
      status: 409,
      body: { error: { code: 'payments/no-portal' } },
    })
  })

  it("is 404 for another person, and takes no form of another site's page", async () => {
    const { client } = await subscribed()
    const path = await portalOf(client)
    const { client: other } = await server.signUp()
    expect((await other.get(path)).status).toBe(404)
    expect((await press(other, path, 'renewals-fail')).status).toBe(404)
    const forged = { origin: 'https://evil.example' }
    expect((await press(client, path, 'renewals-fail', forged)).status).toBe(403)
    expect((await press(client, path, 'pay')).status).toBe(422)
  })
})

it('with Stripe, is a page of Stripe for the customer of the subscription', async () => {
  const stripe = await startFakeStripe()
  const shop = await startTestServer({ stripe })
  try {
    const { client } = await shop.signUp()
    const person = payer(client)
    const checkout = await person.subscribe()
    stripe.account.pay(checkout._id)
    await person.look(checkout)
    const { body } = await client.post<{ portalSession: { url: string } }>(PORTAL)
    expect(body.portalSession.url).toMatch(/^https:\/\/billing\.stripe\.com\//)
    const asked = stripe.seen.find(({ call }) => call === 'POST /v1/billing_portal/sessions')
    const [customer] = stripe.account.objects.customers.keys()
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      customer,
      return_url: `${shop.origin}/subscriptions`,
    })
    const path = `/editors/pay/portal/${[...stripe.account.objects.subscriptions.keys()][0]}`
    expect((await client.get(path)).status).toBe(404)
  } finally {
    await shop.stop()
    await stripe.stop()
  }
})
