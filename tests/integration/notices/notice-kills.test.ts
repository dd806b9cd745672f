import { desc, eq, sql } from 'drizzle-orm'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection } from '#server/db/connection.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { mails, mediaJobs, mediaJobTasks } from '#server/db/schema.ts'
import { createSmtpMailer } from '#server/mail/smtp.ts'
import { deliverMail } from '#server/operations/core/mail/send.ts'
import { deliverPush } from '#server/operations/accounts/pushes/deliver.ts'
import { sendNotices } from '#server/operations/accounts/notices/send.ts'
import { failJob } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import {
  createPushDevice,
  startPushService,
  type PushServiceFake,
} from '#tests/fakes/push-service.ts'
import { createRandom, pickNumber, pickOne } from '#tests/faults/random.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { startSmtp, type TestSmtp } from '#tests/setup/smtp.ts'
import { beginLife, type Life } from './dying-life.ts'

const KILLS = 50
/** A life has about as many: its end of a job, the look for notices, the mails and the pushes. */
const STEPS = 42

let server: TestServer
let smtp: TestSmtp
let pushService: PushServiceFake
let now = Date.parse('2026-11-22T12:00:00Z')
/** What happens when the mail server has a mail, and its sender has no answer yet. */
let onKept: () => void = () => {}
let people: readonly SignedUp[]
beforeAll(async () => {
  // Nothing works in the background: each life is the test's own.
  pushService = await startPushService()
  server = await startTestServer({
    clock: () => new Date(now),
    reach: pushService.reach,
    env: { ONECUT_ROLE: 'api', ONECUT_PUSH_HOSTS: pushService.host },
  })
  smtp = await startSmtp(() => onKept())
  people = [await server.signUp(), await server.signUp(), await server.signUp()]
  await server.deps.db.execute(sql`delete from pgboss.job`)
})
afterAll(async () => {
  await smtp.close()
  await server.stop()
  await pushService.stop()
})

/** A paid job with one edit that is not finished. The count of the others tells its mail. */
async function storeOpenJob(userId: string, finished: number): Promise<string> {
  const { jobId, taskIds } = await storeJob(
    server.deps,
    userId,
    Array.from({ length: finished + 1 }, () => 'still-pack'),
  )
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'succeeded', endedAt: new Date(now) })
    .where(
      sql`${mediaJobTasks.mediaJobId} = ${jobId} and ${mediaJobTasks.id} <> ${taskIds[0] ?? ''}`,
    )
  await server.deps.db
    .update(mediaJobs)
    .set({ workflowStartedAt: new Date(now) })
    .where(eq(mediaJobs.id, jobId))
  return jobId
}

/** A device of each person that is told, by its path at the push service. */
async function subscribeAll(): Promise<ReadonlyMap<string, ReturnType<typeof createPushDevice>>> {
  const devices = people.map((_person, at) => {
    const endpoint = `${pushService.origin}/device/${at}`
    return [new URL(endpoint).pathname, createPushDevice(endpoint)] as const
  })
  for (const [at, [, device]] of devices.entries()) {
    const path = '/v1/users/me/push-subscription'
    const answer = await people[at]?.client.call('PUT', path, { body: device.body })
    expect(answer?.status).toBe(204)
  }
  return new Map(devices)
}

/** What a server has to do, from the rows: jobs to end, accounts to tell, messages of both. */
async function doAll(life: Life, ctx: Ctx): Promise<void> {
  const open = await server.deps.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(sql`${mediaJobs.workflowEndedAt} is null`)
  const failure = { message: 'The edit could not be made.', supportLog: null }
  for (const { id: mediaJobId } of open)
    await inTransaction(ctx, async (ctx) => await failJob(ctx, { mediaJobId, failure }))
  await sendNotices(ctx)
  // As the queue does: a message comes again until its handler has ended well.
  const { rows } = await server.deps.db.execute<{
    id: string
    data: { mailId: string } | { pushId: string }
  }>(sql`select id, data from pgboss.job where name in ('send-mail', 'send-push') order by id`)
  for (const { id, data } of rows) {
    await ('mailId' in data ? deliverMail(ctx, data) : deliverPush(ctx, data))
    await life.step(async () => {
      await server.deps.db.execute(sql`delete from pgboss.job where id = ${id}`)
    })
  }
}

/** One life, with the mails that the mail server took and this life did not live to mark. */
async function live(death: Parameters<typeof beginLife>[1] & { beforeYes?: boolean }) {
  const life = beginLife(server.deps.db.$client.options as Connection, death)
  const smtpMailer = createSmtpMailer({ url: smtp.url, from: 'a@b.example', requiresTls: false })
  const kept = smtp.received.length
  const mailer: Ctx['mailer'] = {
    mode: 'smtp',
    deliver: async (mail) => await life.step(async () => await smtpMailer.deliver(mail)),
  }
  onKept = () => {
    if (death.beforeYes === true) throw life.die()
  }
  const { push: given } = server.deps
  const push: Ctx['push'] = given && {
    ...given,
    send: async (...message) => await life.step(async () => await given.send(...message)),
  }
  await doAll(life, { ...server.deps, db: life.db, mailer, push }).catch((error: unknown) => {
    if (!life.isDead) throw error
  })
  await life.end()
  const marked = await server.deps.db
    .select()
    .from(mails)
    .where(sql`${mails.sentAt} = ${new Date(now)}`)
  return {
    isDead: life.isDead,
    steps: life.steps,
    unmarked: smtp.received.length - kept - marked.length,
  }
}

it('REC-26 PHO-02 of 50 kills between any two steps each job is told by one mail and one push; a mail server gets one twice only where a kill came between its yes and our mark', async () => {
  const devices = await subscribeAll()
  const random = createRandom(26)
  const expected: string[] = []
  const jobs: string[] = []
  let kills = 0
  let unmarked = 0
  const diedAt = new Set<number>()
  for (let round = 1; kills < KILLS; round += 1) {
    now += 1000
    jobs.push(await storeOpenJob(pickOne(random, people).userId, round))
    expected.push(`${round} of ${round + 1} edits are ready`)
    const beforeYes = round % 10 === 0
    const when = pickOne(random, ['before', 'after'] as const)
    const step = beforeYes ? Infinity : pickNumber(random, 1, STEPS)
    const life = await live({ step, when, beforeYes })
    if (life.isDead) kills += 1
    if (life.isDead) diedAt.add(life.steps)
    unmarked += life.unmarked
  }
  now += 1000
  expect((await live({ step: Infinity, when: 'before' })).isDead).toBe(false)
  const received = await Promise.all(smtp.received.map(async (raw) => await PostalMime.parse(raw)))
  const told = new Map(received.map(({ messageId, subject }) => [messageId, subject]))
  expect([...told.values()].toSorted()).toEqual(expected.toSorted())
  expect(received).toHaveLength(told.size + unmarked)
  expect(unmarked).toBeGreaterThanOrEqual(KILLS / 10)
  expect(diedAt.size).toBeGreaterThan(20)
  // What a push service gets twice has the topic of the first, of which it keeps one.
  const pushed = new Map(
    pushService.received.map(({ path, headers, body }) => [
      headers['topic'],
      JSON.stringify(devices.get(path)?.read(body)),
    ]),
  )
  expect(pushed.size).toBe(jobs.length)
  for (const job of jobs)
    expect([...pushed.values()].filter((text) => text.includes(job))).toHaveLength(1)
})

it('REC-26 of two deliveries of one mail at a time one sends it, and the other is tried again', async () => {
  const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  let sent = 0
  const mailer: Ctx['mailer'] = {
    mode: 'smtp',
    deliver: async () => {
      sent += 1
      begin()
      await isHeld
    },
  }
  now += 1000
  await storeOpenJob(people[0]?.userId ?? '', 1000)
  const mailId = await tellOfOpenJobs()
  const first = deliverMail({ ...server.deps, mailer }, { mailId })
  await hasBegun
  await expect(deliverMail({ ...server.deps, mailer }, { mailId })).rejects.toThrow()
  letGo()
  await first
  await deliverMail({ ...server.deps, mailer }, { mailId })
  expect(sent).toBe(1)
})

it('REC-26 a notice whose message is used up is queued again, once in ten minutes, for a day', async () => {
  now += 1000
  await storeOpenJob(people[0]?.userId ?? '', 1001)
  const mailId = await tellOfOpenJobs()
  const messages = async (): Promise<number> => {
    const { rows } = await server.deps.db.execute<{ count: number }>(
      sql`select count(*)::int as count from pgboss.job where data->>'mailId' = ${mailId}`,
    )
    return rows[0]?.count ?? 0
  }
  await server.deps.db.execute(sql`delete from pgboss.job`)
  await reconcile(server.deps)
  expect(await messages()).toBe(0)
  now += 11 * 60_000
  for (let time = 0; time < 3; time += 1) await reconcile(server.deps)
  expect(await messages()).toBe(1)
  await server.deps.db.execute(sql`update pgboss.job set state = 'failed'`)
  await reconcile(server.deps)
  // A second one only where this very moment begins the next ten minutes.
  const { rows } = await server.deps.db.execute<{ stretches: number }>(
    sql`select count(distinct singleton_on)::int as stretches from pgboss.job`,
  )
  expect(await messages()).toBe(rows[0]?.stretches)
  await server.deps.db.execute(sql`delete from pgboss.job`)
  now += 24 * 3_600_000
  await reconcile(server.deps)
  expect(await messages()).toBe(0)
})

/** Ends what is open, and returns the mail that tells of it. */
async function tellOfOpenJobs(): Promise<string> {
  const life = beginLife(server.deps.db.$client.options as Connection, {
    step: Infinity,
    when: 'before',
  })
  await doAll(life, {
    ...server.deps,
    mailer: { mode: 'smtp', deliver: () => Promise.reject(new Error('away')) },
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'away') throw error
  })
  await life.end()
  const [mail] = await server.deps.db.select().from(mails).orderBy(desc(mails.id)).limit(1)
  return mail?.id ?? ''
}
