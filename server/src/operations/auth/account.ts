import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { users, wallets } from '#server/db/schema.ts'
import { TRIAL_DAYS } from '#server/policies/permissions.ts'
import { grant } from '#server/operations/ledger/book.ts'

export type UserRow = typeof users.$inferSelect

/**
 * Tokens a new account starts with; they expire with the trial (specification 000 §9, decision
 * 4.56).
 */
export const SIGNUP_COINS = 1000

/**
 * The account of an address, made when there is none: user, trial wallet and the first tokens,
 * exactly once however many links of the address are opened at the same time (the later transaction
 * waits at the unique address).
 */
export async function findOrCreateAccount(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId'>,
  email: string,
): Promise<UserRow> {
  const now = deps.clock()
  const trialEndsAt = new Date(now.getTime() + TRIAL_DAYS * 86_400_000)
  const [created] = await tx
    .insert(users)
    .values({ id: deps.newId(), email, trialEndsAt, createdAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  if (created === undefined) return (await findAccount(tx, email))! // the conflict proves that the row exists
  const walletId = deps.newId()
  await tx
    .insert(wallets)
    .values({ id: walletId, userId: created.id, kind: 'trial', createdAt: now })
  await grant(tx, deps, {
    walletId,
    kind: 'trial-grant',
    coinAmount: SIGNUP_COINS,
    description: 'Welcome tokens',
    cause: 'signup',
    expiresAt: trialEndsAt,
  })
  return created
}

/** The account of a (lower case) address. */
export async function findAccount(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.email, email))
  return row
}
