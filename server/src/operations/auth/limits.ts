import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { rateEvents } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/**
 * Mails to one address in an hour, and requests of one client in an hour (behaviour: identity and
 * session).
 */
export const LINKS_PER_ADDRESS = 5
export const LINKS_PER_CLIENT = 20
const WINDOW_MS = 60 * 60 * 1000

/**
 * Counts one event and refuses with 429 (and when to try again) once `limit` of the last hour are
 * reached. A refused event is not counted, so that waiting always helps. Safe against simultaneous
 * requests: they queue on the key.
 */
export async function countOrRefuse(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  key: string,
  limit: number,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const now = deps.clock()
  const recent = await tx
    .select({ at: rateEvents.at })
    .from(rateEvents)
    .where(and(eq(rateEvents.key, key), gt(rateEvents.at, new Date(now.getTime() - WINDOW_MS))))
    .orderBy(desc(rateEvents.at))
    .limit(limit)
  const oldest = recent.at(limit - 1)
  if (oldest !== undefined)
    throw tooMany(Math.ceil((oldest.at.getTime() + WINDOW_MS - now.getTime()) / 1000))
  await tx.insert(rateEvents).values({ key, at: now })
}

function tooMany(retryAfterS: number): Problem {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60))
  return new Problem(
    'request/too-many',
    `Too many emails were requested. Please try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { retryAfterS: Math.max(1, retryAfterS) },
  )
}
