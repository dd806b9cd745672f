import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { and, eq, inArray } from 'drizzle-orm'
import { addMonths } from '#server/calendar.ts'
import { mediaJobs, mediaJobTasks, wallets, walletTransactions } from '#server/db/schema.ts'
import { auditLedger } from '#server/operations/core/ledger/audit.ts'
import { lockAccount, unlockAccount } from '#server/operations/accounts/security/accounts.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { balance, payFor } from '#tests/setup/order.ts'
import { payer, settleNotices, type Checkout } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Payment = components['schemas']['Payment']
type Redemption = components['schemas']['ReferralCodeRedemption']
type Refused = components['schemas']['Error']

const DAY_MS = 86_400_000
const CODES = '/v1/payments/referral-codes'
const OWN = '/v1/payments/referral-code-redemption'

let server: TestServer
let owner: SignedUp
let code: string
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-01-31T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})
beforeEach(async () => {
  owner = await newPerson()
  code = newCode()
  expect((await makeCode(owner.client, code)).status).toBe(201)
})

/** Of letters that make no word, since some words are refused. */
function newCode(): string {
  const random = crypto.randomUUID().slice(0, 8)
  return `MARA${random.replace(/./g, (digit) => 'BCDGHJLMNPQRTVWZ'[Number.parseInt(digit, 16)] ?? '')}`
}
async function newPerson(email?: string): Promise<SignedUp> {
  now += 3_700_000
  return await server.signUp(email)
}
const makeCode = (client: TestClient, wanted: string) =>
  client.post<Refused>(CODES, { referralCode: { code: wanted, isAtLeast18: true } })
const check = (client: TestClient, wanted = code) =>
  client.get<{ referralCodeRedemption: Redemption | null } & Refused>(
    `${CODES}/${encodeURIComponent(wanted)}/validate`,
  )
const redeem = (client: TestClient, wanted = code) =>
  client.post<{ referralCodeRedemption: Redemption } & Refused>(OWN, {
    referralCode: { code: wanted, isAtLeast18: true },
  })
const redeemed = async ({ client }: SignedUp): Promise<Redemption | null> =>
  (await client.get<{ referralCodeRedemption: Redemption | null }>(OWN)).body.referralCodeRedemption
const redemptions = async ({ client }: SignedUp): Promise<Redemption[]> =>
  (
    await client.get<{ referralCodeRedemptions: Redemption[] }>(
      '/v1/payments/referral-code-redemptions',
    )
  ).body.referralCodeRedemptions
const refusal = ({ status, body }: TestAnswer<Refused>) => [status, body.error.code]
const words = ({ body }: TestAnswer<Refused>) => body.error.message

/** Signs up in a browser, with what its form and its cookies say of a code. */
async function signUpWith(
  client: TestClient,
  referralCode?: string,
  email = `friend-${crypto.randomUUID()}@example.com`,
): Promise<SignedUp & { readonly asked: TestAnswer<Refused> }> {
  now += 3_700_000
  const asked = await client.post<Refused>('/v1/auth/magic-link/signup', {
    user: { email },
    captchaToken: humanToken,
    redirectUri: '/',
    ...(referralCode === undefined ? {} : { referralCode }),
  })
  if (asked.status !== 202) return { client, email, userId: '', asked }
  const digits = /^\s+(\d{6})$/m.exec((await server.lastMail(email))?.text ?? '')?.[1]
  const done = await client.post<{ user: { _id: string } }>('/v1/auth/magic-link/code', {
    email,
    code: digits,
  })
  return { client, email, userId: done.body.user._id, asked }
}

async function subscribe({ client }: SignedUp, press = 'pay', card = 'new'): Promise<Checkout> {
  const person = payer(client)
  const session = await person.subscribe()
  await person.press(session, press, 'never', card)
  now += 6_000
  await person.look(session)
  return session
}

/** Pays for one order of so many tokens, a multiple of 300. */
async function spend({ client, userId }: SignedUp, coinAmount: number): Promise<void> {
  const teasers = Array.from({ length: coinAmount / 300 }, () => 'teaser-15s')
  const { jobId } = await storeJob(server.deps, userId, teasers)
  await payFor(client, jobId)
}

const rewardsOf = async (userId: string): Promise<number[]> => {
  const rows = await server.deps.db
    .select({ coinAmount: walletTransactions.coinAmount })
    .from(walletTransactions)
    .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
    .where(and(eq(wallets.userId, userId), eq(walletTransactions.kind, 'referral-reward')))
  return rows.map(({ coinAmount }) => coinAmount)
}

/** A session ends long after what these tests wait for. */
async function again({ email }: SignedUp): Promise<SignedUp> {
  now += 3_700_000
  return await server.signUp(email)
}

async function monthOf({ client }: SignedUp): Promise<Payment> {
  const { payments } = (await client.get<{ payments: Payment[] }>('/v1/payments')).body
  if (payments[0] === undefined) throw new Error('No month was paid')
  return payments[0]
}

describe('codes', () => {
  it('REF-02 are listed newest first, to their owner only', async () => {
    const second = newCode()
    now += 1000
    await makeCode(owner.client, second)
    const { body } = await owner.client.get<{ referralCodes: { code: string }[] }>(CODES)
    expect(body.referralCodes.map((one) => one.code)).toEqual([second, code])
    expect((await (await newPerson()).client.get(CODES)).body).toEqual({ referralCodes: [] })
  })

  it.each([
    ['ABC', 'Code must be at least 4 characters'],
    ['A'.repeat(21), 'Code must be at most 20 characters'],
    ['mara2026', 'Code must contain only uppercase letters and numbers'],
    [' ', 'Please enter a code'],
    ['G00GLE', 'This code holds a word that is not allowed. Please choose another code.'],
  ])('LIF-06 REF-05 %j is refused in words', async (wanted, sentence) => {
    const answer = await makeCode(owner.client, wanted)
    expect([answer.status, words(answer), answer.body.error.fields]).toEqual([
      422,
      sentence,
      { 'referralCode.code': sentence },
    ])
  })

  it('LIF-06 a code of another person is taken; the own one is answered as it is', async () => {
    const other = await newPerson()
    const answer = await makeCode(other.client, code)
    expect([...refusal(answer), words(answer)]).toEqual([
      409,
      'referrals/code-taken',
      'This code is already taken. Please choose another code.',
    ])
    expect((await makeCode(owner.client, code)).status).toBe(201)
  })

  it('LIF-06 REF-05 there are two for each person, also of calls at the same time', async () => {
    const other = await newPerson()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => makeCode(other.client, newCode())),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const [refused] = answers.filter(({ status }) => status !== 201)
    expect(refused && [...refusal(refused), words(refused)]).toEqual([
      409,
      'referrals/limit-reached',
      'You can only create a maximum of 2 codes',
    ])
  })

  it('LIF-06 REF-07 a code is made and redeemed by people who say that they are at least 18', async () => {
    const friend = await newPerson()
    for (const [client, path] of [
      [owner.client, CODES],
      [friend.client, OWN],
    ] as const)
      for (const age of [{}, { isAtLeast18: false }]) {
        const answer = await client.post<Refused>(path, { referralCode: { code, ...age } })
        expect([...refusal(answer), words(answer)]).toEqual([
          422,
          'referrals/age-not-confirmed',
          'Please confirm that you are at least 18 years old.',
        ])
      }
    expect(await redeemed(friend)).toBeNull()
  })

  it('tries to make codes are limited, refused ones too', async () => {
    const other = await newPerson()
    const statuses: number[] = []
    for (let times = 0; times < 21; times += 1)
      statuses.push((await makeCode(other.client, code)).status)
    expect(statuses.slice(-2)).toEqual([409, 429])
  })
})

describe('checking a code', () => {
  it('AUT-09 AUT-08 finds it in any case, and the browser keeps it for its sign-up', async () => {
    const browser = server.createClient()
    expect((await browser.get(`${CODES}/cookie`)).body).toEqual({ referralCode: null })
    const answer = await check(browser, ` ${code.toLowerCase()} `)
    expect([answer.status, answer.body]).toEqual([
      200,
      { referralCode: { code }, referralCodeRedemption: null },
    ])
    expect(answer.headers.getSetCookie().join()).toMatch(
      /onecut_referral=.*Max-Age=2592000.*HttpOnly/,
    )
    expect((await browser.get(`${CODES}/cookie`)).body).toEqual({ referralCode: { code } })
  })

  it('AUT-09 unknown codes and what could be none are 404 alike', async () => {
    const unknown = await check(server.createClient(), 'NOSUCHCODE')
    expect(refusal(unknown)).toEqual([404, 'referrals/not-found'])
    expect((await check(server.createClient(), '<x>')).body).toEqual(unknown.body)
  })

  it('another site cannot choose who invited a browser', async () => {
    const browser = server.createClient()
    await browser.get(`${CODES}/${code}/validate`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await browser.get(`${CODES}/cookie`)).body).toEqual({ referralCode: null })
    browser.cookies.set('onecut_referral', '<script>')
    expect((await browser.get(`${CODES}/cookie`)).body).toEqual({ referralCode: null })
  })

  it('checks of one client are limited, so that codes are not found by guessing', async () => {
    now += 3_700_000
    const browser = server.createClient()
    const statuses: number[] = []
    for (let times = 0; times < 61; times += 1)
      statuses.push((await check(browser, 'NOSUCHCODE')).status)
    expect(statuses.slice(-2)).toEqual([404, 429])
    now += 3_700_000
  })
})

describe('redeeming', () => {
  it('AUT-08 the code of the form is redeemed with the new account, also by a link in another browser', async () => {
    const friend = await signUpWith(server.createClient(), code.toLowerCase())
    expect(await redeemed(friend)).toMatchObject({ code, refereeUserId: friend.userId })
    expect(await redemptions(owner)).toEqual([await redeemed(friend)])
    expect((await check(friend.client)).body.referralCodeRedemption).toEqual(await redeemed(friend))
  })

  it('AUT-13 so is the code of the invitation, which the form says nothing of', async () => {
    const browser = server.createClient()
    await check(browser)
    expect(await redeemed(await signUpWith(browser))).toMatchObject({ code })
  })

  it('AUT-09 a code that does not exist is refused before the mail; a stale cookie is not', async () => {
    const { asked } = await signUpWith(server.createClient(), 'NOSUCHCODE')
    expect([asked.status, asked.body.error.fields]).toEqual([
      422,
      { referralCode: 'Invalid referral code' },
    ])
    const browser = server.createClient()
    browser.cookies.set('onecut_referral', 'NOSUCHCODE')
    expect(await redeemed(await signUpWith(browser))).toBeNull()
  })

  it('REF-07 happens once, and the first code stays', async () => {
    const friend = await newPerson()
    const first = await redeem(friend.client)
    expect(first.status).toBe(201)
    expect((await redeem(friend.client)).body).toEqual(first.body)
    const another = newCode()
    await makeCode(owner.client, another)
    const second = await redeem(friend.client, another)
    expect([...refusal(second), words(second)]).toEqual([
      409,
      'referrals/already-redeemed',
      'You have already redeemed a referral code.',
    ])
    expect(await redemptions(owner)).toHaveLength(1)
  })

  it('LIF-06 the own code is refused, under any spelling of the address', async () => {
    const sentence = 'You cannot redeem your own referral code.'
    for (const answer of [await check(owner.client), await redeem(owner.client)])
      expect([...refusal(answer), words(answer)]).toEqual([422, 'referrals/own-code', sentence])
    const name = `mara${crypto.randomUUID().slice(0, 8)}`
    const me = await newPerson(`${name}@gmail.com`)
    const mine = newCode()
    await makeCode(me.client, mine)
    for (const spelling of [
      `${name.slice(0, 4)}.${name.slice(4)}@gmail.com`,
      `${name}@googlemail.com`,
    ]) {
      const again = await signUpWith(server.createClient(), mine, spelling)
      expect(await redeemed(again)).toBeNull()
      expect(refusal(await redeem(again.client, mine))).toEqual([422, 'referrals/own-code'])
    }
    expect(await redemptions(me)).toEqual([])
  })

  it('LIF-06 only a new person does: one account, no subscription, here after the owner', async () => {
    const subscriber = await newPerson()
    await subscribe(subscriber)
    const late = await check(subscriber.client)
    expect([...refusal(late), words(late)]).toEqual([
      422,
      'referrals/not-new',
      'Referral codes are for new subscribers, and you have subscribed before.',
    ])
    const friend = await newPerson()
    const theirs = newCode()
    await makeCode(friend.client, theirs)
    const older = await redeem(owner.client, theirs)
    expect(words(older)).toBe(
      'You were here before the person who made this code, so it is not for you.',
    )
    const [name = ''] = friend.email.split('@')
    const double = await newPerson(`${name.replaceAll('-', '.-')}@example.com`)
    const twice = await redeem(double.client)
    expect(words(twice)).toBe(
      'Referral codes are for new people, and this mailbox has another account.',
    )
    const unknown = await redeem(friend.client, 'NOSUCHCODE')
    expect(refusal(unknown)).toEqual([404, 'referrals/not-found'])
  })
})

describe('an owner who is not in good standing', () => {
  const owned = () => ({ name: owner.email })
  it('REF-07 AUT-09 a code of a locked account is not valid, until the lock is taken off', async () => {
    const friend = await newPerson()
    await lockAccount(server.deps, owned())
    const unknown = await check(friend.client, 'NOSUCHCODE')
    for (const answer of [
      await check(server.createClient()),
      await check(friend.client),
      await redeem(friend.client),
    ])
      expect([answer.status, answer.body]).toEqual([404, unknown.body])
    const { asked } = await signUpWith(server.createClient(), code)
    expect([asked.status, asked.body.error.fields]).toEqual([
      422,
      { referralCode: 'Invalid referral code' },
    ])
    expect(await redeemed(friend)).toBeNull()
    await unlockAccount(server.deps, owned())
    expect((await redeem(friend.client)).status).toBe(201)
  })

  it('REF-07 a code that was invited with is not redeemed once its owner is locked', async () => {
    const browser = server.createClient()
    await check(browser)
    await lockAccount(server.deps, owned())
    expect(await redeemed(await signUpWith(browser))).toBeNull()
  })

  it('REF-07 a locked owner gets no reward, and the friend keeps theirs', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await lockAccount(server.deps, owned())
    await subscribe(friend)
    expect(await rewardsOf(friend.userId)).toEqual([1900])
    now += 14 * DAY_MS
    await tickPayments(server.deps)
    await unlockAccount(server.deps, owned())
    now += DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    owner = await again(owner)
    expect(await redemptions(owner)).toMatchObject([
      { rewardedAt: null, rewardWaitsUntil: null, noReward: 'owner-not-in-standing' },
    ])
  })

  it('REF-07 a deleted owner gets no reward, and the code is not valid', async () => {
    let friend: SignedUp = await signUpWith(server.createClient(), code)
    await owner.client.post('/v1/users/me/deletion', { email: owner.email })
    now += 14 * 86_400_000
    await eraseAccounts(server.deps)
    friend = await again(friend)
    await subscribe(friend)
    now += 14 * DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    expect(await rewardsOf(friend.userId)).toEqual([1900])
    expect(refusal(await check(server.createClient()))).toEqual([404, 'referrals/not-found'])
  })
})

describe('the reward', () => {
  it('REF-07 gives the friend 1,900 tokens for a month at once, and the owner after 14 days', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    expect(await balance(friend.client)).toBe(1000 + 1900 + 1900)
    const paidAt = Date.parse((await monthOf(friend)).paidAt)
    const waits = {
      code,
      rewardSlug: 'tokens-1900-one-month',
      rewardedAt: null,
      rewardWaitsUntil: new Date(paidAt + 14 * DAY_MS).toISOString(),
    }
    expect(await redemptions(owner)).toMatchObject([waits])
    expect(await redeemed(friend)).toMatchObject({ rewardWaitsUntil: null })
    expect((await redeemed(friend))?.rewardedAt).not.toBeNull()
    now = paidAt + 14 * DAY_MS - 1
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    expect(await redemptions(owner)).toMatchObject([waits])
    now += 1
    await Promise.all(Array.from({ length: 3 }, () => tickPayments(server.deps)))
    expect(await rewardsOf(owner.userId)).toEqual([1900])
    const [row] = await redemptions(owner)
    expect(row).toMatchObject({
      rewardedAt: new Date(now).toISOString(),
      rewardWaitsUntil: null,
      noReward: null,
    })
    const { wallets } = (
      await owner.client.get<{ wallets: components['schemas']['Wallet'][] }>('/v1/wallets')
    ).body
    expect(wallets[0]?.expiringLots.at(-1)?.expiresAt).toBe(
      new Date(addMonths(now, 1)).toISOString(),
    )
    now += 32 * DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([1900])
    expect(await redemptions(await again(owner))).toEqual([row])
  })

  it('REF-07 the owner gets theirs sooner when the month is used for edits that are made', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    const look = async (): Promise<number[]> => {
      now += 3_600_000
      await tickPayments(server.deps)
      return await rewardsOf(owner.userId)
    }
    await spend(friend, 4500)
    expect(await look()).toEqual([])
    // The last tokens: none is left to withdraw, but what is not made yet may still come back.
    await spend(friend, 300)
    expect((await monthOf(friend)).withdrawableUntil).toBeNull()
    expect(await look()).toEqual([])
    const jobs = server.deps.db
      .select({ id: mediaJobs.id })
      .from(mediaJobs)
      .where(eq(mediaJobs.userId, friend.userId))
    await server.deps.db
      .update(mediaJobTasks)
      .set({ status: 'succeeded' })
      .where(inArray(mediaJobTasks.mediaJobId, jobs))
    expect(await look()).toEqual([1900])
    expect(await look()).toEqual([1900])
  })

  it('REF-07 a withdrawal and the owner at the same time: never both', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    const { _id, paidAt } = await monthOf(friend)
    // The last call in time is held back until the owner is looked at.
    const read = server.deps.payments.readPayment
    let isHeld = true
    vi.spyOn(server.deps.payments, 'readPayment').mockImplementation(async (id) => {
      const facts = await read(id)
      if (isHeld) {
        isHeld = false
        now = Date.parse(paidAt) + 14 * DAY_MS - 1000
        await tickPayments(server.deps)
      }
      return facts
    })
    now = Date.parse(paidAt) + 14 * DAY_MS - 2000
    const { status } = await friend.client.post(`/v1/payments/${_id}/withdraw`)
    vi.restoreAllMocks()
    expect(status).toBe(200)
    now += 10_000
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    expect(await redemptions(owner)).toMatchObject([{ rewardedAt: null, rewardWaitsUntil: null }])
  })

  it('REF-07 the owner waits on while the month is disputed, and gets none when it is lost', async () => {
    const [won, lost] = [
      await signUpWith(server.createClient(), code),
      await signUpWith(server.createClient(), code),
    ]
    const sessions = [await subscribe(won), await subscribe(lost)]
    for (const [index, friend] of [won, lost].entries())
      await payer(friend.client).press(sessions[index]!, 'dispute', 'once')
    await settleNotices(server)
    now += 15 * DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    await payer((await again(won)).client).press(sessions[0]!, 'dispute-won', 'once')
    await payer((await again(lost)).client).press(sessions[1]!, 'dispute-lost', 'once')
    await settleNotices(server)
    now += DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([1900])
  })

  it('REF-07 a card brings one reward, also at the same time, and none by the card of the owner', async () => {
    const friends = [
      await signUpWith(server.createClient(), code),
      await signUpWith(server.createClient(), code),
    ]
    const sessions = await Promise.all(friends.map(({ client }) => payer(client).subscribe()))
    for (const [index, { client }] of friends.entries())
      await payer(client).press(sessions[index]!, 'pay', 'never', 'a')
    now += 6000
    await Promise.all(friends.map(({ client }, index) => payer(client).look(sessions[index]!)))
    const got = await Promise.all(friends.map(({ userId }) => rewardsOf(userId)))
    expect(got.flat()).toEqual([1900])
    await subscribe(owner, 'pay', 'b')
    const self = await signUpWith(server.createClient(), code)
    await subscribe(self, 'pay', 'b')
    expect(await redeemed(self)).toMatchObject({ rewardedAt: null, noReward: 'card-known' })
    expect(await balance(self.client)).toBe(1000 + 1900)
    now += 14 * DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([1900])
  })

  it('REF-07 waits while the first payment is on its way', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend, 'pay-late')
    expect((await redemptions(owner))[0]).toMatchObject({ rewardedAt: null })
    expect(await balance(owner.client)).toBe(1000)
  })

  it.each([
    ['refunded', ['refund-all']],
    ['lost in a dispute', ['dispute', 'dispute-lost']],
  ])('REF-07 both rewards go back once when the first month is %s', async (_, presses) => {
    let friend: SignedUp = await signUpWith(server.createClient(), code)
    const session = await subscribe(friend)
    now += 14 * DAY_MS
    await tickPayments(server.deps)
    ;[owner, friend] = [await again(owner), await again(friend)]
    expect(await rewardsOf(owner.userId)).toEqual([1900])
    for (const press of presses) await payer(friend.client).press(session, press, 'twice')
    await settleNotices(server)
    await settleNotices(server)
    expect(await balance(owner.client)).toBe(0)
    expect(await balance(friend.client)).toBe(0)
    const [row] = await redemptions(owner)
    expect(row?.rewardedAt).not.toBeNull()
    expect(row?.reversedAt).toBe(new Date(now).toISOString())
  })

  it('REF-07 a month that is withdrawn takes the reward back, and brings the owner none', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    const { _id } = await monthOf(friend)
    expect((await friend.client.post(`/v1/payments/${_id}/withdraw`)).status).toBe(200)
    expect(await balance(friend.client)).toBe(1000)
    now += 15 * DAY_MS
    await tickPayments(server.deps)
    expect(await rewardsOf(owner.userId)).toEqual([])
    expect(await redemptions(await again(owner))).toMatchObject([
      { rewardedAt: null, rewardWaitsUntil: null, reversedAt: expect.any(String) as string },
    ])
  })

  it('LIF-04 tokens spent of the reward count as used of the month that brought it', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    const month = async () =>
      (await friend.client.get<{ payments: Payment[] }>('/v1/payments')).body.payments[0]
    // All of the trial, and 1,700 of the reward.
    await spend(friend, 2700)
    expect(await month()).toMatchObject({ withdrawableCoinAmount: 200, withdrawableCents: 200 })
    const withdraw = `/v1/payments/${(await month())?._id}/withdraw`
    expect((await friend.client.post(withdraw)).status).toBe(200)
    expect(await month()).toMatchObject({ state: 'partly-refunded', refundedCents: 200 })
    // The rest of the month has paid for what was spent of the reward: nothing is left, nor owed.
    const { wallets } = (
      await friend.client.get<{ wallets: components['schemas']['Wallet'][] }>('/v1/wallets')
    ).body
    expect(wallets[0]).toMatchObject({ coinBalance: 0, expiringLots: [] })
    expect(await balance(owner.client)).toBe(1000)
  })

  it('LIF-04 a month whose reward was spent is not given back', async () => {
    const friend = await signUpWith(server.createClient(), code)
    await subscribe(friend)
    await spend(friend, 3000)
    const { payments } = (await friend.client.get<{ payments: Payment[] }>('/v1/payments')).body
    expect(payments).toMatchObject([{ withdrawableUntil: null, withdrawableCoinAmount: 0 }])
    const answer = await friend.client.post<Refused>(`/v1/payments/${payments[0]?._id}/withdraw`)
    expect(refusal(answer)).toEqual([409, 'payments/not-withdrawable'])
    expect(await balance(friend.client)).toBe(1800)
  })

  it('a person without a code gets none', async () => {
    const friend = await newPerson()
    await subscribe(friend)
    expect(await balance(friend.client)).toBe(1000 + 1900)
  })
})

it('LIF-10 the books of all these rewards agree', async () => {
  expect((await auditLedger(server.deps)).differences).toEqual([])
})

it('no call of this suite ended in an unexpected failure', () => {
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
