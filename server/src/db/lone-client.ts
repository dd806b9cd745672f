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
 * Connects to the pool's database, for what is held for hours: a pool full of it would leave
 * nothing to work with. `onLost` hears of a broken connection.
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
