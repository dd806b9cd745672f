import { Client } from 'pg'
import type { Connection } from './connection.ts'

/** Opens a connection for one piece of work, such as copying tables, and closes it then. */
export async function withOwnClient<T>(
  connection: Connection & { readonly connectionTimeoutMillis?: number },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  client.on('error', () => {
    /* The query that meets it fails. */
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
