/**
 * Sessions. The HttpOnly cookie `onecut_session` is the authority; its value is random and stored
 * as a hash. `editorUserAuthJwt` can be read by script: it only displays who is signed in, and the
 * server never trusts it.
 */
import { randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { Ctx, TxCtx } from '#server/context.ts'
import type { UserRow } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema.ts'
import { newDeviceMail } from '#server/mail/account-mail.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { readStanding, standingColumns } from '#server/operations/accounts/users/standing.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { permissionsOf, type SubscriptionStanding } from '#server/policies/permissions.ts'
import { knownDevice } from './known-device.ts'
import { hashToken } from '#server/operations/core/tokens.ts'

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

/** A session ends this long after its last use; `sessionDays` of the settings count its begin. */
const IDLE_DAYS = 60
const DAY_MS = 86_400_000
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
  return await liveSession(ctx, eq(sessions.tokenHash, hashToken(token)))
}

/** The same of a session's id, for what was signed for it. */
export async function loadSessionById(
  ctx: Ctx,
  { sessionId }: { readonly sessionId: string },
): Promise<Session | null> {
  return await liveSession(ctx, eq(sessions.id, sessionId))
}

async function liveSession(ctx: Ctx, which: SQL): Promise<Session | null> {
  const now = ctx.clock()
  const [row] = await ctx.db
    .select({ session: sessions, user: users, standing: standingColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(which, isLive(ctx)))
  if (row === undefined) return null
  const isExtended = now.getTime() - row.session.lastSeenAt.getTime() >= TOUCH_EVERY_MS
  const expiresAt = isExtended ? sessionEnd(ctx, row.session.createdAt) : row.session.expiresAt
  if (isExtended)
    await ctx.db
      .update(sessions)
      .set({ lastSeenAt: now, expiresAt })
      .where(eq(sessions.id, row.session.id))
  const user = toCurrentUser(ctx, row.user, row.standing)
  return { sessionId: row.session.id, expiresAt, isExtended, user }
}

/** Whose session begins, where, and by what. */
interface NewSession {
  readonly user: UserRow
  readonly deviceName: string | null
  /** Value of the cookie that marks a browser as one that signed in before, or null. */
  readonly deviceMark: string | null
  readonly by: 'link' | 'code' | 'passkey'
  /** It makes the account, so that its device is no news. */
  readonly isFirst: boolean
}

/** Opens a session. The token goes into the cookie and is kept nowhere else. */
export async function startSession(
  ctx: TxCtx,
  begun: NewSession,
): Promise<{ token: string; session: Session }> {
  const { user, deviceName, by } = begun
  const now = ctx.clock()
  const token = randomBytes(32).toString('base64url')
  const sessionId = ctx.newId()
  const expiresAt = sessionEnd(ctx, now)
  await ctx.db.insert(sessions).values({
    id: sessionId,
    userId: user.id,
    tokenHash: hashToken(token),
    deviceName,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  })
  await ctx.security.record(ctx.db, { event: 'signed-in', userId: user.id, facts: { by } })
  await tellOfNewDevice(ctx, begun)
  const standing = await readStanding(ctx, { userId: user.id })
  const shown = toCurrentUser(ctx, user, standing)
  return { token, session: { sessionId, expiresAt, isExtended: true, user: shown } }
}

/** A mail to the person when a browser signs in that has not before: it may be a stranger's. */
async function tellOfNewDevice(
  ctx: TxCtx,
  { user, deviceName, deviceMark, isFirst }: NewSession,
): Promise<void> {
  const { id: userId, email } = user
  if (isFirst || knownDevice(ctx, { mark: deviceMark, email }) !== null) return
  await ctx.security.record(ctx.db, { event: 'new-device', userId })
  const accountUrl = new URL('/user-profile', ctx.settings.publicOrigin).href
  await queueMail(ctx, newDeviceMail({ to: email, deviceName, at: ctx.clock(), accountUrl }))
}

/** Ends a session; does nothing when it is already over. */
export async function endSession(
  ctx: Ctx,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const [ended] = await ctx.db
    .delete(sessions)
    .where(eq(sessions.id, sessionId))
    .returning({ userId: sessions.userId })
  if (ended === undefined) return
  const { userId } = ended
  await ctx.security.record(ctx.db, { event: 'signed-out', userId, facts: { which: 'this' } })
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
    .sign(ctx.secrets.session.signing)
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
    const { payload } = await jwtVerify(token, ctx.secrets.session.signing, {
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

/** Of sessions that are not over. Asks for the begin too: the setting may have become shorter. */
export function isLive({ clock, settings }: Pick<Ctx, 'clock' | 'settings'>): SQL | undefined {
  const now = clock()
  const begunAfter = new Date(now.getTime() - settings.sessionDays * DAY_MS)
  return and(gt(sessions.expiresAt, now), gt(sessions.createdAt, begunAfter))
}

function sessionEnd({ clock, settings }: Pick<Ctx, 'clock' | 'settings'>, begun: Date): Date {
  const idle = clock().getTime() + IDLE_DAYS * DAY_MS
  return new Date(Math.min(idle, begun.getTime() + settings.sessionDays * DAY_MS))
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
