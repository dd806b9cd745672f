import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { rateEvents } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { hashToken } from './tokens.ts'

/** Sign-in mails to one address in an hour that one asker, or one known device, may request. */
export const LINKS_PER_ASKER = 5
/** Sign-in mails to one address in an hour that all unknown devices may request together. */
export const LINKS_PER_ADDRESS = 20
/** Requests for sign-in mails from one client network in an hour. */
export const LINKS_PER_CLIENT = 20
/**
 * Codes of mails to one address that unknown devices may get wrong in a day. Its links work beyond
 * that, so that strangers who use this up lock no person out.
 */
const WRONG_CODES_PER_ADDRESS = 15
const WINDOW_MS = 60 * 60 * 1000
const WRONG_CODES_MS = 24 * 60 * 60 * 1000

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

/** Whether one more code may be tried for an address; simultaneous tries queue. */
export async function mayTryCode(
  ctx: TxCtx,
  { email }: { readonly email: string },
): Promise<boolean> {
  const key = wrongCodesOf(email)
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const since = new Date(ctx.clock().getTime() - WRONG_CODES_MS)
  const wrong = and(eq(rateEvents.key, key), gt(rateEvents.at, since))
  return (await ctx.db.$count(rateEvents, wrong)) < WRONG_CODES_PER_ADDRESS
}

/** Counts a wrong try once for each of the codes that it could have hit. */
export async function countWrongCode(
  ctx: TxCtx,
  { email, codes }: { readonly email: string; readonly codes: number },
): Promise<void> {
  if (codes === 0) return
  const wrong = { key: wrongCodesOf(email), at: ctx.clock() }
  await ctx.db.insert(rateEvents).values(Array.from({ length: codes }, () => wrong))
}

function wrongCodesOf(email: string): string {
  return `code-wrong:${hashToken(email)}`
}

function tooMany(what: string, retryAfterS: number): Problem {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60))
  return new Problem(
    'request/too-many',
    `Too many ${what}. Please try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { retryAfterS: Math.max(1, retryAfterS) },
  )
}
