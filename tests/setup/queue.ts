import { openDb } from '#server/db/client.ts'
import type { Connection } from '#server/db/connection.ts'
import { createLeases } from '#server/db/leases.ts'
import { createPgBossQueue, type StartableQueue } from '#server/jobs/pgboss.ts'
import { createLog } from '#server/log.ts'
import { createMetrics, type Metrics } from '#server/metrics.ts'

/** The queue of one process, with what it needs. */
export interface TestQueue {
  readonly queue: StartableQueue
  readonly metrics: Metrics
  stop(): Promise<void>
}

/** Starts the queue as a process of its own would. `write` receives the lines of its log. */
export async function startTestQueue(
  connection: Connection,
  { isWorker, write = () => undefined }: { isWorker: boolean; write?: (line: string) => void },
): Promise<TestQueue> {
  const db = openDb(connection, { onError: () => undefined })
  const parts = { log: createLog(write), metrics: createMetrics() }
  const guard = { allowFor: () => undefined }
  const leases = createLeases(db, { owner: crypto.randomUUID(), guard, ...parts })
  const queue = createPgBossQueue({ connection, leases, isWorker, ...parts })
  await queue.start()
  return {
    queue,
    metrics: parts.metrics,
    async stop() {
      await queue.stop()
      await leases.close()
      await db.$client.end()
    },
  }
}
