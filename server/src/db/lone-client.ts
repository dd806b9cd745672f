import { Client, type ClientConfig } from 'pg'

/** A connection of its own, beside the pool. */
export interface LoneClient {
  query<Row extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>
  end(): Promise<void>
}

interface LoneClientOptions {
  /** A query that takes longer fails; for ever by default. */
  readonly queryMs?: number
  /** Called with what comes on the channels that the connection listens to. */
  onNotice?(payload: string): void
}

/** A pool, or what names the same database. */
export interface DbAddress {
  readonly $client: { readonly options: ClientConfig }
}

/**
 * Opens a connection to the pool's database for locks that are held for hours: in the pool they
 * would leave no connection to work with. Calls `onLost` when the connection breaks.
 */
export async function openLoneClient(
  db: DbAddress,
  onLost: (error: Error) => void,
  { queryMs, onNotice }: LoneClientOptions = {},
): Promise<LoneClient> {
  const client = new Client({
    ...db.$client.options,
    ...(queryMs === undefined ? {} : { query_timeout: queryMs }),
  })
  client.on('error', onLost)
  client.on('notification', ({ payload }) => onNotice?.(payload ?? ''))
  await client.connect()
  let last: Promise<unknown> = Promise.resolve()
  return {
    // One after another: pg takes the next query only when the connection is free.
    async query<Row extends Record<string, unknown>>(text: string, values: readonly unknown[]) {
      const asked = last.then(async () => await client.query<Row>(text, [...values]))
      last = asked.catch(() => {})
      return (await asked).rows
    },
    end: () => client.end(),
  }
}
