import { Client, type ClientConfig } from 'pg'

/** What of a connection tells by which process of the database it is served. */
interface Served {
  pid(): Promise<number>
  end(): Promise<void>
}

/**
 * Whether an address leads to a pooler in transaction mode: two connections that are open at a time
 * name the same process of the database. Such a pooler keeps no session, so that a lock is never
 * released, or held by another one's connection, and nothing is heard on a channel.
 */
export async function isPooledByTransaction(
  connection: ClientConfig,
  open: (connection: ClientConfig) => Promise<Served> = connect,
): Promise<boolean> {
  await using first = ending(await open(connection))
  await using second = ending(await open(connection))
  const pids = [await first.pid(), await second.pid(), await first.pid()]
  return new Set(pids).size === 1 || pids[0] !== pids[2]
}

function ending(served: Served): Served & AsyncDisposable {
  return { ...served, [Symbol.asyncDispose]: served.end }
}

async function connect(connection: ClientConfig): Promise<Served> {
  const client = new Client(connection)
  await client.connect()
  return {
    async pid() {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      return rows[0]?.pid ?? 0
    },
    end: () => client.end(),
  }
}
