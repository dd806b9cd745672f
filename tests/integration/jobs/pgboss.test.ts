import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { StartableQueue } from '#server/jobs/pgboss.ts'
import type { Delivery } from '#server/jobs/port.ts'
import type { Metrics } from '#server/metrics.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { startTestQueue, type TestQueue } from '#tests/setup/queue.ts'

let database: TestDatabase
const queues: TestQueue[] = []
const lines: string[] = []
let metrics: Metrics
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop()
  await database.db.execute(sql`delete from pgboss.job`)
})
afterAll(() => database.drop())

async function startQueue(isWorker = true): Promise<StartableQueue> {
  const write = (line: string): void => void lines.push(line)
  const started = await startTestQueue(database.connection, { isWorker, write })
  queues.push(started)
  metrics = started.metrics
  return started.queue
}

const options = { concurrency: 2, retryLimit: 3, expireInS: 60 }

async function waiting(): Promise<number> {
  const { rows } = await database.db.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from pgboss.job where state in ('created', 'retry')`,
  )
  return rows[0]?.waiting ?? 0
}

it('sends with the transaction: rolled back, nothing was sent', async () => {
  const queue = await startQueue()
  const got: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await queue.work('send-mail', options, ({ data }) => {
    got.push(data.mailId)
    resolve()
    return Promise.resolve()
  })
  await database.db
    .transaction(async (tx) => {
      await queue.enqueue(tx, 'send-mail', { mailId: 'rolled-back' })
      throw new Error('changed my mind')
    })
    .catch(() => undefined)
  await database.db.transaction((tx) => queue.enqueue(tx, 'send-mail', { mailId: 'committed' }))
  await promise
  expect(got).toEqual(['committed'])
  expect(await waiting()).toBe(0)
})

it('keeps one waiting job for a singleton key and all others', async () => {
  const queue = await startQueue(false)
  await database.db.transaction(async (tx) => {
    for (const taskId of ['a', 'b', 'a'])
      await queue.enqueue(tx, 'render-task', { taskId }, { singletonKey: taskId })
    for (const mailId of ['1', '2', '3']) await queue.enqueue(tx, 'send-mail', { mailId })
  })
  expect(await waiting()).toBe(5)
})

it('sends many messages at once, and of those that wait under the same key none again', async () => {
  const queue = await startQueue(false)
  const messages = ['a', 'b'].map((taskId) => ({ data: { taskId }, singletonKey: taskId }))
  await database.db.transaction(async (tx) => {
    await queue.enqueue(tx, 'render-task', { taskId: 'a' }, { singletonKey: 'a' })
    await queue.enqueueAll(tx, 'render-task', messages)
    await queue.enqueueAll(tx, 'render-task', messages)
    await queue.enqueueAll(tx, 'render-task', [])
  })
  const { rows } = await database.db.execute(
    sql`select data ->> 'taskId' as id from pgboss.job order by id`,
  )
  expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
})

it('SCL-05 tries a failed delivery again, says when it is the last, and logs and counts each', async () => {
  lines.length = 0
  const queue = await startQueue()
  const attempts: boolean[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await queue.work('send-mail', { ...options, retryLimit: 1 }, ({ isLastAttempt }) => {
    attempts.push(isLastAttempt)
    if (isLastAttempt) resolve()
    return Promise.reject(new Error('the mail server is away'))
  })
  await database.db.transaction((tx) => queue.enqueue(tx, 'send-mail', { mailId: '1' }))
  await promise
  expect(attempts).toEqual([false, true])
  await expect.poll(() => lines.length).toBe(2)
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const facts = { event: 'queue/delivery-failed', kind: 'send-mail', mailId: '1' }
  const error = expect.objectContaining({ message: 'the mail server is away' }) as unknown
  expect(parsed).toMatchObject([
    { level: 'warn', ...facts, try: 1, isLast: false, error },
    { level: 'error', ...facts, try: 2, isLast: true, error },
  ])
  expect(parsed[0]?.['id']).toBe(parsed[1]?.['id'])
  expect(metrics.total('onecut_deliveries_failed_total')).toBe(2)
})

it('aborts running deliveries when it stops, and leaves them for the next worker', async () => {
  const queue = await startQueue()
  const started = Promise.withResolvers<Delivery<'render-task'>>()
  await queue.work(
    'render-task',
    options,
    (delivery) =>
      new Promise((_resolve, reject) => {
        delivery.signal.addEventListener('abort', () => reject(new Error('stopped')))
        started.resolve(delivery)
      }),
  )
  await database.db.transaction((tx) => queue.enqueue(tx, 'render-task', { taskId: 'long' }))
  const delivery = await started.promise
  lines.length = 0
  await queue.stop()
  expect(delivery.signal.aborted).toBe(true)
  // The end of its server is no fault of the work.
  expect(lines).toEqual([])
  expect(await waiting()).toBe(1)
})

it('gives the job of a killed worker to another one', async () => {
  const worker = fork(
    join(process.cwd(), 'tests/fixtures/stuck-worker.ts'),
    [JSON.stringify(database.connection)],
    { execPath: process.execPath, execArgv: [] },
  )
  await said(worker, 'ready')
  const queue = await startQueue(false)
  await database.db.transaction((tx) => queue.enqueue(tx, 'render-task', { taskId: 'orphan' }))
  await said(worker, 'working')
  worker.kill('SIGKILL')
  // It watched over the queue; as 15 s later.
  await database.db.execute(sql`update leases set expires_at = now()`)
  const { promise, resolve } = Promise.withResolvers<string>()
  const second = await startQueue()
  await second.work('render-task', options, ({ data }) => {
    resolve(data.taskId)
    return Promise.resolve()
  })
  expect(await promise).toBe('orphan')
})

async function said(worker: ChildProcess, word: string): Promise<void> {
  for (;;) {
    const [message] = (await once(worker, 'message')) as [unknown]
    if (message === word) return
  }
}
