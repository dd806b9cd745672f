/**
 * Sessions. The HttpOnly cookie `onecut_session` is the authority; its value is random and stored
 * as a hash. `editorUserAuthJwt` can be read by script: it only displays who is signed in, and the
 * server never trusts it.
 */
import { randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { and, eq, gt } from 'drizzle-orm'
import type { Ctx, TxCtx } from '#server/context.ts'
import type { UserRow } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema.ts'
import { readStanding, standingColumns } from '#server/operations/subscriptions/standing.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { permissionsOf, type SubscriptionStanding } from '#server/policies/permissions.ts'
import { hashToken } from './tokens.ts'

/** A live session with the person behind it, as the database knows them now. */
export interface Session {
  readonly sessionId: string
  readonly expiresAt: Date
  /** True when this use has moved `expiresAt`, so that the cookies' lifetimes must follow. */
  readonly isExtended: boolean
  readonly user: CurrentUser
}

/** Name of the cookie that pages read. */
export const DISPLAY_COOKIE = 'editorUserAuthJwt'

/** A session ends this long after its last use. */
const SESSION_DAYS = 60
/** The last use is written at most this often, so that reads stay reads. */
const TOUCH_EVERY_MS = 60 * 60 * 1000

/**
 * The session of a cookie's token, or null when it is unknown or over. Permissions are worked out
 * on every call.
 */
export async function loadSession(
  ctx: Ctx,
  { token }: { readonly token: string },
): Promise<Session | null> {
  const now = ctx.clock()
  const [row] = await ctx.db
    .select({ session: sessions, user: users, standing: standingColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, now)))
  if (row === undefined) return null
  const isExtended = now.getTime() - row.session.lastSeenAt.getTime() >= TOUCH_EVERY_MS
  const expiresAt = isExtended ? sessionEnd(now) : row.session.expiresAt
  if (isExtended)
    await ctx.db
      .update(sessions)
      .set({ lastSeenAt: now, expiresAt })
      .where(eq(sessions.id, row.session.id))
  const user = toCurrentUser(ctx, row.user, row.standing)
  return { sessionId: row.session.id, expiresAt, isExtended, user }
}

/** Opens a session. The token goes into the cookie and is kept nowhere else. */
export async function startSession(
  ctx: TxCtx,
  { user, deviceName }: { readonly user: UserRow; readonly deviceName: string | null },
): Promise<{ token: string; session: Session }> {
  const now = ctx.clock()
  const token = randomBytes(32).toString('base64url')
  const sessionId = ctx.newId()
  const expiresAt = sessionEnd(now)
  await ctx.db.insert(sessions).values({
    id: sessionId,
    userId: user.id,
    tokenHash: hashToken(token),
    deviceName,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  })
  const standing = await readStanding(ctx, { userId: user.id })
  const shown = toCurrentUser(ctx, user, standing)
  return { token, session: { sessionId, expiresAt, isExtended: true, user: shown } }
}

/** Ends a session; does nothing when it is already over. */
export async function endSession(
  ctx: Ctx,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  await ctx.db.delete(sessions).where(eq(sessions.id, sessionId))
}

/**
 * The value of `editorUserAuthJwt`: payload `user: {_id, email, permissions}` (HS256), valid as
 * long as the session.
 */
export async function issueDisplayToken(
  ctx: Pick<Ctx, 'clock' | 'secrets'>,
  { session }: { readonly session: Session },
): Promise<string> {
  return await new SignJWT({ user: displayedUser(session) })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(seconds(ctx.clock()))
    .setExpirationTime(seconds(session.expiresAt))
    .sign(ctx.secrets.session)
}

/** A fresh display token when `current` does not show the person as they are now, else null. */
export async function refreshDisplayToken(
  ctx: Pick<Ctx, 'clock' | 'secrets'>,
  { session, current }: { readonly session: Session; readonly current: string | undefined },
): Promise<string | null> {
  const shown = current === undefined ? null : await readDisplayedUser(ctx, current)
  const isCurrent = !session.isExtended && shown === JSON.stringify(displayedUser(session))
  return isCurrent ? null : await issueDisplayToken(ctx, { session })
}

function displayedUser({ user }: Session) {
  return { _id: user.id, email: user.email, permissions: [...user.permissions] }
}

async function readDisplayedUser(
  ctx: Pick<Ctx, 'clock' | 'secrets'>,
  token: string,
): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, ctx.secrets.session, {
      algorithms: ['HS256'],
      currentDate: ctx.clock(),
    })
    return JSON.stringify(payload['user'])
  } catch {
    // Malformed, expired or signed by an older key: a new one follows.
    return null
  }
}

function toCurrentUser(
  { clock, settings }: Pick<Ctx, 'clock' | 'settings'>,
  user: UserRow,
  standing: SubscriptionStanding,
): CurrentUser {
  const { takesPayments } = settings
  const permissions = permissionsOf(user, standing, { now: clock(), takesPayments })
  return { id: user.id, email: user.email, permissions }
}

function sessionEnd(now: Date): Date {
  return new Date(now.getTime() + SESSION_DAYS * 86_400_000)
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
