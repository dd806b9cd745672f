import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'

/**
 * Waits until work waits for a transaction that holds rows of a table. Held open, that one shows
 * that others queue behind it, without a race. A statement that waits for less, as an insert does
 * for the row that it refers to, does not count. Throws at once when the work ends instead.
 */
export async function untilWaitingFor(
  table: string,
  { work, db }: { readonly work: Promise<unknown>; readonly db: Db },
): Promise<void> {
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  work.then(end, end)
  const waiting = sql`
    select from pg_stat_activity
    where datname = current_database() and query like ${`%from "${table}"%for update%`}
      and exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid and not granted)`
  while ((await db.execute(waiting)).rows.length === 0) {
    if (hasEnded) throw new Error(`The work ended without waiting for ${table}.`)
    await delay(5)
  }
}
