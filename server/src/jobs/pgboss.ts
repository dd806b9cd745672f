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

/** `isWorker` false: only sends, and leaves the watch over dead workers to processes that work. */
interface PgBossOptions {
  readonly connection: Connection
  readonly log: Log
  readonly isWorker: boolean
}

const KINDS = [
  'send-mail',
  'know-video',
  'validate-upload',
  'import-upload',
  'save-to-drive',
  'render-task',
  'preview-asset',
  'search-moments',
  'sweep',
  'settle-payment',
  'payments-tick',
  'audit-ledger',
] as const satisfies readonly JobKind[]

/**
 * The least that pg-boss takes: a worker that is silent for this long is dead, and its jobs go to
 * another one.
 */
const DEAD_AFTER_S = 10
/**
 * How often a running job renews its heartbeat; also the longest time that a worker continues with
 * a job that it has lost.
 */
const HEARTBEAT_S = 2
const STOP_WITHIN_MS = 20_000
const REPEAT_QUIET_MS = 30_000

/** `short`: one waiting job for each singleton key. */
const QUEUE_OPTIONS = {
  policy: 'short',
  // Notifications are quick, polling is the floor.
  notify: true,
  heartbeatSeconds: DEAD_AFTER_S,
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 86_400,
} as const

/**
 * Dispatches by pg-boss, in the schema `pgboss` of the same database, so that sending is part of
 * our transactions.
 */
export function createPgBossQueue(options: PgBossOptions): StartableQueue {
  const boss = createBoss(options)
  const stopping = new AbortController()
  return {
    async start() {
      await boss.start()
      for (const kind of KINDS) await boss.createQueue(kind, QUEUE_OPTIONS)
    },

    async enqueue(tx, kind, data, { singletonKey, startAfterS, atMostEveryS } = {}) {
      await boss.send(kind, data, {
        db: fromDrizzle(tx, sql),
        // Without a key of its own, every job of a `short` queue would be the same one.
        singletonKey: singletonKey ?? randomUUID(),
        ...(startAfterS === undefined ? {} : { startAfter: startAfterS }),
        ...(atMostEveryS === undefined ? {} : { singletonSeconds: atMostEveryS }),
      })
    },

    async work(kind, jobOptions, handler) {
      await boss.updateQueue(kind, {
        retryLimit: jobOptions.retryLimit,
        expireInSeconds: jobOptions.expireInS,
      })
      await boss.work(
        kind,
        workOptions(jobOptions),
        async (jobs: JobWithMetadata<JobKinds[typeof kind]>[]) => {
          for (const job of jobs) await handler(toDelivery(job, stopping.signal))
        },
      )
    },

    async stop() {
      stopping.abort()
      // Interrupted deliveries fail, so the next worker tries them again.
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS })
    },
  }
}

function createBoss({ connection, log, isWorker }: PgBossOptions): PgBoss {
  const boss = new PgBoss({
    ...connection,
    max: 4,
    application_name: 'onecut-queue',
    useListenNotify: isWorker,
    schedule: false,
    supervise: isWorker,
    // The default is once a minute, which is the longest that a dead worker's job would wait.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  boss.on('error', createReporter(log))
  boss.on('warning', (warning) => log.warn('queue/warning', { message: warning.message }))
  return boss
}

// Errors of workers arrive as plain copies. While the database is away, each worker repeats its own
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
    if (text === last && Date.now() - lastAtMs < REPEAT_QUIET_MS) return
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
    heartbeatRefreshSeconds: HEARTBEAT_S,
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
