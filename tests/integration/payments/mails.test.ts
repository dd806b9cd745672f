import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { mails } from '#server/db/schema.ts'
import { settleSubscription } from '#server/operations/commerce/payments/settle-subscription.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, payFor } from '#tests/setup/order.ts'
import { payer, settleNotices, type Checkout, type Subscription } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const BEGUN = 'Your subscription has begun'

let server: TestServer
let me: SignedUp
let person: ReturnType<typeof payer>
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})
beforeEach(async () => {
  now += 3_700_000
  me = await server.signUp()
  person = payer(me.client)
})

/** The mails to this person after the one that signed them up, oldest first. */
async function mailed(): Promise<{ subject: string; text: string }[]> {
  const rows = await server.deps.db
    .select({ subject: mails.subject, text: mails.text })
    .from(mails)
    .where(eq(mails.recipient, me.email))
    .orderBy(asc(mails.createdAt), asc(mails.id))
  return rows.slice(1)
}
const inWords = (epochMs: number): string =>
  new Date(epochMs).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const subjects = async (): Promise<string[]> => (await mailed()).map(({ subject }) => subject)
/** Everything that reads the provider again, twice. */
async function readAgain(session: Checkout): Promise<void> {
  for (const _time of [1, 2]) {
    now += MINUTE_MS
    await tickPayments(server.deps)
    await settleNotices(server)
    await person.look(session)
  }
}
async function subscribed(): Promise<{ session: Checkout; subscription: Subscription }> {
  const session = await person.subscribe()
  await person.press(session, 'pay')
  await person.look(session)
  return { session, subscription: (await person.subscriptions())[0]! }
}

it.each([
  ['while the person waits', 'twice', 10],
  ['after the page was closed and their notice was lost', 'never', 3],
] as const)(
  'WAY-01 tokens that come %s come with one mail of the amount, the receipt and the way back',
  async (_when, notice, minutes) => {
    const session = await person.buy(5000)
    now += minutes * MINUTE_MS
    await person.press(session, 'pay', notice)
    await readAgain(session)
    const [paid, ...others] = await mailed()
    expect(others).toEqual([])
    expect(paid?.subject).toBe('Your payment went through')
    expect(paid?.text).toMatch(/You paid \$50\.00 for 5,000 tokens\. The receipt is 20\d\d-\d{6}\./)
    expect(paid?.text).toContain('can be given back within 14 days')
    expect(paid?.text).toContain('/payments')
  },
)

it('WAY-01 a payment that is pending for some minutes comes with one mail when it is paid', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay-late')
  expect(await person.look(session)).toMatchObject({ payment: 'pending' })
  expect(await mailed()).toEqual([])
  now += 6 * MINUTE_MS
  await tickPayments(server.deps)
  await readAgain(session)
  expect(await subjects()).toEqual(['Your payment went through'])
})

it('WAY-01 two months, a cancellation and its end come with one mail each', async () => {
  const { subscription } = await subscribed()
  const monthEnds = Date.parse(subscription.expiresAt ?? '')
  for (const change of ['cancel', 'cancel', 'resume', 'resume'])
    expect(
      await me.client.post(`/v1/wallet-subscriptions/${subscription._id}/${change}`),
    ).toMatchObject({ status: 200 })
  now = monthEnds
  for (const _time of [1, 2]) {
    now += MINUTE_MS
    await tickPayments(server.deps)
    await settleNotices(server)
  }
  const [begun, cancelled, resumed, renewed, ...others] = await mailed()
  expect(others).toEqual([])
  expect(begun?.subject).toBe(BEGUN)
  expect(begun?.text).toMatch(
    /You paid \$\d+\.\d\d for 1,900 tokens\. The receipt is 20\d\d-\d{6}\./,
  )
  expect(begun?.text).toContain(`The next month is paid on ${inWords(monthEnds)}`)
  expect(begun?.text).toContain('can be given back within 14 days')
  expect(cancelled?.subject).toBe('Your subscription is cancelled')
  expect(cancelled?.text).toContain(`ends on ${inWords(monthEnds)}`)
  expect(cancelled?.text).toContain(`/subscriptions/${subscription._id}`)
  expect(resumed?.subject).toBe('Your subscription goes on')
  expect(resumed?.text).toContain(`paid on ${inWords(monthEnds)}`)
  expect(renewed?.subject).toBe('Your subscription was renewed')
  expect(renewed?.text).toMatch(/The receipt is 20\d\d-\d{6}\./)
})

it('WAY-01 tokens that are given back come with one mail of the money and the receipt', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay')
  await person.look(session)
  const { body } = await me.client.get<{ payments: readonly { _id: string }[] }>('/v1/payments')
  for (const _time of [1, 2]) await me.client.post(`/v1/payments/${body.payments[0]?._id}/withdraw`)
  await readAgain(session)
  const [, back, ...others] = await mailed()
  expect(others).toEqual([])
  expect(back?.subject).toBe('Your refund is on its way')
  expect(back?.text).toMatch(/\$50\.00 of your payment with the receipt 20\d\d-\d{6}/)
})

it('WAY-01 tokens that came too late for their order say that they are in the wallet', async () => {
  const { jobId } = await storeJob(server.deps, me.userId, ['teaser-15s'])
  const { body } = await me.client.post<{ order: components['schemas']['Order'] }>('/v1/orders', {
    order: { mediaJobId: jobId, attestation },
  })
  const session = await person.buy(300, body.order._id)
  await payFor(me.client, jobId)
  await person.press(session, 'pay')
  await person.look(session)
  await readAgain(session)
  const sent = await mailed()
  expect(sent.map(({ subject }) => subject)).toEqual(['Your tokens are in your wallet'])
  expect(sent[0]?.text).toContain('/payments')
})

it('a month that is not paid, and the end of its subscription, each come with one mail', async () => {
  const { session, subscription } = await subscribed()
  await person.press(session, 'renewals-fail')
  now = Date.parse(subscription.expiresAt ?? '')
  await readAgain(session)
  const [, problem] = await mailed()
  expect(await subjects()).toEqual([BEGUN, 'A payment did not go through'])
  expect(problem?.text).toContain(
    `until ${inWords(Date.parse(subscription.expiresAt ?? '') + 3 * DAY_MS)}`,
  )
  expect(problem?.text).toContain(`/subscriptions/${subscription._id}`)
  now += 15 * DAY_MS
  await tickPayments(server.deps)
  await tickPayments(server.deps)
  expect(await subjects()).toEqual([
    BEGUN,
    'A payment did not go through',
    'Your subscription has ended',
  ])
})

it('two readings of a subscription at once send one mail', async () => {
  const { session, subscription } = await subscribed()
  await person.press(session, 'renewals-fail')
  now = Date.parse(subscription.expiresAt ?? '') + MINUTE_MS
  const subscriptionId = session._id.replace('test_cs_', 'test_sub_')
  await server.deps.payments.inner?.tick()
  await Promise.all([1, 2, 3].map(() => settleSubscription(server.deps, { subscriptionId })))
  expect(await subjects()).toEqual([BEGUN, 'A payment did not go through'])
})

it('each refund comes with one mail that names money and receipt', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay')
  await person.look(session)
  await person.press(session, 'refund-half', 'twice')
  await settleNotices(server)
  await readAgain(session)
  await person.press(session, 'refund-all', 'never')
  now += 2 * DAY_MS
  await tickPayments(server.deps)
  await tickPayments(server.deps)
  const [paid, ...sent] = await mailed()
  expect(paid?.subject).toBe('Your payment went through')
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Your refund is on its way',
    'Your refund is on its way',
  ])
  expect(sent[0]?.text).toMatch(/\$25\.00 of your payment with the receipt 20\d\d-\d{6}/)
})

it('a refund that failed comes with one mail that says where its tokens are', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay')
  await person.look(session)
  await person.press(session, 'refund-half', 'once')
  await settleNotices(server)
  await person.press(session, 'refund-fails', 'twice')
  await settleNotices(server)
  await readAgain(session)
  const [, ...sent] = await mailed()
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Your refund is on its way',
    'Your refund did not go through',
  ])
  expect(sent[1]?.text).toMatch(/\$25\.00 of your payment with the receipt 20\d\d-\d{6}/)
  expect(sent[1]?.text).toContain('The tokens for it are back in your wallet.')
})
