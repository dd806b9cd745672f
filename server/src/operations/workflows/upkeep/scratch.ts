import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { livingLeases } from '#server/operations/core/lease.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes folders that no process cleaned up: those of attempts at edits and segments whose lease
 * has ended, and all that nothing has touched for two days. A running attempt writes to its folder.
 * Harmless beside work, also of other processes that share the scratch folder.
 */
export async function removeLeftScratch(ctx: Ctx): Promise<void> {
  const scratch = ctx.settings.scratchDir
  // Before the leases are read: an attempt that begins meanwhile is none of these.
  const names = await readdir(scratch).catch(() => [])
  const leased = names.some((name) => ATTEMPT.test(name)) ? await readLeased(ctx) : new Set()
  const before = ctx.clock().getTime() - 2 * DAY_MS
  for (const name of names) {
    const path = join(scratch, name)
    const touched = await stat(path).then(
      (facts) => facts.mtimeMs,
      () => Infinity,
    )
    const attempted = ATTEMPT.exec(name)?.[1]
    const isLeft = attempted !== undefined && !leased.has(attempted)
    if (isLeft || touched < before) await rm(path, { recursive: true, force: true })
  }
}

/** `task-` or `segment-` with its id, and the number of the attempt. */
const ATTEMPT = /^((?:task|segment)-.+)-\d+$/

async function readLeased(ctx: Pick<Ctx, 'db'>): Promise<ReadonlySet<string>> {
  const { rows } = await ctx.db.execute<{ name: string }>(sql`
    with ${livingLeases} select name from living_leases
    where name like 'task:%' or name like 'segment:%'`)
  return new Set(rows.map(({ name }) => name.replace(':', '-')))
}
