import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { Connection } from '#server/db/connection.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'
import {
  mediaJobs,
  mediaJobTasks,
  notices,
  pushes,
  pushSubscriptions,
  sessions,
} from '#server/db/schema.ts'
import { tellOfPaymentProblem } from '#server/operations/accounts/notices/payment-problem.ts'
import { sendNotices } from '#server/operations/accounts/notices/send.ts'
import {
  deliverPush,
  dropOldPushes,
  requeuePushes,
} from '#server/operations/accounts/pushes/deliver.ts'
import {
  createPushDevice,
  readVapid,
  startPushService,
  type PushServiceFake,
} from '#tests/fakes/push-service.ts'
import { createRandom, pickNumber, pickOne } from '#tests/faults/random.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginLife, type Life } from './dying-life.ts'

const HOUR_MS = 3_600_000
const SUBSCRIPTION = '/v1/users/me/push-subscription'
const KILLS = 15
/** A life has about as many: the look for notices, and one message. */
const STEPS = 22

let server: TestServer
let service: PushServiceFake
let address = '127.0.0.1'
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  service = await startPushService(() => address)
  // Nothing works in the background: each step is the test's own.
  server = await startTestServer({
    clock: () => new Date(now),
    reach: service.reach,
    env: { ONECUT_ROLE: 'api', ONECUT_PUSH_HOSTS: service.host },
  })
})
afterAll(async () => {
  await server.stop()
  await service.stop()
})
beforeEach(async () => {
  now += 48 * HOUR_MS
  address = '127.0.0.1'
  service.received.length = 0
  service.answers.length = 0
  await server.deps.db.execute(sql`delete from pgboss.job`)
  await server.deps.db.delete(pushSubscriptions)
})

type Device = ReturnType<typeof createPushDevice>
let deviceCount = 0
const newDevice = (): Device => createPushDevice(`${service.origin}/device/${(deviceCount += 1)}`)

interface Refusal {
  readonly error: { readonly code: string }
}

async function save({ client }: SignedUp, body: Device['body']) {
  return await client.call<Refusal>('PUT', SUBSCRIPTION, { body })
}

async function subscribe(person: SignedUp): Promise<Device> {
  const device = newDevice()
  expect((await save(person, device.body)).status).toBe(204)
  return device
}

/** A job whose edits have ended now. */
async function endJob(userId: string, edits = 1): Promise<string> {
  const presets = Array.from({ length: edits }, () => 'still-pack' as const)
  const { jobId } = await storeJob(server.deps, userId, presets)
  const endedAt = new Date(now)
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'succeeded', endedAt })
    .where(eq(mediaJobTasks.mediaJobId, jobId))
  await server.deps.db
    .update(mediaJobs)
    .set({ workflowStartedAt: endedAt, workflowEndedAt: endedAt })
    .where(eq(mediaJobs.id, jobId))
  return jobId
}

/** Delivers as the queue would: a message comes again until its handler ends well. */
async function deliverAll(ctx: Ctx = server.deps, life?: Life): Promise<void> {
  const { rows } = await server.deps.db.execute<{ id: string; data: { pushId: string } }>(
    sql`select id, data from pgboss.job where name = 'send-push' order by id`,
  )
  for (const { id, data } of rows) {
    await deliverPush(ctx, data)
    const forget = async () => {
      await server.deps.db.execute(sql`delete from pgboss.job where id = ${id}`)
    }
    await (life === undefined ? forget() : life.step(forget))
  }
}

interface Shown {
  readonly web_push: number
  readonly notification: {
    readonly title: string
    readonly navigate: string
    readonly data: { readonly userId: string; readonly shownOn: readonly string[] }
  }
  readonly app_badge: number
}

it('PHO-02 each job that ends is one message to each device, encrypted for it, in the words of the mail', async () => {
  const me = await server.signUp()
  const device = await subscribe(me)
  const other = await server.signUp()
  await subscribe(other)
  const jobId = await endJob(me.userId, 2)
  await Promise.all([sendNotices(server.deps), sendNotices(server.deps)])
  await sendNotices(server.deps)
  await deliverAll()
  await deliverAll()
  expect(service.received).toHaveLength(1)
  const [got] = service.received
  expect(got?.path).toBe(new URL(device.body.endpoint).pathname)
  expect(got?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
  expect(String(got?.headers['topic'])).toMatch(/^[\w-]{32}$/)
  const claims = readVapid(String(got?.headers['authorization']), server.deps.push?.publicKey ?? '')
  expect(claims).toMatchObject({ aud: service.origin })
  const shown = device.read(got?.body ?? Buffer.alloc(0)) as Shown
  expect(shown).toMatchObject({ web_push: 8030, app_badge: 1 })
  expect(shown.notification).toMatchObject({
    title: 'Your edits are ready',
    navigate: `${server.deps.settings.publicOrigin}/edits`,
    data: { userId: me.userId },
  })
  expect(shown.notification.data.shownOn).toContain(`/uploads/media-jobs/${jobId}/status`)
  expect(JSON.stringify(shown)).not.toMatch(/scene|still|teaser|onecut/i)
})

it('PHO-05 a discreet account is told in words that say nothing', async () => {
  const me = await server.signUp()
  await me.client.patch(`/v1/${me.userId}/profile`, { userProfile: { discreet: true } })
  const device = await subscribe(me)
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  const shown = device.read(service.received[0]?.body ?? Buffer.alloc(0)) as Shown
  expect(shown.notification.title).toBe('Something is waiting for you')
})

it('PHO-02 the number is of what was not seen, and begins again at nothing', async () => {
  const me = await server.signUp()
  // Told before this device asked.
  await endJob(me.userId)
  await sendNotices(server.deps)
  now += HOUR_MS
  const device = await subscribe(me)
  const badgeOfNext = async (): Promise<number> => {
    now += 1000
    await endJob(me.userId)
    await sendNotices(server.deps)
    await deliverAll()
    return (device.read(service.received.at(-1)?.body ?? Buffer.alloc(0)) as Shown).app_badge
  }
  expect(await badgeOfNext()).toBe(1)
  expect(await badgeOfNext()).toBe(2)
  expect((await me.client.post('/v1/users/me/notices/seen')).status).toBe(204)
  expect(await badgeOfNext()).toBe(1)
})

it('PHO-02 kinds that are off send nothing, and the mail goes by itself', async () => {
  const me = await server.signUp()
  const device = await subscribe(me)
  const choose = async (userProfile: object): Promise<void> => {
    expect((await me.client.patch(`/v1/${me.userId}/profile`, { userProfile })).status).toBe(200)
  }
  await choose({ pushesOff: ['edits-ready'] })
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  expect(service.received).toHaveLength(0)
  await choose({ pushesOff: ['payment-problem'], mailsOff: ['edits-ready'] })
  now += 1000
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  expect(service.received).toHaveLength(1)
  const unpaid = { id: crypto.randomUUID(), userId: me.userId } as SubscriptionRow
  const tell = async () =>
    await inTransaction(server.deps, async (ctx) => await tellOfPaymentProblem(ctx, unpaid))
  await tell()
  await deliverAll()
  expect(service.received).toHaveLength(1)
  await choose({ pushesOff: [] })
  await tell()
  await deliverAll()
  const shown = device.read(service.received[1]?.body ?? Buffer.alloc(0)) as Shown
  expect(shown.notification).toMatchObject({
    title: 'A payment did not go through',
    navigate: `${server.deps.settings.publicOrigin}/subscriptions/${unpaid.id}`,
  })
})

it('PHO-02 a message goes only to allowed hosts, at their port, and to no address inside', async () => {
  const me = await server.signUp()
  const { keys } = newDevice().body
  const { port } = new URL(service.origin)
  for (const endpoint of [
    `http://push.share.example:${port}/a`,
    `https://push.share.example/a`,
    `https://push.share.example:22/a`,
    `https://user:word@push.share.example:${port}/a`,
    `https://evil-push.share.example.attacker.example:${port}/a`,
    `https://127.0.0.1:${port}/a`,
    `https://[::1]:${port}/a`,
    `https://2130706433:${port}/a`,
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/a',
    'file:///etc/passwd',
    'no address',
  ]) {
    const answer = await save(me, { endpoint, keys })
    expect([endpoint, answer.status, answer.body.error.code]).toEqual([
      endpoint,
      422,
      'push/not-allowed',
    ])
  }
  const offCurve = Buffer.alloc(65, 4).toString('base64url')
  const endpoint = `${service.origin}/a`
  const refused = await save(me, { endpoint, keys: { ...keys, p256dh: offCurve } })
  expect(refused.status).toBe(422)
  // A name that led outside when it was stored leads inside by now.
  await subscribe(me)
  address = '10.0.0.7'
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  expect(service.received).toHaveLength(0)
  expect(await server.deps.db.select().from(pushes)).toEqual([])
})

it('PHO-02 an answer of a push service leads nowhere', async () => {
  const me = await server.signUp()
  await subscribe(me)
  service.answers.push({ status: 307 })
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  expect(service.received).toHaveLength(1)
  expect(await server.deps.db.select().from(pushes)).toEqual([])
})

it('PHO-02 a device that is gone is forgotten, and a push service that is busy is asked later', async () => {
  const me = await server.signUp()
  await subscribe(me)
  const waiting = async () => await server.deps.db.select().from(pushes)
  service.answers.push({ status: 429, retryAfter: '120' }, { status: 503 }, { status: 410 })
  await endJob(me.userId)
  await sendNotices(server.deps)
  await deliverAll()
  const [push] = await waiting()
  expect(push?.dueAt).toEqual(new Date(now + 120_000))
  // Too early.
  await deliverPush(server.deps, { pushId: push?.id ?? '' })
  expect(service.received).toHaveLength(1)
  now += 121_000
  await server.deps.db.execute(sql`delete from pgboss.job`)
  await expect(deliverPush(server.deps, { pushId: push?.id ?? '' })).rejects.toThrow('away')
  // Its tries are used up: it is queued again, and the device is gone by then.
  now += HOUR_MS
  await requeuePushes(server.deps)
  await requeuePushes(server.deps)
  await deliverAll()
  expect(service.received).toHaveLength(3)
  expect(await waiting()).toEqual([])
  expect(await server.deps.db.select().from(pushSubscriptions)).toEqual([])
})

it('PHO-02 what no push service took within a day is no news; five of them end the subscription', async () => {
  const me = await server.signUp()
  await subscribe(me)
  for (let time = 1; time <= 5; time += 1) {
    await endJob(me.userId)
    await sendNotices(server.deps)
    now += 25 * HOUR_MS
    await dropOldPushes(server.deps)
    expect(await server.deps.db.select().from(pushes)).toEqual([])
    const [device] = await server.deps.db.select().from(pushSubscriptions)
    expect(device?.failures).toBe(time === 5 ? undefined : time)
  }
})

it('PHO-08 a subscription ends with its session, moves with its browser, and 20 is the most', async () => {
  const me = await server.signUp()
  const device = await subscribe(me)
  const held = async () => await server.deps.db.select().from(pushSubscriptions)
  expect((await save(me, device.body)).status).toBe(204)
  expect(await held()).toHaveLength(1)
  expect((await me.client.delete(SUBSCRIPTION)).status).toBe(204)
  expect(await held()).toHaveLength(0)
  await save(me, device.body)
  // Another person signs in on this browser, without a sign-out of the first.
  const other = await server.signUp()
  await save(other, device.body)
  expect((await held()).map(({ userId }) => userId)).toEqual([other.userId])
  expect((await other.client.delete('/v1/auth/logout')).status).toBe(204)
  expect(await held()).toHaveLength(0)
  for (let count = 0; count < 20; count += 1) {
    const [id, createdAt] = [crypto.randomUUID(), new Date(now + count)]
    const times = { createdAt, lastSeenAt: createdAt, expiresAt: new Date(now + HOUR_MS) }
    await server.deps.db.insert(sessions).values({ id, userId: me.userId, tokenHash: id, ...times })
    await server.deps.db.insert(pushSubscriptions).values({
      id,
      userId: me.userId,
      sessionId: id,
      endpoint: id,
      ...device.body.keys,
      createdAt,
    })
  }
  const before = await held()
  await save(me, device.body)
  const after = await held()
  expect(after).toHaveLength(20)
  const oldest = before.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0]
  expect(after.some(({ id }) => id === oldest?.id)).toBe(false)
})

it('PHO-02 of kills between any two steps each job is told by one message; a push service gets one twice only with the topic of the first', async () => {
  const random = createRandom(35)
  const me = await server.signUp()
  const device = await subscribe(me)
  const jobs: string[] = []
  let kills = 0
  for (let round = 1; kills < KILLS; round += 1) {
    now += 1000
    jobs.push(await endJob(me.userId))
    const death = {
      step: pickNumber(random, 1, STEPS),
      when: pickOne(random, ['before', 'after'] as const),
    }
    if (await isKilledWhileTelling(death)) kills += 1
  }
  now += 1000
  expect(await isKilledWhileTelling({ step: Infinity, when: 'before' })).toBe(false)
  const topics = new Map<unknown, string>()
  for (const { headers, body } of service.received) {
    const { notification } = device.read(body) as Shown
    topics.set(headers['topic'], notification.data.shownOn.join(' '))
  }
  const told = [...topics.values()]
  expect(told).toHaveLength(jobs.length)
  for (const jobId of jobs) expect(told.filter((text) => text.includes(jobId))).toHaveLength(1)
  const rows = await server.deps.db.select().from(notices).where(eq(notices.userId, me.userId))
  expect(rows).toHaveLength(jobs.length)
  expect(await server.deps.db.select().from(pushes)).toEqual([])
})

/** One life of a server that tells what happened and delivers it; true where it was killed. */
async function isKilledWhileTelling(death: Parameters<typeof beginLife>[1]): Promise<boolean> {
  const life = beginLife(server.deps.db.$client.options as Connection, death)
  const { push } = server.deps
  if (push === null) throw new Error('no pushes')
  const ctx: Ctx = {
    ...server.deps,
    db: life.db,
    push: {
      ...push,
      send: async (...message) => await life.step(async () => await push.send(...message)),
    },
  }
  const work = async () => {
    await sendNotices(ctx)
    await deliverAll(ctx, life)
  }
  await work().catch((error: unknown) => {
    if (!life.isDead) throw error
  })
  await life.end()
  return life.isDead
}
