import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type ReadCtx } from '#server/context.ts'
import type { Leases } from '#server/db/leases.ts'
import type { JobKind, JobKinds } from '#server/jobs/port.ts'

/**
 * What is worked on: a task, or a segment of one, is rendered, an upload checked or searched for
 * moments, or the imports of an account are fetched, or its results saved to drives, one after the
 * other.
 */
type Leased =
  | { readonly taskId: string }
  | { readonly segmentId: string }
  | { readonly uploadRequestId: string }
  | { readonly searchedId: string }
  | { readonly importsOfUserId: string }
  | { readonly savesOfUserId: string }

/** The right to work on a task or upload, [Note: leases] in db/leases.ts. */
export interface Lease {
  /** Aborts when the right is lost. */
  readonly lost: AbortSignal
  /**
   * Runs `work` while no other process runs work of the same name. Losing that right loses this
   * one as well.
   */
  alone<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  release(): Promise<void>
}

/** The names of all leases that are held, as the table `living_leases` of a `with` clause. */
export const livingLeases = sql`living_leases as materialized (
  select name from leases where expires_at > now())`

/** Takes the lease, or null while another process holds it. */
export async function takeLease(
  { leases }: Pick<Ctx, 'leases'>,
  leased: Leased,
): Promise<Lease | null> {
  const own = await leases.take(nameOf(leased))
  if (own === null) return null
  const others = new AbortController()
  return {
    lost: AbortSignal.any([own.lost, others.signal]),
    alone: async (name, signal, work) => await alone(leases, { name, signal, others }, work),
    release: own.release,
  }
}

/** Whether a process works on it right now. */
export async function isLeased(ctx: Pick<ReadCtx, 'db'>, leased: Leased): Promise<boolean> {
  const { rows } = await ctx.db.execute(
    sql`select 1 from leases where name = ${nameOf(leased)} and expires_at > now()`,
  )
  return rows.length > 0
}

/**
 * Queues a message again for the end of the lease that another process holds, so that its work goes
 * on where that process is frozen or cut off. Where this process itself holds it, nothing is
 * queued: were it to die, the message that it works for would be delivered again.
 */
export async function queueAfterLease<K extends JobKind>(
  ctx: Pick<Ctx, 'db' | 'queue' | 'leases'>,
  leased: Leased,
  kind: K,
  data: JobKinds[K],
): Promise<void> {
  const name = nameOf(leased)
  const { rows } = await ctx.db.execute<{ owner: string; left_s: number }>(sql`
    select owner, ceil(extract(epoch from expires_at - now()))::int as left_s
    from leases where name = ${name}`)
  const [lease] = rows
  if (lease?.owner === ctx.leases.owner) return
  const startAfterS = Math.max(0, lease?.left_s ?? 0) + 1
  // Beside what is due for other reasons, which need not wait.
  const options = { singletonKey: `after ${name}`, startAfterS }
  await inTransaction(ctx, async ({ db, queue }) => await queue.enqueue(db, kind, data, options))
}

function nameOf(leased: Leased): string {
  if ('taskId' in leased) return `task:${leased.taskId}`
  if ('segmentId' in leased) return `segment:${leased.segmentId}`
  if ('importsOfUserId' in leased) return `imports:${leased.importsOfUserId}`
  if ('savesOfUserId' in leased) return `drive-saves:${leased.savesOfUserId}`
  return 'searchedId' in leased ? searchName(leased.searchedId) : `check:${leased.uploadRequestId}`
}

/** The name under which one at a time searches an upload for moments. */
export function searchName(uploadRequestId: string): string {
  return `moments:${uploadRequestId}`
}

interface Alone {
  readonly name: string
  readonly signal: AbortSignal
  /** Ends the work for which this is done. */
  readonly others: AbortController
}

async function alone<T>(
  leases: Leases,
  { name, signal, others }: Alone,
  work: () => Promise<T>,
): Promise<T> {
  let lease = await leases.take(name)
  while (lease === null) {
    await setTimeout(500, undefined, { signal })
    lease = await leases.take(name)
  }
  const onLost = (): void => others.abort(lease.lost.reason)
  lease.lost.addEventListener('abort', onLost)
  try {
    return await work()
  } finally {
    lease.lost.removeEventListener('abort', onLost)
    await lease.release()
  }
}
