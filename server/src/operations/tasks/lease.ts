import { setTimeout } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import { openLoneClient, type LoneClient } from '#server/db/lone-client.ts'

/**
 * The right to work on one task, held by a database connection of its own. PostgreSQL releases it
 * the moment the process that holds it dies, so a task never runs twice at once and is never stuck
 * behind a dead worker.
 */
export interface Lease {
  /** Aborts when the connection, and with it the right, is lost. */
  readonly lost: AbortSignal
  /** Runs `work` while no other process runs work of the same name. */
  alone<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  release(): Promise<void>
}

/** Takes the lease of a task, or null while another process holds it. */
export async function takeLease(
  ctx: Pick<Ctx, 'db'>,
  { taskId }: { readonly taskId: string },
): Promise<Lease | null> {
  const controller = new AbortController()
  const client = await openLoneClient(ctx.db, (error) => controller.abort(error))
  try {
    if (await tryLock(client, `task:${taskId}`))
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

/** Whether a process works on the task right now. */
export async function isLeased(
  ctx: Pick<Ctx, 'db'>,
  { taskId }: { readonly taskId: string },
): Promise<boolean> {
  const lease = await takeLease(ctx, { taskId })
  await lease?.release()
  return lease === null
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
