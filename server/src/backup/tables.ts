import type { Client } from 'pg'

/**
 * Tables of which a backup holds no rows. What they hold has ended by the time of a restore, or may
 * have been ended since the backup, and must not live again:
 *
 * - `sessions` that a person or the operator ended, perhaps because a device was stolen, with
 *   `push_subscriptions`, their `pushes` and `oauth_states`, which are of sessions;
 * - `magic_links` that were used;
 * - `leases` and `workers` of processes that are gone;
 * - `task_segments`, whose files are in no backup: their edits begin again.
 *
 * The queue, the schema `pgboss`, is left out as well: rows say which work is due
 * (`operations/workflows/upkeep/reconcile.ts`).
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'leases',
  'magic_links',
  'oauth_states',
  'push_subscriptions',
  'pushes',
  'sessions',
  'task_segments',
  'workers',
])

/** A table by name, with its columns in their order. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
}

/** The tables of a database that a backup holds, by name. */
export async function listTables(client: Client): Promise<readonly TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname order by c.relname`)
  return rows.filter(({ name }) => !LEFT_OUT.has(name))
}

/** How a table is named in a statement of COPY. */
export function copyName(client: Client, { name, columns }: TableShape): string {
  const quoted = columns.map((column) => client.escapeIdentifier(column))
  return `public.${client.escapeIdentifier(name)} (${quoted.join(', ')})`
}

/** A sequence with the last number that it gave; null before the first. */
export interface SequenceValue {
  readonly name: string
  readonly value: string | null
}

/** Where the counters of tables stand. */
export async function listSequences(client: Client): Promise<readonly SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(`
    select sequencename as name, last_value::text as value
    from pg_sequences where schemaname = 'public' order by sequencename`)
  return rows
}
