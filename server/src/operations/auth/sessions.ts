/**
 * Sessions. The HttpOnly cookie `onecut_session` is the authority; its value is random and stored
 * hashed. `editorUserAuthJwt` is readable by script, only displays who is signed in, and is never
 * trusted here.
 */
import { createHash, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { permissionsOf } from '#server/policies/permissions.ts'

/** A live session with the person behind it, as the database knows them now. */
export interface Session {
  readonly sessionId: string
  readonly expiresAt: Date
  /** True when this use has moved `expiresAt`, so that the cookies' lifetimes should follow. */
  readonly isExtended: boolean
  readonly user: CurrentUser
}

/** Name of the cookie that pages read (specification 000 §4). */
export const DISPLAY_COOKIE = 'editorUserAuthJwt'

/** A session ends this long after its last use. */
export const SESSION_DAYS = 60
/** The last use is written at most this often, so that reads stay reads. */
const TOUCH_EVERY_MS = 60 * 60 * 1000

/**
 * The person of a session cookie, or null when it is unknown or over. Permissions are worked out
 * anew on every call.
 */
export async function loadSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  { token }: { readonly token: string },
): Promise<Session | null> {
  const now = deps.clock()
  const [row] = await deps.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, now)))
  if (row === undefined) return null
  const isExtended = now.getTime() - row.session.lastSeenAt.getTime() >= TOUCH_EVERY_MS
  const expiresAt = isExtended ? sessionEnd(now) : row.session.expiresAt
  if (isExtended)
    await deps.db
      .update(sessions)
      .set({ lastSeenAt: now, expiresAt })
      .where(eq(sessions.id, row.session.id))
  return {
    sessionId: row.session.id,
    expiresAt,
    isExtended,
    user: { id: row.user.id, email: row.user.email, permissions: permissionsOf(row.user, [], now) },
  }
}

/** Opens a session; the token goes into the cookie and is kept nowhere else. */
export async function startSession(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId'>,
  user: typeof users.$inferSelect,
): Promise<{ token: string; session: Session }> {
  const now = deps.clock()
  const token = randomBytes(32).toString('base64url')
  const sessionId = deps.newId()
  const expiresAt = sessionEnd(now)
  await tx.insert(sessions).values({
    id: sessionId,
    userId: user.id,
    tokenHash: hashToken(token),
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  })
  return {
    token,
    session: {
      sessionId,
      expiresAt,
      isExtended: true,
      user: { id: user.id, email: user.email, permissions: permissionsOf(user, [], now) },
    },
  }
}

/** Ends a session; one that is already over is fine. */
export async function endSession(deps: Pick<Deps, 'db'>, sessionId: string): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.id, sessionId))
}

/**
 * The value of `editorUserAuthJwt`: payload `user: {_id, email, permissions}` (HS256), valid as
 * long as the session.
 */
export async function issueDisplayToken(
  deps: Pick<Deps, 'clock' | 'secrets'>,
  { session }: { readonly session: Session },
): Promise<string> {
  const { id, email, permissions } = session.user
  return new SignJWT({ user: { _id: id, email, permissions: [...permissions] } })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(seconds(deps.clock()))
    .setExpirationTime(seconds(session.expiresAt))
    .sign(deps.secrets.session)
}

/**
 * A fresh `editorUserAuthJwt` when the given one does not show the person as they are now, else
 * null.
 */
export async function refreshDisplayToken(
  deps: Pick<Deps, 'clock' | 'secrets'>,
  { session, current }: { readonly session: Session; readonly current: string | undefined },
): Promise<string | null> {
  const shown = current === undefined ? null : await readDisplayedUser(deps, current)
  const { id, email, permissions } = session.user
  const isCurrent =
    !session.isExtended &&
    shown === JSON.stringify({ _id: id, email, permissions: [...permissions] })
  return isCurrent ? null : issueDisplayToken(deps, { session })
}

async function readDisplayedUser(
  deps: Pick<Deps, 'clock' | 'secrets'>,
  token: string,
): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, deps.secrets.session, {
      algorithms: ['HS256'],
      currentDate: deps.clock(),
    })
    return JSON.stringify(payload['user'])
  } catch {
    // Malformed, expired or signed by an older key: a new one follows.
    return null
  }
}

/** SHA-256, hex: what is stored of a random token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function sessionEnd(now: Date): Date {
  return new Date(now.getTime() + SESSION_DAYS * 86_400_000)
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
