/**
 * Who may redeem a code: a person who is new, once, and only the code of another person.
 *
 * [Note: no reward for oneself] The owner of a code was here before the person who redeems it, so
 * that two accounts cannot reward each other. Accounts of one mailbox (`mailboxOf`: dots, plus
 * signs) are one person. A mailbox redeems once; its hash stays when an account is deleted, and the
 * codes of that account end with it.
 */
import { and, eq, ne } from 'drizzle-orm'
import { inTransaction, type ReadCtx, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { mailboxOf, referralRedemptions, users } from '#server/db/schema.ts'
import { hadAccount, hashMailbox } from '#server/operations/accounts/auth/mailbox.ts'
import { standingColumns } from '#server/operations/accounts/users/standing.ts'
import { notFound, Problem } from '#server/problems.ts'
import { findCode } from './find-code.ts'
import { findOwnRedemption, type RedemptionFacts } from './redemptions.ts'

/** Two people by id: who would redeem, and who owns the code. */
interface Sides {
  readonly refereeId: string
  readonly ownerId: string
}

/**
 * Redeems a code for the signed-in user, once for each person. Repeating it with the same code
 * answers what was redeemed. Refuses: `referrals/age-not-confirmed`, `referrals/not-found`,
 * `referrals/already-redeemed`, `referrals/own-code`, `referrals/not-new`.
 */
export async function redeemReferralCode(
  ctx: UserCtx,
  { code, isAtLeast18 = false }: { readonly code: string; readonly isAtLeast18?: boolean },
): Promise<RedemptionFacts> {
  refuseUnconfirmedAge(isAtLeast18)
  return await inTransaction(ctx, async (ctx) => {
    const found = await findCode(ctx, { code })
    if (found === undefined) throw notFound('referrals/not-found')
    const before = await findOwnRedemption(ctx)
    if (before?.code === found.code) return before
    await claimCode(ctx, { refereeId: ctx.user.id, code })
    const redemption = await findOwnRedemption(ctx)
    if (redemption === null) throw new Error('A redemption that was just stored is missing')
    return redemption
  })
}

/** Codes are for adults: who makes or redeems one says so each time. */
export function refuseUnconfirmedAge(isAtLeast18: boolean): void {
  if (!isAtLeast18)
    throw new Problem(
      'referrals/age-not-confirmed',
      'Please confirm that you are at least 18 years old.',
    )
}

/** Ties a person to a code, in the caller's transaction. Refuses like `redeemReferralCode`. */
export async function claimCode(
  ctx: TxCtx,
  { refereeId, code }: { readonly refereeId: string; readonly code: string },
): Promise<void> {
  const found = await findCode(ctx, { code })
  if (found === undefined) throw notFound('referrals/not-found')
  const mailbox = await refuseIneligible(ctx, { refereeId, ownerId: found.userId })
  const stored = await ctx.db
    .insert(referralRedemptions)
    .values({
      id: ctx.newId(),
      codeId: found.id,
      refereeUserId: refereeId,
      refereeMailboxHash: hashMailbox(ctx, mailbox),
      claimedAt: ctx.clock(),
    })
    .onConflictDoNothing()
    .returning({ id: referralRedemptions.id })
  if (stored.length === 0)
    throw new Problem('referrals/already-redeemed', 'You have already redeemed a referral code.')
}

/**
 * Returns the mailbox of a person who may redeem a code of the owner. Refuses with
 * `referrals/own-code` and `referrals/not-new`.
 */
export async function refuseIneligible(
  ctx: Pick<ReadCtx, 'db' | 'secrets'>,
  { refereeId, ownerId }: Sides,
): Promise<string> {
  const referee = await readPerson(ctx, refereeId)
  const owner = await readPerson(ctx, ownerId)
  if (refereeId === ownerId || referee.mailbox === owner.mailbox)
    throw new Problem('referrals/own-code', 'You cannot redeem your own referral code.')
  if (referee.hasSubscribed)
    throw notNew('Referral codes are for new subscribers, and you have subscribed before.')
  if (owner.createdAt > referee.createdAt)
    throw notNew('You were here before the person who made this code, so it is not for you.')
  if (await hasOtherAccount(ctx, referee))
    throw notNew('Referral codes are for new people, and this mailbox has another account.')
  if (await hadAccount(ctx, referee))
    throw notNew('Referral codes are for new people, and this mailbox had an account before.')
  return referee.mailbox
}

interface Person {
  readonly id: string
  readonly createdAt: Date
  readonly mailbox: string
  readonly hasSubscribed: boolean
}

async function readPerson(ctx: Pick<ReadCtx, 'db'>, id: string): Promise<Person> {
  const mailbox = mailboxOf(users.email)
  const { hasSubscribed } = standingColumns
  return onlyRow(
    await ctx.db
      .select({ id: users.id, createdAt: users.createdAt, mailbox, hasSubscribed })
      .from(users)
      .where(eq(users.id, id)),
  )
}

async function hasOtherAccount(
  ctx: Pick<ReadCtx, 'db'>,
  { id, mailbox }: Person,
): Promise<boolean> {
  const others = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(mailboxOf(users.email), mailbox), ne(users.id, id)))
    .limit(1)
  return others.length > 0
}

function notNew(message: string): Problem {
  return new Problem('referrals/not-new', message)
}
