import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Db } from '#server/db/client.ts'

/**
 * Waits until so many statements that lock rows of a table wait for another transaction. Held open,
 * that one shows that others queue behind it, without a race. A statement that waits for less, as
 * an insert does for the row that it refers to, does not count.
 */
export async function untilWaitingFor(db: Db, table: string, connections = 1): Promise<void> {
  const waiting = sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query like ${`%from "${table}"%for update%`}
      and exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid and not granted)`
  await expect
    .poll(async () => (await db.execute(waiting)).rows[0], { interval: 5 })
    .toEqual({ count: connections })
}
