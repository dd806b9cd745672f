/** What the operator sees and does of accounts, beside the running server. */
import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { SecurityEventRow, UserRow } from '#server/db/rows.ts'
import type { SecurityEventName } from '#server/db/security-log.ts'
import {
  mediaJobs,
  passkeys,
  securityEvents,
  sessions,
  uploadRequests,
  users,
} from '#server/db/schema.ts'

/** What acts of the operator need. */
export type OperatorCtx = Pick<Ctx, 'db' | 'clock' | 'security'>

/** An account with what belongs to it. */
export interface AccountStanding {
  readonly user: UserRow
  readonly devices: number
  readonly passkeys: number
  readonly uploads: number
  readonly jobs: number
}

/** The newest accounts that are not deleted. */
export async function listAccounts(
  { db }: OperatorCtx,
  { limit }: { readonly limit: number },
): Promise<UserRow[]> {
  return await db
    .select()
    .from(users)
    .where(isNull(users.deletedAt))
    .orderBy(desc(users.id))
    .limit(limit)
}

/** An account by its id or address, or null. The look is recorded: it shows a person's address. */
export async function lookAtAccount(
  ctx: OperatorCtx,
  { name }: { readonly name: string },
): Promise<AccountStanding | null> {
  const user = await findUser(ctx, name)
  if (user === null) return null
  await ctx.security.record(ctx.db, { event: 'operator-looked', userId: user.id })
  const { db } = ctx
  const isOfUser = eq(sessions.userId, user.id)
  const [devices] = await db
    .select({ number: count() })
    .from(sessions)
    .where(and(isOfUser, gt(sessions.expiresAt, ctx.clock())))
  const numberOf = async (table: typeof passkeys | typeof uploadRequests | typeof mediaJobs) => {
    const [row] = await db.select({ number: count() }).from(table).where(eq(table.userId, user.id))
    return row?.number ?? 0
  }
  return {
    user,
    devices: devices?.number ?? 0,
    passkeys: await numberOf(passkeys),
    uploads: await numberOf(uploadRequests),
    jobs: await numberOf(mediaJobs),
  }
}

/**
 * Locks an account: its sessions end, and it cannot sign in until it is unlocked. Repeating is
 * harmless. Null without such an account.
 */
export async function lockAccount(
  ctx: OperatorCtx,
  { name }: { readonly name: string },
): Promise<UserRow | null> {
  return await changeLock(ctx, name, 'account-locked')
}

/** Takes the lock off; null without such an account. */
export async function unlockAccount(
  ctx: OperatorCtx,
  { name }: { readonly name: string },
): Promise<UserRow | null> {
  return await changeLock(ctx, name, 'account-unlocked')
}

async function changeLock(
  ctx: OperatorCtx,
  name: string,
  event: 'account-locked' | 'account-unlocked',
): Promise<UserRow | null> {
  const found = await findUser(ctx, name)
  if (found === null) return null
  return await inTransaction(ctx, async (ctx) => {
    // The row's lock comes first: a sign-in at the same time ends with the others or sees the lock.
    const [user] = await ctx.db
      .update(users)
      .set({
        lockedAt:
          event === 'account-locked' ? sql`coalesce(${users.lockedAt}, ${ctx.clock()})` : null,
      })
      .where(eq(users.id, found.id))
      .returning()
    if (user === undefined) return null
    if (event === 'account-locked')
      await ctx.db.delete(sessions).where(eq(sessions.userId, user.id))
    await ctx.security.record(ctx.db, { event, userId: user.id })
    return user
  })
}

/** Which events to show; null for all. */
interface LogWanted {
  readonly userId: string | null
  readonly event: SecurityEventName | null
  readonly limit: number
}

/** The newest events, oldest first, as they are read in a terminal. */
export async function readSecurityLog(
  { db }: OperatorCtx,
  { userId, event, limit }: LogWanted,
): Promise<SecurityEventRow[]> {
  const newest = await db
    .select()
    .from(securityEvents)
    .where(
      and(
        userId === null ? undefined : eq(securityEvents.userId, userId),
        event === null ? undefined : eq(securityEvents.event, event),
      ),
    )
    .orderBy(desc(securityEvents.id))
    .limit(limit)
  return newest.toReversed()
}

async function findUser({ db }: OperatorCtx, name: string): Promise<UserRow | null> {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name)
  const [user] = await db
    .select()
    .from(users)
    .where(isId ? eq(users.id, name) : eq(users.email, name.trim().toLowerCase()))
  return user ?? null
}
