import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  lotSpends,
  mails,
  mediaJobs,
  mediaJobTasks,
  notices,
  orders,
  uploadParts,
  uploadRequests,
  users,
  wallets,
} from '#server/db/schema.ts'
import { inTransaction } from '#server/context.ts'
import { grant } from '#server/operations/core/ledger/book.ts'
import { reviewWaitsMail } from '#server/mail/notice-mails.ts'
import { sendNotices } from '#server/operations/accounts/notices/send.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const HOUR_MS = 3_600_000
let server: TestServer
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  // Nothing works in the background, so that each look is the test's own.
  server = await startTestServer({ clock: () => new Date(now), env: { ONECUT_ROLE: 'api' } })
})
afterAll(async () => {
  await server.stop()
})

async function newPerson(): Promise<SignedUp & { readonly email: string }> {
  now += 2 * HOUR_MS
  const person = await server.signUp()
  const [user] = await server.deps.db.select().from(users).where(eq(users.id, person.userId))
  return { ...person, email: user?.email ?? '' }
}

/** Mails of notices to a person, oldest first. */
async function noticesTo(email: string) {
  const rows = await server.deps.db
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(mails.id)
  return rows.filter(({ unsubscribeUrl }) => unsubscribeUrl !== null)
}

/** A job whose tasks have ended in these ways, now. */
async function endJob(
  userId: string,
  ...ends: readonly ('succeeded' | 'failed' | 'canceled')[]
): Promise<string> {
  const { db } = server.deps
  const { jobId, taskIds } = await storeJob(
    server.deps,
    userId,
    ends.map(() => 'still-pack'),
  )
  for (const [index, status] of ends.entries())
    await db
      .update(mediaJobTasks)
      .set({ status, endedAt: new Date(now) })
      .where(eq(mediaJobTasks.id, taskIds[index] ?? ''))
  await db
    .update(mediaJobs)
    .set({ workflowStartedAt: new Date(now), workflowEndedAt: new Date(now) })
    .where(eq(mediaJobs.id, jobId))
  return jobId
}

it('WAY-02 REC-26 each job that ends is told once, in neutral words, whatever runs twice or beside', async () => {
  const me = await newPerson()
  await endJob(me.userId, 'succeeded', 'succeeded', 'canceled')
  await endJob(me.userId, 'succeeded', 'failed', 'failed')
  await endJob(me.userId, 'failed')
  await Promise.all([sendNotices(server.deps), sendNotices(server.deps), sendNotices(server.deps)])
  await sendNotices(server.deps)
  const sent = await noticesTo(me.email)
  expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
    '1 of 3 edits are ready',
    'Your edits are ready',
    'Your order could not be completed',
  ])
  const all = sent.map(({ text, html }) => text + html).join('\n')
  expect(all).not.toMatch(/scene|still|teaser/i)
  expect(all).toContain(
    '2 edits could not be made, and the tokens for them are back in your wallet',
  )
  // Who asks for it is told which video, in the text alone.
  await me.client.patch(`/v1/${me.userId}/profile`, { userProfile: { mailsNameVideos: true } })
  const jobId = await endJob(me.userId, 'succeeded', 'failed')
  await server.deps.db
    .update(mediaJobs)
    .set({ name: 'Beach \u202e<b>day' })
    .where(eq(mediaJobs.id, jobId))
  await sendNotices(server.deps)
  const named = (await noticesTo(me.email)).at(-1)
  expect(named?.subject).toBe('1 of 2 edits are ready')
  expect(named?.text).toContain('1 edit of "Beach <b>day" can be downloaded now.')
  expect(named?.text).toContain('1 edit of "Beach <b>day" could not be made')
  expect(named?.html).toContain('&quot;Beach &lt;b&gt;day&quot;')
  expect(named?.html).not.toContain('<b>')
})

it('PHO-05 an account that is discreet gets every mail in plain words, also the one to log in', async () => {
  const me = await newPerson()
  await me.client.patch(`/v1/${me.userId}/profile`, {
    userProfile: { mailsNameVideos: true, discreet: true },
  })
  await endJob(me.userId, 'succeeded')
  await sendNotices(server.deps)
  const [told] = await noticesTo(me.email)
  expect(told?.subject).toBe('A message for you')
  expect(told?.text).toContain('1 edit of your order can be downloaded now.')
  expect(`${told?.text}${told?.html}`).not.toMatch(/onecut/i)
  await server.signUp(me.email)
  const all = await server.deps.db.select().from(mails).where(eq(mails.recipient, me.email))
  // Beside the mail to sign up, which came before.
  const later = all.filter(({ text }) => !text.includes('Confirm and sign in'))
  expect(later.map(({ subject }) => subject)).toEqual(Array(3).fill('A message for you'))
  expect(later.some(({ text }) => /\b\d{6}\b/.test(text))).toBe(true)
  expect(later.map(({ text, html }) => text + html).join('')).not.toMatch(/onecut/i)
})

it('WAY-02 REC-26 the mail leads to the order whose edits are ready, and to the library where none was made', async () => {
  const me = await newPerson()
  const jobIds = [await endJob(me.userId, 'succeeded'), await endJob(me.userId, 'succeeded')]
  const [paid, canceled] = [server.deps.newId(), server.deps.newId()]
  for (const [id, status, mediaJobId = ''] of [
    [paid, 'paid', jobIds[0]],
    [canceled, 'canceled', jobIds[1]],
  ] as const)
    await server.deps.db
      .insert(orders)
      .values({ id, userId: me.userId, mediaJobId, status, createdAt: new Date(now) })
  await sendNotices(server.deps)
  const texts = (await noticesTo(me.email)).map(({ text }) => text)
  expect(texts).toHaveLength(2)
  expect(texts.filter((text) => text.includes(`/uploads/orders/${paid}/checkout`))).toHaveLength(1)
  expect(
    texts.filter((text) => text.includes(`${server.deps.settings.publicOrigin}/edits`)),
  ).toHaveLength(1)
})

it('REC-26 a kill between notice and mail leaves neither, and the next look makes both', async () => {
  const me = await newPerson()
  const jobId = await endJob(me.userId, 'succeeded')
  const { queue } = server.deps
  const dying = {
    ...server.deps,
    queue: { ...queue, enqueue: () => Promise.reject(new Error('killed')) },
  }
  await expect(sendNotices(dying)).rejects.toThrow('killed')
  expect(await noticesTo(me.email)).toEqual([])
  expect(await server.deps.db.select().from(notices).where(eq(notices.cause, jobId))).toEqual([])
  await sendNotices(server.deps)
  expect((await noticesTo(me.email)).map(({ subject }) => subject)).toEqual(['Your edit is ready'])
})

it('REC-26 what ended more than a day ago is no news, and an edit that is tried again tells no second time', async () => {
  const me = await newPerson()
  const old = await endJob(me.userId, 'succeeded')
  now += 25 * HOUR_MS
  const jobId = await endJob(me.userId, 'failed')
  await sendNotices(server.deps)
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'succeeded' })
    .where(eq(mediaJobTasks.mediaJobId, jobId))
  await sendNotices(server.deps)
  expect(await noticesTo(me.email)).toHaveLength(1)
  expect(await server.deps.db.select().from(notices).where(eq(notices.cause, old))).toEqual([])
})

it('REC-26 edits that wait for a review are told of together, once', async () => {
  const me = await newPerson()
  const { db } = server.deps
  const { taskIds } = await storeJob(server.deps, me.userId, [
    'still-pack',
    'still-pack',
    'still-pack',
  ])
  for (const taskId of taskIds.slice(0, 2))
    await db
      .update(mediaJobTasks)
      .set({ reviewState: 'waiting', reviewAskedAt: new Date(now) })
      .where(eq(mediaJobTasks.id, taskId))
  await sendNotices(server.deps)
  await sendNotices(server.deps)
  const told = await noticesTo(me.email)
  expect(told.map(({ subject }) => subject)).toEqual(['2 edits are waiting for you'])
  // They wait for ever on this server, and for thirty days on another.
  const ends = 'Without a look, the edit is cancelled then'
  expect(told[0]?.text).not.toContain(ends)
  const to = { to: me.email, origin: 'https://onecut.test', unsubscribeUrl: 'https://onecut.test' }
  expect(reviewWaitsMail(to, { edits: 2, keptDays: 30, names: [] }).text).toContain(ends)
  expect(reviewWaitsMail(to, { edits: 4, keptDays: null, names: [...'ABCD'] }).text).toContain(
    '4 edits of "A", "B", "C" and 1 more video can go on',
  )
})

it('REC-26 uploads that stand still for a day are told of together, once', async () => {
  const me = await newPerson()
  const { db } = server.deps
  for (const hoursAgo of [25, 30, 3]) {
    const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
    await db.update(uploadRequests).set({ state: 'open' }).where(eq(uploadRequests.id, uploadId))
    await db.insert(uploadParts).values({
      uploadRequestId: uploadId,
      partNumber: 1,
      sizeBytes: 10,
      eTag: 'x',
      storedAt: new Date(now - hoursAgo * HOUR_MS),
    })
  }
  await sendNotices(server.deps)
  await sendNotices(server.deps)
  expect((await noticesTo(me.email)).map(({ subject }) => subject)).toEqual([
    '2 uploads are waiting for you',
  ])
})

it('REC-26 the last day of the trial is told once, and not to subscribers or a server without payments', async () => {
  const me = await newPerson()
  const [user] = await server.deps.db.select().from(users).where(eq(users.id, me.userId))
  now = (user?.trialEndsAt.getTime() ?? 0) - 12 * HOUR_MS
  await sendNotices({ ...server.deps, settings: { ...server.deps.settings, takesPayments: false } })
  expect(await noticesTo(me.email)).toEqual([])
  await sendNotices({ ...server.deps, settings: { ...server.deps.settings, takesPayments: true } })
  await sendNotices({ ...server.deps, settings: { ...server.deps.settings, takesPayments: true } })
  expect((await noticesTo(me.email)).map(({ subject }) => subject)).toEqual([
    'Your free trial ends tomorrow',
  ])
})

it('REC-26 tokens that expire are told of three days before, once, as far as they are not spent', async () => {
  const me = await newPerson()
  const { db } = server.deps
  const [wallet] = await db.select().from(wallets).where(eq(wallets.userId, me.userId))
  const walletId = wallet?.id ?? ''
  const lot = (coinAmount: number, cause: string, days: number) =>
    inTransaction(server.deps, async (ctx) => {
      const expiresAt = new Date(now + days * 24 * HOUR_MS)
      const description = 'Monthly tokens'
      return await grant(ctx, {
        kind: 'subscription-grant',
        walletId,
        coinAmount,
        cause,
        description,
        expiresAt,
      })
    })
  const settings = { ...server.deps.settings, takesPayments: true }
  await lot(500, 'month', 4.55)
  const spent = await lot(300, 'spent', 4.6)
  await lot(200, 'rest', 4.7)
  await lot(900, 'later', 30)
  await db.insert(lotSpends).values({ spendId: spent.id, lotId: spent.id, coinAmount: 300 })
  now += 36 * HOUR_MS
  await sendNotices({ ...server.deps, settings })
  expect(await noticesTo(me.email)).toEqual([])
  now += 8 * HOUR_MS
  for (let time = 0; time < 2; time += 1) await sendNotices({ ...server.deps, settings })
  const [mail, ...others] = await noticesTo(me.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Tokens of yours expire in three days')
  expect(mail?.text).toContain('700 tokens that you have not spent expire from')
})

it('REC-26 one press ends mails of a kind without signing in; a visit, a changed link and other kinds end none', async () => {
  const me = await newPerson()
  await endJob(me.userId, 'succeeded')
  await sendNotices(server.deps)
  const url = new URL((await noticesTo(me.email))[0]?.unsubscribeUrl ?? '')
  const at = (token: string) => `${server.origin}${url.pathname}?token=${encodeURIComponent(token)}`
  const token = url.searchParams.get('token') ?? ''
  const offNow = async () =>
    (await me.client.get<{ userProfile: { mailsOff: string[] } }>(`/v1/users/${me.userId}/profile`))
      .body.userProfile.mailsOff
  const visit = await fetch(at(token))
  expect([visit.status, await visit.text()]).toEqual([
    200,
    expect.stringContaining('End these mails') as string,
  ])
  const changed = token.replace('edits-ready', 'trial-ends')
  expect((await fetch(at(changed), { method: 'POST' })).status).toBe(404)
  expect(await offNow()).toEqual([])
  for (let time = 0; time < 2; time += 1)
    expect(
      (await fetch(at(token), { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status,
    ).toBe(200)
  expect(await offNow()).toEqual(['edits-ready'])
  await endJob(me.userId, 'succeeded')
  await sendNotices(server.deps)
  expect(await noticesTo(me.email)).toHaveLength(1)
  await me.client.patch(`/v1/${me.userId}/profile`, { userProfile: { mailsOff: [] } })
  await endJob(me.userId, 'succeeded')
  await sendNotices(server.deps)
  expect(await noticesTo(me.email)).toHaveLength(2)
})
