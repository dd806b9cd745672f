import { Client } from 'pg'
import type { Db } from './client.ts'

/** A connection of its own, beside the pool. */
export interface LoneClient {
  query<Row extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>
  end(): Promise<void>
}

/**
 * Opens a connection to the pool's database for locks that are held for hours: in the pool they
 * would leave no connection to work with. Calls `onLost` when the connection breaks.
 */
export async function openLoneClient(db: Db, onLost: (error: Error) => void): Promise<LoneClient> {
  const client = new Client(db.$client.options)
  client.on('error', onLost)
  await client.connect()
  return {
    query: async <Row extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
      (await client.query<Row>(text, [...values])).rows,
    end: () => client.end(),
  }
}
