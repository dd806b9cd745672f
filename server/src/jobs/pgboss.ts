import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type JobWithMetadata } from 'pg-boss'
import type { Db } from '#server/db/client.ts'
import type { Connection } from '#server/db/connection.ts'
import type { Leases, NamedLease } from '#server/db/leases.ts'
import type { Delivery, JobKind, JobKinds, JobOptions, Queue } from './port.ts'
import type { Log } from '#server/log.ts'
import type { Metrics } from '#server/metrics.ts'

/** The queue of this process. `start` makes its own tables and needs a database that is up. */
export interface StartableQueue extends Queue {
  start(): Promise<void>
  /** Of each kind, how many messages are due and have not begun, and since when the oldest is. */
  backlog(db: Pick<Db, 'execute'>): Promise<readonly Backlog[]>
}

interface Backlog {
  readonly kind: JobKind
  readonly due: number
  readonly oldestS: number
}

/**
 * `isWorker` false: only sends, and leaves the watch over dead workers to processes that work. Of
 * these, one watches at a time, by a lease.
 */
interface PgBossOptions {
  readonly connection: Connection
  readonly log: Log
  readonly metrics: Metrics
  readonly leases: Leases
  readonly isWorker: boolean
}

const KINDS = [
  'send-mail',
  'send-push',
  'know-video',
  'validate-upload',
  'import-upload',
  'save-to-drive',
  'render-task',
  'preview-asset',
  'make-sample',
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
const SUPERVISE_S = 2
/** How often the others ask whether the supervision is free. */
const SUPERVISION_ASKED_MS = 5000
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
  const report = createReporter(options.log)
  const boss = createBoss(options, report)
  const stopping = new AbortController()
  let watch: Promise<void> | null = null
  return {
    async start() {
      await boss.start()
      for (const kind of KINDS) await boss.createQueue(kind, QUEUE_OPTIONS)
      if (options.isWorker)
        watch = superviseByLease(boss, options.leases, { stop: stopping.signal, report })
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

    async enqueueAll(tx, kind, messages) {
      if (messages.length > 0) await boss.insert(kind, [...messages], { db: fromDrizzle(tx, sql) })
    },

    backlog: readBacklog,

    async work(kind, jobOptions, handler) {
      await boss.updateQueue(kind, {
        retryLimit: jobOptions.retryLimit,
        expireInSeconds: jobOptions.expireInS,
      })
      await boss.work(
        kind,
        workOptions(jobOptions),
        async (jobs: JobWithMetadata<JobKinds[typeof kind]>[]) => {
          for (const job of jobs)
            await handler(toDelivery(job, stopping.signal)).catch((error: unknown) => {
              // The worker ends: the work is not at fault, and goes on elsewhere.
              if (!stopping.signal.aborted) noteFailure(options, kind, job, error)
              throw error
            })
        },
      )
    },

    async stop() {
      stopping.abort()
      // Interrupted deliveries fail, so the next worker tries them again.
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS })
      await watch
    },
  }
}

async function readBacklog(db: Pick<Db, 'execute'>): Promise<readonly Backlog[]> {
  const { rows } = await db.execute<{ name: string; due: number; oldest_s: number }>(sql`
    select name, count(*)::int as due,
      extract(epoch from now() - min(start_after))::float8 as oldest_s
    from pgboss.job where state in ('created', 'retry') and start_after <= now() group by name`)
  return KINDS.map((kind) => {
    const row = rows.find(({ name }) => name === kind)
    return { kind, due: row?.due ?? 0, oldestS: row?.oldest_s ?? 0 }
  })
}

/** One line and a count for each delivery that failed; the last one that is tried is an error. */
function noteFailure(
  { log, metrics }: Pick<PgBossOptions, 'log' | 'metrics'>,
  kind: JobKind,
  { id, data, retryCount, retryLimit }: JobWithMetadata<JobKinds[JobKind]>,
  error: unknown,
): void {
  metrics.count('onecut_deliveries_failed_total', { kind })
  const isLast = retryCount >= retryLimit
  // A message carries ids only.
  const facts = { kind, id, ...data, try: retryCount + 1, isLast }
  if (isLast) log.error('queue/delivery-failed', error, facts)
  else log.warn('queue/delivery-failed', { ...facts, error })
}

/**
 * Fails what dead workers left and removes what is old, as long as this process holds the lease of
 * that. The next one that asks for it has it when the holder ends, is frozen or cut off.
 */
async function superviseByLease(
  boss: PgBoss,
  leases: Leases,
  { stop, report }: { readonly stop: AbortSignal; readonly report: (error: unknown) => void },
): Promise<void> {
  let lease: NamedLease | null = null
  while (!stop.aborted) {
    try {
      if (lease === null || lease.lost.aborted) lease = await leases.take('queue-supervision')
      if (lease !== null) await boss.supervise()
    } catch (error) {
      if (!stop.aborted) report(error)
    }
    const pauseMs = lease === null ? SUPERVISION_ASKED_MS : SUPERVISE_S * 1000
    await setTimeout(pauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
  await lease?.release()
}

function createBoss(
  { connection, log, isWorker }: PgBossOptions,
  report: (error: unknown) => void,
): PgBoss {
  const boss = new PgBoss({
    ...connection,
    max: 4,
    application_name: 'onecut-queue',
    useListenNotify: isWorker,
    schedule: false,
    supervise: false,
    // The default is once a minute, which is the longest that a dead worker's job would wait.
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
  })
  boss.on('error', report)
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
