import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Ctx } from '#server/context.ts'
import type { StartableQueue } from '#server/jobs/pgboss.ts'
import { readWaitingSeconds } from '#server/operations/processing/slots/waiting.ts'
import { freeBytesOf } from '#server/object-store/free-bytes.ts'

/** How finely Node looks at its loop; its figures have this much on top. */
const RESOLUTION_MS = 20
const SHARES = [0.5, 0.99, 1]

/**
 * Has `/metrics` read what an operator scales and is alarmed by. What the database says is the same
 * in all processes; the rest is of this one.
 */
export function watchFigures(ctx: Ctx, queue: Pick<StartableQueue, 'backlog'>): void {
  const { metrics, db } = ctx
  watchLoopLag(ctx)
  const { $client: pool } = db
  metrics.gauge('onecut_db_connections', 'Connections of the pool, and who waits for one.', () => [
    { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waited_for' }, value: pool.waitingCount },
  ])
  const backlog = shared(() => queue.backlog(db))
  metrics.gauge('onecut_queue_due', 'Messages that are due and have not begun.', async () =>
    (await backlog()).map(({ kind, due }) => ({ labels: { kind }, value: due })),
  )
  metrics.gauge('onecut_queue_oldest_seconds', 'Age of the oldest of them.', async () =>
    (await backlog()).map(({ kind, oldestS }) => ({ labels: { kind }, value: oldestS })),
  )
  metrics.gauge('onecut_work_waiting_seconds', 'Estimated work that waits for a slot.', async () =>
    Promise.all(
      (['edits', 'checks'] as const).map(async (kind) => ({
        labels: { kind },
        value: await readWaitingSeconds(ctx, { kind }),
      })),
    ),
  )
  metrics.gauge('onecut_scratch_free_bytes', 'Room where edits are made.', async () => {
    return [{ value: await freeBytesOf(ctx.settings.scratchDir) }]
  })
}

/** Who asks while something is read gets the same: all figures are asked for at once. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return async () =>
    await (running ??= read().finally(() => {
      running = null
    }))
}

function watchLoopLag({ metrics }: Pick<Ctx, 'metrics'>): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const help = 'How late the event loop was since the last time that this was read.'
  metrics.gauge('onecut_loop_lag_seconds', help, () => {
    const samples = SHARES.map((share) => {
      const heldMs = delay.percentile(share * 100) / 1e6 - RESOLUTION_MS
      return { labels: { quantile: String(share) }, value: Math.max(0, heldMs) / 1000 }
    })
    delay.reset()
    return samples
  })
}
