import { eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { passkeys, users } from '#server/db/schema.ts'
import { countOfNetwork } from '#server/operations/core/limits.ts'
import type { SignedIn } from '#server/operations/accounts/auth/redeem.ts'
import { accountLocked } from '#server/operations/accounts/auth/locked.ts'
import { startSession } from '#server/operations/accounts/auth/sessions.ts'
import { keepAccount } from '#server/operations/accounts/users/keep-account.ts'
import { CHALLENGE_MS, issueChallenge, spendChallenge } from './challenge.ts'
import { passkeyRefused } from './refused.ts'
import { relyingPartyId, verifyAssertion, type Assertion } from './verify.ts'

/** Tries with a passkey from one client address in an hour. */
const TRIES_PER_CLIENT = 60

/** What the browser needs to sign in with a passkey of any account. */
export function beginSignIn(
  ctx: Ctx,
  { browserToken }: { readonly browserToken: string },
): components['schemas']['PasskeyRequestOptions'] {
  return {
    challenge: issueChallenge(ctx, { use: { kind: 'sign-in', browserToken } }),
    rpId: relyingPartyId(ctx),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  }
}

/** The answer of a device, and where it comes from. */
interface PasskeySignIn {
  readonly assertion: Assertion
  /** Null in a browser that did not ask for a challenge. */
  readonly browserToken: string | null
  readonly deviceName: string | null
  /** Value of its cookie that says that it signed in before, or null. */
  readonly deviceMark: string | null
  readonly clientNetwork: string
}

/**
 * Signs in by a passkey; takes a request to delete the account back, as every sign-in does.
 * Refuses: `auth/passkey-refused`, `auth/account-locked`, `request/too-many`.
 */
export async function signInByPasskey(
  ctx: Ctx,
  { assertion, browserToken, clientNetwork, ...device }: PasskeySignIn,
): Promise<Omit<SignedIn, 'redirectPath'>> {
  if (browserToken === null) throw passkeyRefused()
  const { clientDataJSON } = assertion
  const use = { kind: 'sign-in', browserToken } as const
  const challenge = await inTransaction(ctx, async (ctx) => {
    const spent = await spendChallenge(ctx, { clientDataJSON, use })
    // Only tries with a challenge count. Past the limit none is spent, so that nothing is stored.
    await countOfNetwork(ctx, {
      key: 'passkey:client',
      network: clientNetwork,
      limit: TRIES_PER_CLIENT,
      what: 'passkeys were tried',
    })
    return spent
  })
  const signedIn = await inTransaction(ctx, async (ctx) => {
    const ofCredential = eq(passkeys.credentialId, assertion.id)
    const [found] = await ctx.db
      .select({ passkey: passkeys, userId: passkeys.userId, lockedAt: users.lockedAt })
      .from(passkeys)
      .innerJoin(users, eq(users.id, passkeys.userId))
      .where(ofCredential)
    if (found !== undefined && found.lockedAt !== null) {
      const { passkey, userId } = found
      // Only who holds the passkey learns of the lock.
      await verifyAssertion(ctx, { passkey, assertion, challenge })
      const facts = { by: 'passkey' }
      await ctx.security.record(ctx.db, { event: 'locked-refused', userId, facts })
      return null
    }
    // The user's row is locked before the passkey's, as where accounts are erased.
    const user = found === undefined ? null : await keepAccount(ctx, found)
    const [passkey] = await ctx.db.select().from(passkeys).where(ofCredential).for('update')
    if (user === null || passkey === undefined) throw passkeyRefused()
    const changed = await verifyAssertion(ctx, { passkey, assertion, challenge })
    // Since it was found.
    if (user.lockedAt !== null) throw accountLocked()
    await ctx.db
      .update(passkeys)
      .set({ ...changed, lastUsedAt: ctx.clock() })
      .where(eq(passkeys.id, passkey.id))
    const { token, session } = await startSession(ctx, {
      ...device,
      user,
      by: 'passkey',
      isFirst: false,
    })
    return { kind: 'signed-in' as const, token, session, createdAt: user.createdAt }
  })
  if (signedIn === null) throw accountLocked()
  return signedIn
}
