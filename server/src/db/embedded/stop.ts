import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { livingPostmaster } from './stale-locks.ts'

/**
 * PostgreSQL's fast shutdown takes some 30 ms; a checkpoint of much unsaved data may take longer.
 */
const LONGEST_SHUTDOWN_MS = 30_000

/**
 * Stops the server of a cluster with SIGINT (fast shutdown: open transactions roll back, everything
 * committed is kept) and waits for its end. Leaves it running while another process of ours is
 * connected. Does nothing when it is not up.
 */
export async function stopServer(cluster: string, connection: ClientConfig): Promise<void> {
  const pid = await livingPostmaster(cluster)
  if (pid === null || (await hasOtherClients(connection))) return
  process.kill(pid, 'SIGINT')
  for (let waitedMs = 0; waitedMs < LONGEST_SHUTDOWN_MS; waitedMs += 20) {
    if ((await livingPostmaster(cluster)) === null) return
    await delay(20)
  }
}

async function hasOtherClients(connection: ClientConfig): Promise<boolean> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {
    /* it is being stopped */
  })
  try {
    await client.connect()
    // Our own just closed connections may still be listed for a moment.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { rows } = await client.query<{ others: number }>(
        "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
      if (rows[0]?.others === 0) return false
      await delay(50)
    }
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
