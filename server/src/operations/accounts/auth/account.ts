import { eq } from 'drizzle-orm'
import type { ReadCtx, TxCtx } from '#server/context.ts'
import type { LinkRow, UserRow } from '#server/db/rows.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { users, wallets } from '#server/db/schema.ts'
import { grant } from '#server/operations/core/ledger/book.ts'
import { hadAccount, readMailbox } from './mailbox.ts'
import { FREE_TRIAL_DAYS, WELCOME_TOKENS } from '#spec/numbers.ts'

/** What follows in the transaction that makes an account; `referralCode` is the link's, or null. */
export type AfterSignUp = (
  ctx: TxCtx,
  account: { readonly userId: string; readonly referralCode: string | null },
) => Promise<void>

/**
 * The account of an address; makes user, trial wallet and first tokens if there is none. A mailbox
 * whose account was deleted has had its trial, so that its new account begins without tokens, as
 * does one whose mail said so. Exactly one account is made however many links of the address are
 * opened at the same time: the later transaction waits at the unique address.
 */
export async function findOrCreateAccount(
  ctx: TxCtx,
  { email, referralCode, hasTrial }: Pick<LinkRow, 'email' | 'referralCode' | 'hasTrial'>,
  afterSignUp: AfterSignUp,
): Promise<UserRow> {
  const now = ctx.clock()
  const hadTrial =
    !hasTrial || (await hadAccount(ctx, { mailbox: await readMailbox(ctx, { email }) }))
  const trialEndsAt = new Date(now.getTime() + (hadTrial ? 0 : FREE_TRIAL_DAYS * 86_400_000))
  const [created] = await ctx.db
    .insert(users)
    .values({ id: ctx.newId(), email, trialEndsAt, createdAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  if (created === undefined)
    return onlyRow(await ctx.db.select().from(users).where(eq(users.email, email)))
  const walletId = ctx.newId()
  await ctx.db.insert(wallets).values({
    id: walletId,
    userId: created.id,
    kind: hadTrial ? 'standard' : 'trial',
    createdAt: now,
  })
  if (!hadTrial)
    await grant(ctx, {
      walletId,
      kind: 'trial-grant',
      coinAmount: WELCOME_TOKENS,
      description: 'Welcome tokens',
      cause: 'signup',
      expiresAt: trialEndsAt,
    })
  await afterSignUp(ctx, { userId: created.id, referralCode })
  return created
}

/** The account of a lower-case address, or undefined. */
export async function findAccount(
  ctx: ReadCtx,
  { email }: { readonly email: string },
): Promise<UserRow | undefined> {
  const [row] = await ctx.db.select().from(users).where(eq(users.email, email))
  return row
}
