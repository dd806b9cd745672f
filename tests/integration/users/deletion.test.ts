import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import {
  deletionLog,
  mails,
  users,
  wallets,
  walletSubscriptions,
  walletTransactions,
} from '#server/db/schema.ts'
import { settleSession } from '#server/operations/commerce/payments/settle-session.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attestation, balance, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { payer, settleNotices } from '#tests/setup/payments.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadFile } from '#tests/setup/upload.ts'

const DELETION = '/v1/users/me/deletion'
const DAY_MS = 86_400_000

let server: TestServer
let dir: string
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-deletion-'))
  await makeClip(join(dir, 'clip.mp4'), 2)
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  now += 3_700_000
  me = await server.signUp()
})

const ask = ({ client, email }: SignedUp) => client.post<{ deletion: unknown }>(DELETION, { email })
const makeCode = async ({ client }: SignedUp, code: string): Promise<number> =>
  (
    await client.post('/v1/payments/referral-codes', {
      referralCode: { code, isAtLeast18: true },
    })
  ).status
const status = async (client: TestClient): Promise<number> =>
  (await client.get('/v1/users/me')).status
const afterDays = (days: number): void => {
  now += days * DAY_MS
}
async function logIn(email: string): Promise<TestClient> {
  now += 3_700_000
  const client = server.createClient()
  const user = { email }
  await client.post('/v1/auth/magic-link/login', {
    user,
    captchaToken: humanToken,
    redirectUri: '/',
  })
  const code = /^\s+(\d{6})$/m.exec((await server.lastMail(email))?.text ?? '')?.[1]
  await client.post('/v1/auth/magic-link/code', { email, code })
  return client
}

/** An upload that was checked, an edit that was paid and rendered, an asset, an unpaid order. */
async function work({ client }: SignedUp): Promise<void> {
  const upload = await uploadFile(client, join(dir, 'clip.mp4'))
  const check = { uploadRequestId: upload._id, signal: AbortSignal.timeout(patience(30)) }
  await validateUpload(server.deps, check)
  const job = await requestEdits(client, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await payFor(client, job._id)
  const stop = AbortSignal.timeout(patience(30))
  await renderTask(server.deps, { taskId: job.tasks[0]?._id ?? '', stop })
  const open = await beginUpload(client, 1000)
  const unpaid = await requestEdits(client, open._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  const placed = await client.post('/v1/orders', { order: { mediaJobId: unpaid._id, attestation } })
  expect(placed.status).toBe(201)
}

/** The ids by which the store names what the person has. */
async function storedIdsOf({ userId }: SignedUp): Promise<string[]> {
  const { rows } = await server.deps.db.execute<{ id: string }>(
    sql`select id from upload_requests where user_id = ${userId}
      union select t.id from media_job_tasks t join media_jobs j on j.id = t.media_job_id where j.user_id = ${userId}`,
  )
  return rows.map(({ id }) => id)
}

async function filesOf(ids: readonly string[]): Promise<string[]> {
  const store = join(server.deps.settings.dataDir, 'store')
  const entries = await readdir(store, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => ids.some((id) => path.includes(id)))
}

/** Rows of each table that name the person, by any column that holds an id of a user. */
async function rowsOf({ userId, email }: SignedUp): Promise<Record<string, number>> {
  const { rows: columns } = await server.deps.db.execute<{ table: string; column: string }>(
    sql`select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('user_id', 'referee_user_id', 'email', 'recipient')`,
  )
  const counts: Record<string, number> = {}
  for (const { table, column } of columns) {
    const value = column === 'email' || column === 'recipient' ? email : userId
    const { rows } = await server.deps.db.execute<{ count: string }>(
      sql`select count(*) from ${sql.identifier(table)} where ${sql.identifier(column)}::text = ${value}`,
    )
    if (Number(rows[0]?.count) > 0) counts[table] = Number(rows[0]?.count)
  }
  return counts
}
const userRow = async (id: string) =>
  (await server.deps.db.select().from(users).where(eq(users.id, id)))[0]

it('LIF-01 only the own address deletes an account', async () => {
  for (const email of ['other@example.com', `x${me.email}`]) {
    const refused = await me.client.post<{ error: { fields: unknown } }>(DELETION, { email })
    expect([refused.status, refused.body.error.fields]).toEqual([
      422,
      { email: 'This is not the address of your account' },
    ])
  }
  expect(await status(me.client)).toBe(200)
})

it('LIF-01 deleting signs every device out, says until when, and signing in takes it back', async () => {
  const phone = await logIn(me.email)
  const answer = await me.client.post(DELETION, { email: me.email.toUpperCase() })
  const deletesAt = new Date(now + 14 * DAY_MS).toISOString()
  expect([answer.status, answer.body]).toEqual([200, { deletion: { deletesAt } }])
  expect([await status(me.client), await status(phone)]).toEqual([401, 401])
  expect((await server.lastMail(me.email))?.text).toContain('It will be deleted on')
  afterDays(13)
  await eraseAccounts(server.deps)
  const back = await logIn(me.email)
  expect(await status(back)).toBe(200)
  const told = await server.deps.db
    .select({ subject: mails.subject })
    .from(mails)
    .where(eq(mails.recipient, me.email))
  expect(told).toContainEqual({ subject: 'Your Onecut account stays' })
  afterDays(30)
  await eraseAccounts(server.deps)
  expect((await userRow(me.userId))?.email).toBe(me.email)
  expect(await status(back)).toBe(200)
})

it('TRU-08 after 14 days no file, no address and no row is left but the books', async () => {
  await work(me)
  const person = payer(me.client)
  const session = await person.buy(2000)
  await person.press(session, 'pay')
  await person.look(session)
  const code = `GONE${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  expect(await makeCode(me, code)).toBe(201)
  const ids = await storedIdsOf(me)
  expect((await filesOf(ids)).length).toBeGreaterThan(3)
  expect((await ask(me)).status).toBe(200)
  afterDays(14)
  await eraseAccounts(server.deps)
  expect(await filesOf(ids)).toEqual([])
  const lines = await server.deps.db
    .select()
    .from(deletionLog)
    .where(eq(deletionLog.userId, me.userId))
  expect(new Set(lines.map(({ what }) => what))).toEqual(new Set(['source', 'picture', 'results']))
  for (const line of lines)
    expect(line).toMatchObject({ reason: 'account', begunAt: new Date(now), doneAt: new Date(now) })
  expect(await rowsOf(me)).toEqual({
    wallets: 1,
    checkout_sessions: 1,
    payments: 1,
    orders: 1,
    deletion_log: lines.length,
  })
  expect(await userRow(me.userId)).toMatchObject({
    email: `deleted-${me.userId}@invalid`,
    profession: null,
    erasedAt: new Date(now),
  })
  const ledger = await server.deps.db.execute<{ kind: string }>(
    sql`select t.kind from wallet_transactions t join wallets w on w.id = t.wallet_id where w.user_id = ${me.userId} order by t.created_at`,
  )
  expect(ledger.rows.map(({ kind }) => kind)).toEqual(['trial-grant', 'order-payment', 'purchase'])
  const items = await server.deps.db.execute(
    sql`select i.id from order_line_items i join orders o on o.id = i.order_id where o.user_id = ${me.userId}`,
  )
  expect(items.rows).toHaveLength(1)
})

it('LIF-01 a deletion that is cut off at any step is finished by the next minute', async () => {
  const people: SignedUp[] = []
  for (let cutAt = 1; ; cutAt += 1) {
    now += 3_700_000
    const person = await server.signUp()
    people.push(person)
    await beginUpload(person.client, 1000)
    await payer(person.client).buy(2000)
    await ask(person)
    afterDays(14)
    const cut = cutOff(server.deps, cutAt)
    await eraseAccounts(cut.deps)
    if (!cut.wasCut()) break
  }
  // Each step was cut once: the transaction before, each call to the store, the transaction after.
  expect(people.length).toBeGreaterThan(5)
  await eraseAccounts(server.deps)
  for (const person of people) {
    expect(await rowsOf(person)).toEqual({ wallets: 1, checkout_sessions: 1 })
    expect((await userRow(person.userId))?.erasedAt).not.toBeNull()
  }
  await eraseAccounts(server.deps)
})

/** A server that dies at its nth transaction or call to the store: nothing after it happens. */
function cutOff(deps: Deps, nth: number): { deps: Deps; wasCut: () => boolean } {
  let calls = 0
  const guard = <T extends object>(target: T, isStep: (name: string) => boolean): T =>
    new Proxy(target, {
      get: (on, name) => {
        const value: unknown = Reflect.get(on, name)
        if (typeof value !== 'function') return value
        return (...input: unknown[]) => {
          if (isStep(String(name))) calls += 1
          if (isStep(String(name)) && calls >= nth) throw new Error('killed')
          return Reflect.apply(value, on, input) as unknown
        }
      },
    })
  return {
    deps: {
      ...deps,
      db: guard(deps.db, (name) => name === 'transaction'),
      store: guard(deps.store, () => true),
    },
    wasCut: () => calls >= nth,
  }
}

it('LIF-01 an edit that is just being made is waited for', async () => {
  const upload = await uploadFile(me.client, join(dir, 'clip.mp4'))
  const job = await requestEdits(me.client, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  const taskId = job.tasks[0]?._id ?? ''
  await server.deps.db.execute(
    sql`update media_job_tasks set status = 'started', started_at = now() where id = ${taskId}`,
  )
  const lease = await takeLease(server.deps, { taskId })
  await ask(me)
  afterDays(14)
  await eraseAccounts(server.deps)
  expect(await userRow(me.userId)).toMatchObject({
    email: `deleted-${me.userId}@invalid`,
    erasedAt: null,
  })
  await lease?.release()
  await eraseAccounts(server.deps)
  expect((await userRow(me.userId))?.erasedAt).not.toBeNull()
  expect(await rowsOf(me)).toEqual({ wallets: 1, deletion_log: 1 })
})

it('SUB-06 deleting cancels the subscription, also one that was paid after the request', async () => {
  const person = payer(me.client)
  const session = await person.subscribe()
  await person.press(session, 'pay', 'once')
  await settleNotices(server)
  await ask(me)
  const back = payer(await logIn(me.email))
  expect(await back.subscriptions()).toMatchObject([{ status: 'canceling' }])

  const late = await server.signUp()
  const begun = await payer(late.client).subscribe()
  const paying = server.createClient()
  for (const [name, value] of late.client.cookies) paying.cookies.set(name, value)
  await payer(paying).press(begun, 'pay', 'never')
  await ask(late)
  await settleSession(server.deps, { providerSessionId: begun._id })
  afterDays(14)
  await eraseAccounts(server.deps)
  const { rows } = await server.deps.db.execute<{ status: string }>(
    sql`select status from wallet_subscriptions where user_id = ${late.userId}`,
  )
  expect(rows).toEqual([{ status: 'canceling' }])
  const kept = { wallets: 1, checkout_sessions: 1, wallet_subscriptions: 1, payments: 1 }
  expect(await rowsOf(late)).toEqual(kept)
  await settleSession(server.deps, { providerSessionId: begun._id })
  expect(await rowsOf(late)).toEqual(kept)
})

const subscriptionsOf = ({ userId }: SignedUp) =>
  server.deps.db.select().from(walletSubscriptions).where(eq(walletSubscriptions.userId, userId))

async function subscribed() {
  const person = payer(me.client)
  const session = await person.subscribe()
  await person.press(session, 'pay')
  await person.look(session)
  return { person, session }
}

it('SUB-06 deleting ends a subscription at once when a month of it is not paid', async () => {
  const { person, session } = await subscribed()
  await person.press(session, 'renewals-fail')
  const [subscription] = await person.subscriptions()
  now = Date.parse(subscription?.expiresAt ?? '') + 60_000
  await tickPayments(server.deps)
  expect(await person.subscriptions()).toMatchObject([{ status: 'payment-problem' }])
  expect((await ask(me)).status).toBe(200)
  expect(await subscriptionsOf(me)).toMatchObject([{ status: 'expired', endedAt: new Date(now) }])
})

it.each<[string, { provider: string } | { providerSubscriptionId: string }]>([
  ['that the provider does not know', { providerSubscriptionId: 'gone' }],
  ['of a provider that this server has no more', { provider: 'stripe' }],
])('LIF-01 a subscription %s does not keep an account from its end', async (_which, change) => {
  await subscribed()
  await server.deps.db
    .update(walletSubscriptions)
    .set(change)
    .where(eq(walletSubscriptions.userId, me.userId))
  const before = server.logged.length
  expect((await ask(me)).status).toBe(200)
  expect(server.logged.slice(before).map(({ level }) => level)).toContain('error')
  afterDays(14)
  await eraseAccounts(server.deps)
  expect((await userRow(me.userId))?.erasedAt).not.toBeNull()
})

it('LIF-01 accounts that always fail keep no other waiting, and their values out of the log', async () => {
  // The address that they get when they are closed is taken.
  await server.deps.db.execute(sql`
    with stuck as (
      insert into users (id, email, trial_ends_at, created_at, deletion_requested_at)
      select gen_random_uuid(), 'stuck-' || n || '@example.com', now(), now(),
        ${new Date(now - DAY_MS).toISOString()}::timestamptz
      from generate_series(1, 100) n returning id
    )
    insert into users (id, email, trial_ends_at, created_at)
    select gen_random_uuid(), 'deleted-' || id || '@invalid', now(), now() from stuck`)
  await ask(me)
  afterDays(14)
  const before = server.logged.length
  await eraseAccounts(server.deps)
  expect((await userRow(me.userId))?.erasedAt).toBeNull()
  await eraseAccounts(server.deps)
  expect((await userRow(me.userId))?.erasedAt).not.toBeNull()
  const logged = JSON.stringify(server.logged.slice(before))
  expect(logged).toContain('account/not-erased')
  expect(logged).not.toContain('@invalid')
  await server.deps.db.execute(sql`delete from users where email like 'stuck-%'`)
})

it('AUT-10 a mailbox whose account was deleted gets no second 1,000 tokens and no trial', async () => {
  const email = `mara.${crypto.randomUUID()}@example.com`
  now += 3_700_000
  const first = await server.signUp(email)
  expect(await balance(first.client)).toBe(1000)
  await ask(first)
  afterDays(14)
  await eraseAccounts(server.deps)
  for (const again of [email, email.replace('mara.', 'ma.ra')]) {
    now += 3_700_000
    const second = await server.signUp(again)
    expect(second.userId).not.toBe(first.userId)
    expect(await balance(second.client)).toBe(0)
    const me = await second.client.get<{ flags: { isInTrial: boolean } }>('/v1/users/me')
    expect(me.body.flags.isInTrial).toBe(false)
  }
})

it('REF-07 a person who comes back after deleting redeems no code, and the codes of a deleted account are gone', async () => {
  const code = `BACK${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  expect(await makeCode(me, code)).toBe(201)
  now += 3_700_000
  const friend = await server.signUp()
  await ask(friend)
  afterDays(14)
  await eraseAccounts(server.deps)
  now += 3_700_000
  const back = await server.signUp(friend.email)
  const redeem = (client: TestClient) =>
    client.post<{ error: { code: string; message: string } }>(
      '/v1/payments/referral-code-redemption',
      {
        referralCode: { code, isAtLeast18: true },
      },
    )
  expect((await redeem(back.client)).body.error).toMatchObject({
    code: 'referrals/not-new',
    message: 'Referral codes are for new people, and this mailbox had an account before.',
  })
  const owner = await logIn(me.email)
  await owner.post(DELETION, { email: me.email })
  afterDays(14)
  await eraseAccounts(server.deps)
  now += 3_700_000
  expect((await redeem((await server.signUp()).client)).body.error.code).toBe('referrals/not-found')
})

it('ORD-06 money for an order of a deleted account is booked as tokens', async () => {
  const upload = await beginUpload(me.client, 1000)
  const job = await requestEdits(me.client, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  const placed = await me.client.post<{ order: { _id: string } }>('/v1/orders', {
    order: { mediaJobId: job._id, attestation },
  })
  const person = payer(me.client)
  const session = await person.buy(100, placed.body.order._id)
  await person.press(session, 'pay', 'never')
  await ask(me)
  afterDays(14)
  await eraseAccounts(server.deps)
  now += 3_700_000
  await settleSession(server.deps, { providerSessionId: session._id })
  const [purchase] = await server.deps.db
    .select({ coinAmount: walletTransactions.coinAmount })
    .from(walletTransactions)
    .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
    .where(and(eq(wallets.userId, me.userId), eq(walletTransactions.kind, 'purchase')))
  expect(purchase?.coinAmount).toBe(100)
  expect(await server.lastMail(`deleted-${me.userId}@invalid`)).toBeNull()
})
