import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { inPool } from '#tests/faults/in-pool.ts'
import { createRandom, pickNumber, pickOne } from '#tests/faults/random.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { patience } from '#tests/setup/patience.ts'
import { payer, settleNotices, type Checkout } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Schemas = components['schemas']
type Transaction = Schemas['WalletCoinTransaction']

const PEOPLE = 10
const OPERATIONS = 1_000
const AT_ONCE = 16
const ORDERS_OF_ONE = 3
/** Of one account in an hour; the server takes no more. */
const CHECKOUTS_OF_ONE = 50
const LATER_MS = 60 * 60_000

/** Others repeat a run: `ONECUT_PAYMENT_SEED=7`. */
const random = createRandom(Number(process.env['ONECUT_PAYMENT_SEED'] ?? 1))

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
const people: Person[] = []
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  for (let count = 0; count < PEOPLE; count += 1) people.push(await newPerson())
})
afterAll(async () => {
  await server.stop()
})

interface Person extends Pick<SignedUp, 'client' | 'userId'>, ReturnType<typeof payer> {
  readonly walletId: string
  readonly orderIds: readonly string[]
  readonly sessions: Checkout[]
  begun: number
}

async function newPerson(): Promise<Person> {
  const { client, userId } = await server.signUp()
  const { body } = await client.get<{ wallets: Schemas['Wallet'][] }>('/v1/wallets')
  const orderIds: string[] = []
  for (let count = 0; count < ORDERS_OF_ONE; count += 1) {
    const { jobId } = await storeJob(server.deps, userId, ['teaser-60s'])
    const placed = await client.post<{ order: { _id: string } }>('/v1/orders', {
      order: { mediaJobId: jobId, attestation },
    })
    orderIds.push(placed.body.order._id)
  }
  const walletId = body.wallets[0]?._id ?? ''
  return { client, userId, ...payer(client), walletId, orderIds, sessions: [], begun: 0 }
}

/** What people, their bank and the provider do, each with its share of the operations. */
const OPERATIONS_BY_SHARE: readonly (readonly [number, (person: Person) => Promise<unknown>])[] = [
  [3, begin],
  [4, (person) => pressOne(person, ['pay', 'pay', 'decline', 'second-step', 'pay-late'])],
  [4, payByTokens],
  [1, cancelOrder],
  [2, (person) => pressOne(person, ['refund-half', 'refund-all', 'dispute', 'dispute-lost'])],
  [1, (person) => pressOne(person, ['dispute-won'])],
  [1, changeSubscription],
  [3, lookAtOne],
  [2, () => settleNotices(server)],
  [1, () => tickPayments(server.deps)],
]
const DRAWN = OPERATIONS_BY_SHARE.flatMap(([share, operation]) =>
  Array.from({ length: share }, () => operation),
)

async function begin(person: Person): Promise<void> {
  person.begun += 1
  if (person.begun > CHECKOUTS_OF_ONE) return
  const kind = pickOne(random, ['plan', 'order', 'tokens', 'tokens'] as const)
  const orderId = kind === 'order' ? pickOne(random, person.orderIds) : null
  const coinAmount = kind === 'order' ? 400 : pickNumber(random, 2000, 5000)
  // Refused where it must be: a second subscription, an order that is paid or cancelled.
  const session = await (
    kind === 'plan' ? person.subscribe() : person.buy(coinAmount, orderId)
  ).catch(() => null)
  if (session !== null) person.sessions.push(session)
}

async function pressOne(person: Person, presses: readonly string[]): Promise<void> {
  if (person.sessions.length === 0) return
  const session = pickOne(random, person.sessions)
  const delivery = pickOne(random, ['once', 'twice', 'late', 'never'])
  // A button that the page does not show is refused.
  await person.press(session, pickOne(random, presses), delivery).catch(() => undefined)
}

async function payByTokens({ client, walletId, orderIds }: Person): Promise<void> {
  await client.post(`/v1/payments/orders/${pickOne(random, orderIds)}/wallet-coin-transactions`, {
    walletCoinTransaction: { walletId, coinAmount: pickNumber(random, 1, 300) },
    idempotencyKey: crypto.randomUUID(),
  })
}

async function cancelOrder({ client, orderIds }: Person): Promise<void> {
  // One order of each stays, so that cards and tokens go on meeting.
  await client.post(`/v1/orders/${pickOne(random, orderIds.slice(1))}/cancel`)
}

async function changeSubscription(person: Person): Promise<void> {
  const [one] = await person.subscriptions()
  if (one === undefined) return
  await person.client.post(
    `/v1/wallet-subscriptions/${one._id}/${pickOne(random, ['cancel', 'resume'])}`,
  )
}

async function lookAtOne(person: Person): Promise<void> {
  if (person.sessions.length > 0) await person.look(pickOne(random, person.sessions))
}

it(
  '1,000 payments, refunds, disputes and cancellations at once leave books that are right',
  async () => {
    await inPool(
      Array.from({ length: OPERATIONS }, (_, nth) => nth),
      AT_ONCE,
      async () => {
        const operation = pickOne(random, DRAWN)
        await operation(pickOne(random, people))
      },
    )
    // What was late comes, and what is owed is read.
    for (let round = 0; round < 3; round += 1) {
      now += LATER_MS
      await tickPayments(server.deps)
      await settleNotices(server)
    }
    for (const person of people) await expectRightBooks(person)
    const events = server.logged.filter(({ level }) => level === 'error')
    expect(events).toEqual([])
  },
  patience(400),
)

async function expectRightBooks(person: Person): Promise<void> {
  const { client, walletId } = person
  // Looking books what was not heard of yet.
  const seen = await inTurn(person.sessions, (session) => person.look(session))
  const wallet = (await client.get<{ wallets: Schemas['Wallet'][] }>('/v1/wallets')).body.wallets[0]
  const lines = await historyOf(person)
  const sum = (some: readonly Transaction[]) =>
    some.reduce((total, { coinAmount }) => total + coinAmount, 0)
  expect(sum(lines), 'the balance is what was booked').toBe(wallet?.coinBalance)
  const isBack = lines.some(({ kind }) => kind === 'purchase-reversal' || kind === 'chargeback')
  if (!isBack) expect(wallet?.coinBalance).toBeGreaterThanOrEqual(0)
  const paid = seen.filter(({ payment, planSlug }) => payment === 'paid' && planSlug === null)
  const bought = lines.filter(({ kind }) => kind === 'purchase')
  expect(
    bought.map(({ coinAmount }) => coinAmount).toSorted(),
    'a session that was paid is booked once, and no other',
  ).toEqual(paid.map(({ chargedCoinAmount }) => chargedCoinAmount).toSorted())
  for (const orderId of person.orderIds) {
    const { order } = (await client.get<{ order: Schemas['Order'] }>(`/v1/orders/${orderId}`)).body
    const moved = -sum(lines.filter((line) => line.orderId === orderId))
    // A cancelled order says what it once had; all of it went back.
    expect(moved + 0, 'what an order has is what wallets gave').toBe(
      order.status === 'canceled' ? 0 : order.paidTotalCoinAmount,
    )
    expect(order.paidTotalCoinAmount).toBeLessThanOrEqual(order.lineItemsTotalCoinAmount)
  }
  expect(walletId).toBe(wallet?._id)
}

async function inTurn<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const ends: R[] = []
  for (const thing of things) ends.push(await work(thing))
  return ends
}

async function historyOf({ client, walletId }: Person): Promise<readonly Transaction[]> {
  const path = `/v1/wallets/${walletId}/wallet-coin-transactions`
  const { body } = await client.get<{ walletCoinTransactions: Transaction[] }>(path)
  return body.walletCoinTransactions.filter(({ kind }) => kind !== 'expiry')
}
