import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createPgBossQueue, type StartableQueue } from '#server/jobs/pgboss.ts'
import type { Delivery } from '#server/jobs/port.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

let database: TestDatabase
const queues: StartableQueue[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop()
  await database.db.execute(sql`delete from pgboss.job`)
})
afterAll(() => database.drop())

async function startQueue(isWorker = true): Promise<StartableQueue> {
  const queue = createPgBossQueue({
    connection: database.connection,
    log: createLog(() => undefined),
    isWorker,
  })
  queues.push(queue)
  await queue.start()
  return queue
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

it('tries a failed delivery again and says when it is the last', async () => {
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
  await queue.stop()
  expect(delivery.signal.aborted).toBe(true)
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
