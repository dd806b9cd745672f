import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'

/** Rows of one person by table and content. */
export interface OwnRows {
  /** Ids of the person and of every row that names them, however far away. */
  readonly ids: ReadonlySet<string>
  /** Each row as text. */
  readonly rows: ReadonlySet<string>
}

/** What was asked, by whomever, not what a person has: the log of an attacker names its targets. */
const PASSING: ReadonlySet<string> = new Set(['rate_events', 'security_events', 'server_secrets'])

/** Every row that names a person, or a row that does, and so on. */
export async function rowsOf(db: Db, userId: string): Promise<OwnRows> {
  const all = await allRows(db)
  const ids = new Set([userId])
  const rows = new Set<string>()
  for (let before = -1; before !== rows.size;) {
    before = rows.size
    for (const { id, text } of all) {
      if (rows.has(text) || !uuidsIn(text).some((named) => ids.has(named))) continue
      rows.add(text)
      if (id !== null) ids.add(id)
    }
  }
  return { ids, rows }
}

/** The ids in a text. */
export function uuidsIn(text: string): readonly string[] {
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
}

async function allRows(db: Db): Promise<readonly { id: string | null; text: string }[]> {
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: { id: string | null; text: string }[] = []
  for (const { name } of tables.rows.filter((table) => !PASSING.has(table.name))) {
    const { rows } = await db.execute<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`,
    )
    for (const { row } of rows) {
      const id = row['id']
      const isUuid = typeof id === 'string' && id.length === 36
      found.push({ id: isUuid ? id : null, text: `${name} ${JSON.stringify(row)}` })
    }
  }
  return found
}

/**
 * What is wrong with the books: a spend whose shares are another sum, a lot that gave more than it
 * had, a wallet below its credit, a cause that was booked twice, an order that has more than it
 * costs, or has some and was canceled.
 */
export async function bookErrors(db: Db): Promise<readonly string[]> {
  const { rows } = await db.execute<{ error: string }>(sql`
    select 'shares of spend ' || t.id as error from wallet_transactions t
      where t.coin_amount < 0 and -t.coin_amount <>
        (select coalesce(sum(s.coin_amount), 0) from lot_spends s where s.spend_id = t.id)
    union all
    select 'lot ' || t.id from wallet_transactions t
      where t.coin_amount > 0 and t.coin_amount < (select coalesce(sum(s.coin_amount), 0)
        from lot_spends s where s.lot_id = t.id and s.return_id is null)
    union all
    select 'wallet ' || w.id from wallets w
      where -w.credit_limit_coin_amount > (select coalesce(sum(t.coin_amount), 0)
        from wallet_transactions t where t.wallet_id = w.id)
    union all
    select 'trial of ' || w.user_id from wallets w join wallet_transactions t on t.wallet_id = w.id
      where t.kind = 'trial-grant' group by w.user_id having count(*) > 1
    union all
    select 'order ' || o.id from orders o
      where (select -coalesce(sum(t.coin_amount), 0) from wallet_transactions t where t.order_id = o.id)
        not between 0 and case when o.status = 'canceled' then 0 else
          (select coalesce(sum(l.coin_amount), 0) from order_line_items l where l.order_id = o.id) end
  `)
  return rows.map(({ error }) => error)
}
