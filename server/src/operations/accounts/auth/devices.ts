import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { ReadCtx, UserCtx, WithUser } from '#server/context.ts'
import type { SessionRow } from '#server/db/rows.ts'
import { sessions } from '#server/db/schema.ts'
import { isLive } from './sessions.ts'
import { notFound } from '#server/problems.ts'

/** The session that asks. */
interface Asking {
  readonly sessionId: string
}

/** More than one person signs in with; a script must not make the list costly. */
const SHOWN_AT_MOST = 100

/**
 * The user's sessions that have not ended: the one that asks, then those used last; 100 at most.
 */
export async function listDevices(
  ctx: ReadCtx & WithUser,
  { sessionId }: Asking,
): Promise<SessionRow[]> {
  return await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, ctx.user.id), isLive(ctx)))
    .orderBy(desc(sql`${sessions.id} = ${sessionId}`), desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(SHOWN_AT_MOST)
}

/** Signs one of the user's devices out, or `auth/session-not-found` when that is done already. */
export async function signOutDevice(ctx: UserCtx, { id }: { readonly id: string }): Promise<void> {
  const ended = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, ctx.user.id)))
    .returning({ id: sessions.id })
  if (ended.length === 0) throw notFound('auth/session-not-found')
  await ctx.security.record(ctx.db, {
    event: 'signed-out',
    userId: ctx.user.id,
    facts: { which: 'another' },
  })
}

/** Signs all of the user's devices out but the one that asks; repeating is harmless. */
export async function signOutOthers(ctx: UserCtx, { sessionId }: Asking): Promise<void> {
  await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.userId, ctx.user.id), ne(sessions.id, sessionId)))
  await ctx.security.record(ctx.db, {
    event: 'signed-out',
    userId: ctx.user.id,
    facts: { which: 'others' },
  })
}
