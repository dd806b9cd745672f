import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { mails } from '#server/db/schema.ts'
import { settleSubscription } from '#server/operations/payments/settle-subscription.ts'
import { tickPayments } from '#server/operations/payments/tick.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, payFor } from '#tests/setup/order.ts'
import { payer, settleNotices, type Checkout, type Subscription } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

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

it('tokens that arrive while the person waits need no mail', async () => {
  const session = await person.buy(5000)
  now += 10 * MINUTE_MS
  await person.press(session, 'pay', 'twice')
  await person.look(session)
  await readAgain(session)
  expect(await mailed()).toEqual([])
})

it('tokens that arrive after the wait at the page come with one mail', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay-late')
  expect(await person.look(session)).toMatchObject({ payment: 'pending' })
  now += 6 * MINUTE_MS
  await tickPayments(server.deps)
  await readAgain(session)
  const sent = await mailed()
  expect(sent.map(({ subject }) => subject)).toEqual(['Your tokens have arrived'])
  expect(sent[0]?.text).toContain('5,000 tokens have arrived')
  expect(sent[0]?.text).toContain('/wallets')
})

it('so do those whose notice was lost and whose page was closed', async () => {
  const session = await person.buy(5000)
  await person.press(session, 'pay', 'never')
  now += 3 * MINUTE_MS
  await tickPayments(server.deps)
  await readAgain(session)
  expect(await subjects()).toEqual(['Your tokens have arrived'])
})

it('so does a first month that was paid late', async () => {
  const session = await person.subscribe()
  await person.press(session, 'pay-late')
  await person.look(session)
  now += 6 * MINUTE_MS
  await tickPayments(server.deps)
  await readAgain(session)
  const sent = await mailed()
  expect(sent.map(({ subject }) => subject)).toEqual(['Your tokens have arrived'])
  expect(sent[0]?.text).toContain('1,900 tokens have arrived')
})

it('tokens that came too late for their order say that they are in the wallet', async () => {
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
  const [problem] = await mailed()
  expect(await subjects()).toEqual(['A payment did not go through'])
  expect(problem?.text).toContain(
    `until ${new Date(Date.parse(subscription.expiresAt ?? '') + 3 * DAY_MS).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}`,
  )
  expect(problem?.text).toContain(`/subscriptions/${subscription._id}`)
  now += 15 * DAY_MS
  await tickPayments(server.deps)
  await tickPayments(server.deps)
  expect(await subjects()).toEqual(['A payment did not go through', 'Your subscription has ended'])
})

it('two readings of a subscription at once send one mail', async () => {
  const { session, subscription } = await subscribed()
  await person.press(session, 'renewals-fail')
  now = Date.parse(subscription.expiresAt ?? '') + MINUTE_MS
  const subscriptionId = session._id.replace('test_cs_', 'test_sub_')
  await server.deps.payments.inner?.tick()
  await Promise.all([1, 2, 3].map(() => settleSubscription(server.deps, { subscriptionId })))
  expect(await subjects()).toEqual(['A payment did not go through'])
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
  const sent = await mailed()
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
  const sent = await mailed()
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Your refund is on its way',
    'Your refund did not go through',
  ])
  expect(sent[1]?.text).toMatch(/\$25\.00 of your payment with the receipt 20\d\d-\d{6}/)
  expect(sent[1]?.text).toContain('The tokens for it are back in your wallet.')
})
