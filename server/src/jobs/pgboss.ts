import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type JobWithMetadata } from 'pg-boss'
import type { Connection } from '#server/db/connection.ts'
import type { Delivery, JobKind, JobKinds, JobOptions, Queue } from './port.ts'
import type { Log } from '#server/log.ts'

/** The queue of this process. `start` makes its own tables and needs a database that is up. */
export interface StartableQueue extends Queue {
  start(): Promise<void>
}

/** `isWorker` false: only sends; leaves watching over dead workers to processes that work. */
export interface PgBossOptions {
  readonly connection: Connection
  readonly log: Log
  readonly isWorker: boolean
}

const kinds = [
  'send-mail',
  'validate-upload',
  'render-task',
  'sweep',
] as const satisfies readonly JobKind[]

/**
 * Least that pg-boss takes: a worker that is silent for so long is dead, and its jobs go to another
 * one.
 */
const deadAfterS = 10
/**
 * How often a running job says that it lives; also the longest a worker goes on with a job that it
 * lost.
 */
const heartbeatS = 2
const stopWithinMs = 20_000
const repeatQuietMs = 30_000

/**
 * Dispatches by pg-boss, in the schema `pgboss` of the same database, so that sending is part of
 * our transactions.
 */
export function createPgBossQueue({ connection, log, isWorker }: PgBossOptions): StartableQueue {
  const boss = new PgBoss({
    ...connection,
    max: 4,
    application_name: 'onecut-queue',
    useListenNotify: isWorker,
    schedule: false,
    supervise: isWorker,
    // Once a minute by default, which is how long a dead worker's job would wait at most.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  const report = createReporter(log)
  boss.on('error', report)
  boss.on('warning', (warning) => log.warn('queue/warning', { message: warning.message }))
  const stopping = new AbortController()

  return {
    async start() {
      await boss.start()
      for (const kind of kinds) {
        // `short`: one waiting job per singleton key. Notifications are quick, polling is the
        // floor.
        await boss.createQueue(kind, {
          policy: 'short',
          notify: true,
          heartbeatSeconds: deadAfterS,
          retryLimit: 5,
          retryDelay: 1,
          retryBackoff: true,
          retryDelayMax: 60,
          deleteAfterSeconds: 86_400,
        })
      }
    },

    async enqueue(tx, kind, data, options = {}) {
      await boss.send(kind, data, {
        db: fromDrizzle(tx, sql),
        // Without a key of its own, every job of a `short` queue would be the same one.
        singletonKey: options.singletonKey ?? randomUUID(),
        ...(options.startAfterS === undefined ? {} : { startAfter: options.startAfterS }),
      })
    },

    async work(kind, options, handler) {
      await boss.updateQueue(kind, {
        retryLimit: options.retryLimit,
        expireInSeconds: options.expireInS,
      })
      await boss.work(
        kind,
        workOptions(options),
        async (jobs: JobWithMetadata<JobKinds[typeof kind]>[]) => {
          for (const job of jobs) await handler(toDelivery(job, stopping.signal))
        },
      )
    },

    async stop() {
      stopping.abort()
      // Interrupted deliveries fail, so they are tried again by whoever works next.
      await boss.stop({ graceful: true, timeout: stopWithinMs })
    },
  }
}

// Errors of workers come as plain copies; while the database is away each worker repeats its own
// once a second.
function createReporter(log: Log): (error: unknown) => void {
  let last = ''
  let lastAtMs = 0
  return (error) => {
    const message =
      error !== null && typeof error === 'object' && 'message' in error
        ? String(error.message)
        : String(error)
    const text = message.replace(/ \(Queue: .*\)$/, '')
    if (text === last && Date.now() - lastAtMs < repeatQuietMs) return
    last = text
    lastAtMs = Date.now()
    log.error('queue/error', error instanceof Error ? error : new Error(text))
  }
}

function workOptions(options: JobOptions) {
  return {
    includeMetadata: true,
    batchSize: 1,
    localConcurrency: options.concurrency,
    heartbeatRefreshSeconds: heartbeatS,
    pollingIntervalSeconds: 1,
    // With notifications on, polling would fall to 30 s, and retries do not notify.
    notifyPollingIntervalSeconds: 1,
  } as const
}

function toDelivery<K extends JobKind>(
  job: JobWithMetadata<JobKinds[K]>,
  stopping: AbortSignal,
): Delivery<K> {
  return {
    id: job.id,
    data: job.data,
    signal: AbortSignal.any([job.signal, stopping]),
    isLastAttempt: job.retryCount >= job.retryLimit,
  }
}
