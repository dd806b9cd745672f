import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { openLoneClient, type LoneClient } from '#server/db/lone-client.ts'

/**
 * What is worked on: a task is rendered, an upload checked or searched for moments, or the imports
 * of an account are fetched, or its results saved to drives, one after the other.
 */
type Leased =
  | { readonly taskId: string }
  | { readonly uploadRequestId: string }
  | { readonly searchedId: string }
  | { readonly importsOfUserId: string }
  | { readonly savesOfUserId: string }

/**
 * The right to work on a task or upload, held by a database connection of its own. PostgreSQL
 * releases it the moment the process that holds it dies, so that work never runs twice at once and
 * is never stuck behind a dead worker.
 */
export interface Lease {
  /** Aborts when the connection, and with it the right, is lost. */
  readonly lost: AbortSignal
  /** Runs `work` while no other process runs work of the same name. */
  alone<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  release(): Promise<void>
}

/**
 * The keys of all leases that are held in this database, and of other advisory locks, as the table
 * `lease_keys` of a `with` clause. `pg_locks` shows a key of 64 bits as two halves.
 */
export const leaseKeys = sql`lease_keys as materialized (
  select (classid::bigint << 32) | objid::bigint as key from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database()))`

/** Takes the lease, or null while another process holds it. */
export async function takeLease(ctx: Pick<Ctx, 'db'>, leased: Leased): Promise<Lease | null> {
  const controller = new AbortController()
  const client = await openLoneClient(ctx.db, (error) => controller.abort(error))
  try {
    if (await tryLock(client, nameOf(leased)))
      return {
        lost: controller.signal,
        alone: async (name, signal, work) => await alone(client, name, signal, work),
        release: client.end,
      }
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  return null
}

/** Whether a process works on it right now. */
export async function isLeased(ctx: Pick<Ctx, 'db'>, leased: Leased): Promise<boolean> {
  const lease = await takeLease(ctx, leased)
  await lease?.release()
  return lease === null
}

function nameOf(leased: Leased): string {
  if ('taskId' in leased) return `task:${leased.taskId}`
  if ('importsOfUserId' in leased) return `imports:${leased.importsOfUserId}`
  if ('savesOfUserId' in leased) return `drive-saves:${leased.savesOfUserId}`
  return 'searchedId' in leased ? searchName(leased.searchedId) : `check:${leased.uploadRequestId}`
}

/** The name under which one at a time searches an upload for moments. */
export function searchName(uploadRequestId: string): string {
  return `moments:${uploadRequestId}`
}

async function tryLock(client: LoneClient, name: string): Promise<boolean> {
  const rows = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name],
  )
  return rows[0]?.taken === true
}

/**
 * Polls for the lock instead of waiting inside one query, which could not be ended when the worker
 * stops.
 */
async function alone<T>(
  client: LoneClient,
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  while (!(await tryLock(client, name))) await setTimeout(500, undefined, { signal })
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
  }
}
