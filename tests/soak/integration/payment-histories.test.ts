import { expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { auditLedger } from '#server/operations/core/ledger/audit.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { createRandom, pickNumber, pickOne } from '#tests/faults/random.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { booked } from '#tests/setup/booked.ts'
import { payer, settleNotices, type Checkout } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Payment = components['schemas']['Payment']

/** `ONECUT_PAYMENT_HISTORIES=1000 ONECUT_PAYMENT_SEED=7` plays more, and others. */
const HISTORIES = Number(process.env['ONECUT_PAYMENT_HISTORIES'] ?? 100)
const SEED = Number(process.env['ONECUT_PAYMENT_SEED'] ?? 1)
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const [TRIAL_TOKENS, TRIAL_DAYS, REWARD, PRICE, WITHDRAWAL_DAYS] = [1_000, 7, 1_900, 300, 14]
const REWARDED = 'the owner was rewarded'
/** Of one account in an hour the server takes fewer. */
const LONGEST = 14

/**
 * A server with books and a clock of its own, in which one story follows another. A story is a
 * chain of some two hundred small waits for its database, so that several are played at a time.
 */
interface World {
  readonly server: TestServer
  now: number
}
const AT_ONCE = 4
/**
 * A world ends after so many: at each wait the server reads again the money of all that came
 * before, which took most of the time of a run of a thousand.
 */
const STORIES = 50

/** Plays stories in a world of their own while `next` gives numbers, and compares its books. */
async function playWorld(next: () => number | null, happened: Map<string, number>): Promise<void> {
  const time = { now: Date.parse('2026-01-05T12:00:00Z') }
  const server = await startTestServer({ clock: () => new Date(time.now) })
  const world = Object.assign(time, { server })
  try {
    for (let left = STORIES; left > 0; left -= 1) {
      const nth = next()
      if (nth === null) break
      await play(world, nth, happened)
    }
    const audit = await auditLedger(server.deps)
    expect(audit).toEqual({ ...audit, differences: [] })
  } finally {
    await server.stop()
  }
}

/** A creator and who sent them, with what only the history knows. */
interface Story {
  readonly world: World
  readonly owner: SignedUp
  readonly friend: SignedUp
  readonly person: ReturnType<typeof payer>
  readonly sessions: Checkout[]
  readonly begunAt: number
  spent: number
  wasRewarded: boolean
}

async function newPerson(world: World): Promise<SignedUp> {
  world.now += 1.1 * HOUR_MS
  return await world.server.signUp()
}

async function begin(world: World, random: () => number): Promise<Story> {
  const owner = await newPerson(world)
  const letters = Array.from({ length: 9 }, () => pickOne(random, [...'BCDGHJLMNPQRTVWZ'])).join('')
  const referralCode = { code: `MARA${letters}`, isAtLeast18: true }
  const made = await owner.client.post('/v1/payments/referral-codes', { referralCode })
  const friend = await newPerson(world)
  const claimed = await friend.client.post('/v1/payments/referral-code-redemption', {
    referralCode,
  })
  expect([made.status, claimed.status]).toEqual([201, 201])
  const person = payer(friend.client)
  const begunAt = world.now
  return { world, owner, friend, person, sessions: [], begunAt, spent: 0, wasRewarded: false }
}

const paymentsOf = async ({ friend }: Story): Promise<Payment[]> =>
  (await friend.client.get<{ payments: Payment[] }>('/v1/payments')).body.payments

type Act = (story: Story, random: () => number) => Promise<unknown>
const pay = async (story: Story, session: Checkout, card: string): Promise<void> => {
  story.sessions.push(session)
  await story.person.press(session, 'pay', 'once', card)
  await settleNotices(story.world.server)
}
/** Presses what happens to the money of a session, at the provider. */
const press =
  (name: string): Act =>
  async ({ world, person, sessions }, random) => {
    if (sessions.length === 0) return
    await person.press(pickOne(random, sessions), name, 'once')
    await settleNotices(world.server)
  }

/** What the server or the provider refuses, such as a second subscription, changes nothing. */
const ACTS: Readonly<Record<string, Act>> = {
  subscribe: async (story) => await pay(story, await story.person.subscribe(), 'new'),
  'buy tokens': async (story) => await pay(story, await story.person.buy(2_000), 'new'),
  spend: async (story) => {
    const { client, userId } = story.friend
    const { jobId } = await storeJob(story.world.server.deps, userId, ['teaser-15s'])
    const order = { mediaJobId: jobId, attestation }
    const placed = await client.post<{ order?: { _id: string } }>('/v1/orders', { order })
    const { wallets } = (await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    if (placed.body.order === undefined) return
    const path = `/v1/payments/orders/${placed.body.order._id}/wallet-coin-transactions`
    const { status } = await client.post(path, {
      walletCoinTransaction: { walletId: wallets[0]?._id, coinAmount: PRICE },
      idempotencyKey: crypto.randomUUID(),
    })
    if (status === 201) story.spent += PRICE
  },
  withdraw: async (story, random) => {
    const payments = await paymentsOf(story)
    if (payments.length === 0) return
    await story.friend.client.post(`/v1/payments/${pickOne(random, payments)._id}/withdraw`)
  },
  dispute: press('dispute'),
  'lose the dispute': press('dispute-lost'),
  'win the dispute': press('dispute-won'),
  'refund all': press('refund-all'),
  wait: async ({ world }, random) => {
    world.now += pickNumber(random, 1, 5) * DAY_MS
    await tickPayments(world.server.deps)
  },
}
const OFTEN = ['subscribe', 'spend', 'spend', 'withdraw', 'wait', 'wait'] as const

/** What must hold after each step, whatever came before; sentences of what does not. */
async function wrongWith(story: Story): Promise<readonly string[]> {
  const { now } = story.world
  const { client } = story.friend
  const [payments, mine, others, { body: has }, { body: am }] = await Promise.all([
    paymentsOf(story),
    booked(client),
    booked(story.owner.client),
    client.get<{ wallets: { coinBalance: number }[] }>('/v1/wallets'),
    client.get<{ user: { permissions: string[] } }>('/v1/users/me'),
  ])
  const ownerHas = netReward(others)
  const debt = Math.max(0, -(has.wallets[0]?.coinBalance ?? 0))
  const paidFor = payments.reduce((sum, payment) => sum + keptTokens(payment), 0)
  const most = TRIAL_TOKENS + Math.max(0, netReward(mine)) + paidFor + debt
  const months = payments.filter(({ kind }) => kind === 'subscription')
  const isKept = ({ state, withdrawnAt }: Payment) => state !== 'lost' && withdrawnAt === null
  const hasTrial = now < story.begunAt + TRIAL_DAYS * DAY_MS
  const isSafe = ({ paidAt, withdrawableCoinAmount, state }: Payment): boolean =>
    state === 'paid' &&
    (withdrawableCoinAmount === 0 || now >= Date.parse(paidAt) + WITHDRAWAL_DAYS * DAY_MS)
  const isFirstReward = ownerHas > 0 && !story.wasRewarded
  if (ownerHas > 0) story.wasRewarded = true
  return [
    story.spent > most ? `spent ${story.spent} of ${most} tokens` : null,
    ownerHas > REWARD ? `the owner has ${ownerHas} tokens of rewards` : null,
    isFirstReward && !months.some(isSafe)
      ? 'the owner was rewarded before the money was safe'
      : null,
    !hasTrial && !months.some(isKept) && am.user.permissions.includes('create:orders')
      ? 'orders are allowed without a trial and without a month that was kept'
      : null,
  ].filter((words) => words !== null)
}

/** Its months end, which would else be renewed through all stories that come after it. */
async function end({ friend: { client } }: Story): Promise<void> {
  const { walletSubscriptions } = (
    await client.get<{ walletSubscriptions: { _id: string; status: string }[] }>(
      '/v1/wallet-subscriptions',
    )
  ).body
  for (const { _id, status } of walletSubscriptions)
    if (status === 'active') await client.post(`/v1/wallet-subscriptions/${_id}/cancel`)
}

/** What of the tokens of a payment its money has stayed for. */
function keptTokens({ state, coinAmount, amountCents, refundedCents }: Payment): number {
  if (state === 'lost' || state === 'disputed') return 0
  return Math.ceil((coinAmount * (amountCents - refundedCents)) / amountCents)
}

const netReward = (bookings: Awaited<ReturnType<typeof booked>>): number =>
  bookings.reduce((sum, [kind, amount]) => (kind.startsWith('referral') ? sum + amount : sum), 0)

/** Plays the history of a number, which is the same in each world, and counts what happened. */
async function play(world: World, nth: number, happened: Map<string, number>): Promise<void> {
  const random = createRandom(SEED * 10_000 + nth)
  const story = await begin(world, random)
  const steps: string[] = []
  const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1)
  for (let left = pickNumber(random, 5, LONGEST); left > 0; left -= 1) {
    world.now += 60_000
    const name = random() < 0.7 ? pickOne(random, OFTEN) : pickOne(random, Object.keys(ACTS))
    const refused = await ACTS[name]?.(story, random).then(
      () => '',
      () => ' (refused)',
    )
    steps.push(`${name}${refused}`)
    count(`${name}${refused}`)
    expect(await wrongWith(story), `seed ${SEED}, ${nth}: ${steps.join(', ')}`).toEqual([])
  }
  await end(story)
  if (story.wasRewarded) count(REWARDED)
}

it(
  'LIF-10 no history of payments gains tokens or rights that were not paid for',
  { timeout: patience(HISTORIES * 20) },
  async () => {
    const happened = new Map<string, number>()
    let begun = 0
    const next = (): number | null => {
      begun += 1
      return begun > HISTORIES ? null : begun - 1
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (begun < HISTORIES) await playWorld(next, happened)
      }),
    )
    for (const name of [...Object.keys(ACTS), REWARDED])
      expect([...happened.keys()]).toContain(name)
  },
)
