import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { rateEvents } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/** Sign-in mails to one address in an hour. */
export const LINKS_PER_ADDRESS = 5
/** Requests for sign-in mails from one client address in an hour. */
export const LINKS_PER_CLIENT = 20
const WINDOW_MS = 60 * 60 * 1000

/**
 * Counts one event under a key, or refuses with `request/too-many` and the time to wait when the
 * last hour holds `limit` of them. A refused event does not count, so that waiting always helps.
 * Simultaneous requests queue on the key. `what` says what was too much, e.g. 'emails were
 * requested'.
 */
export async function countOrRefuse(
  ctx: TxCtx,
  { key, limit, what }: { readonly key: string; readonly limit: number; readonly what: string },
): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const now = ctx.clock()
  const recent = await ctx.db
    .select({ at: rateEvents.at })
    .from(rateEvents)
    .where(and(eq(rateEvents.key, key), gt(rateEvents.at, new Date(now.getTime() - WINDOW_MS))))
    .orderBy(desc(rateEvents.at))
    .limit(limit)
  const oldest = recent.at(limit - 1)
  if (oldest !== undefined)
    throw tooMany(what, Math.ceil((oldest.at.getTime() + WINDOW_MS - now.getTime()) / 1000))
  await ctx.db.insert(rateEvents).values({ key, at: now })
}

function tooMany(what: string, retryAfterS: number): Problem {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60))
  return new Problem(
    'request/too-many',
    `Too many ${what}. Please try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { retryAfterS: Math.max(1, retryAfterS) },
  )
}
