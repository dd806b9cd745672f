import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { streamArchive } from '#server/media/archive.ts'
import { magicLinks, pushSubscriptions, sessions } from '#server/db/schema.ts'
import { fakeFinding } from '#tests/fakes/face-search.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { storeReview } from '#tests/integration/orders/stored-review.ts'
import { payFor } from '#tests/setup/order.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { unzip } from '#tests/setup/zip.ts'

const EXPORT = '/v1/users/me/export'

let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
})

/** What the archive of an account holds. */
async function download({ client }: SignedUp): Promise<Map<string, Buffer>> {
  const answer = await client.get(EXPORT)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="account-data-\d{4}-\d\d-\d\d\.zip"/,
  )
  return unzip(answer.bytes)
}
const parsed = (files: Map<string, Buffer>, name: string): unknown =>
  JSON.parse(files.get(`${name}.json`)?.toString('utf8') ?? 'missing')

it('TRU-08 takes everything along that is stored: lists in the shapes of the calls, receipts as PDF', async () => {
  const person = payer(me.client)
  const session = await person.buy(5000)
  await person.press(session, 'pay')
  await person.look(session)
  const { jobId, uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await payFor(me.client, jobId)
  const files = await download(me)
  expect(parsed(files, 'account')).toMatchObject({ user: { _id: me.userId, email: me.email } })
  expect(parsed(files, 'devices')).toHaveLength(1)
  expect(parsed(files, 'uploads')).toMatchObject([{ _id: uploadId }])
  expect(parsed(files, 'media-jobs')).toMatchObject([{ _id: jobId, name: 'scene' }])
  expect(parsed(files, 'orders')).toMatchObject([{ mediaJobId: jobId, isFullyPaid: true }])
  expect(parsed(files, 'payments')).toMatchObject([{ amountCents: 5000, coinAmount: 5000 }])
  expect(
    (parsed(files, 'wallet-transactions') as { kind: string }[]).map(({ kind }) => kind).toSorted(),
  ).toEqual(['order-payment', 'purchase', 'trial-grant'])
  expect(parsed(files, 'mails')).toMatchObject([
    { subject: 'Welcome to Onecut: confirm your address' },
    { subject: 'Your payment went through' },
  ])
  const receipts = [...files].filter(([name]) => name.startsWith('receipts/'))
  expect(receipts.map(([name]) => name)).toEqual([
    expect.stringMatching(/^receipts\/receipt-2026-\d{6}\.pdf$/),
    expect.stringMatching(/^receipts\/receipt-O-2026-\d{6}\.pdf$/),
  ])
  for (const [, pdf] of receipts) expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const readme = files.get('README.txt')?.toString()
  for (const name of files.keys())
    if (name !== 'README.txt') expect(readme).toContain(name.split('/')[0])
})

it('TRU-08 takes along which devices are told of news, without what opens them', async () => {
  now += 3_700_000
  const person = await server.signUp()
  const [session] = await server.deps.db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, person.userId))
  const sessionId = session?.id ?? ''
  await server.deps.db.insert(pushSubscriptions).values({
    id: v7(),
    userId: person.userId,
    sessionId,
    endpoint: 'https://push.example/opens-it',
    p256dh: 'opens-it',
    auth: 'opens-it',
    createdAt: new Date(now),
  })
  const files = await download(person)
  expect(parsed(files, 'push-subscriptions')).toEqual([
    { sessionId, service: 'push.example', createdAt: new Date(now).toISOString(), lastOkAt: null },
  ])
  expect(Buffer.concat([...files.values()]).toString('latin1')).not.toContain('opens-it')
})

it('TRU-08 takes along where faces were found, what was decided of them, and none of other people', async () => {
  now += 3_700_000
  const [person, other] = [await server.signUp(), await server.signUp()]
  const { id, uploadId } = await storeReview(server.deps, person.userId)
  await storeReview(server.deps, other.userId)
  const decisions = { uncovered: ['certain'], added: [], wholly: [] }
  const saved = await person.client.call('PUT', `/v1/media-job-tasks/${id}/faces`, {
    body: { faceReview: { basedOn: 0, decisions } },
  })
  expect(saved.status).toBe(200)
  const files = await download(person)
  expect(parsed(files, 'face-findings')).toEqual([
    { uploadRequestId: uploadId, foundAt: new Date(now).toISOString(), finding: fakeFinding },
  ])
  expect(parsed(files, 'face-reviews')).toEqual([
    { mediaJobTaskId: id, savedAt: new Date(now).toISOString(), decisions },
  ])
})

it('LIF-01 the archive holds no secrets and nothing of other people', async () => {
  now += 3_700_000
  const friend = await server.signUp()
  await storeJob(server.deps, friend.userId, ['still-pack'])
  now += 3_700_000
  const other = await server.signUp()
  const archive = Buffer.concat([...(await download(other)).values()]).toString('latin1')
  expect(archive).toContain(other.email)
  const [link] = await server.deps.db
    .select()
    .from(magicLinks)
    .where(eq(magicLinks.email, other.email))
  const [session] = await server.deps.db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, other.userId))
  for (const secret of [
    link?.tokenHash,
    link?.codeHash,
    session?.tokenHash,
    other.client.cookies.get('onecut_session'),
    friend.email,
    friend.userId,
  ]) {
    expect(secret).toMatch(/\w/)
    expect(archive).not.toContain(secret)
  }
})

it('LIF-01 a person gets five archives in an hour, and looking does not count', async () => {
  now += 3_700_000
  const busy = await server.signUp()
  expect((await busy.client.call('HEAD', EXPORT)).status).toBe(200)
  for (let count = 1; count <= 5; count += 1)
    expect([count, (await busy.client.get(EXPORT)).status]).toEqual([count, 200])
  const refused = await busy.client.get(EXPORT)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})

it('LIF-01 an archive that cannot be made whole breaks off', async () => {
  const archive = streamArchive(
    (async function* () {
      yield { name: 'first.txt', chunks: linesOf('first') }
      await Promise.reject(new Error('the database is away'))
    })(),
  )
  await expect(archive.toArray()).rejects.toThrow('the database is away')
})

it('LIF-01 nothing more is read for a download that its person ended', async () => {
  let read = 0
  const readFor = async function* (end: () => void) {
    for (;;) {
      read += 1
      yield { name: `${read}.txt`, chunks: linesOf('x'.repeat(100_000)) }
      if (read === 3) end()
    }
  }
  const archive: Readable = streamArchive(readFor(() => archive.destroy()))
  await expect(archive.toArray()).rejects.toThrow()
  expect(read).toBeLessThan(6)
})

async function* linesOf(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
