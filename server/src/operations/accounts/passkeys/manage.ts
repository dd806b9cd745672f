import { and, count, desc, eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import {
  inTransaction,
  type ReadCtx,
  type TxCtx,
  type UserCtx,
  type WithUser,
} from '#server/context.ts'
import type { PasskeyRow } from '#server/db/rows.ts'
import { passkeys, users } from '#server/db/schema.ts'
import { passkeyAddedMail, passkeyRemovedMail } from '#server/mail/account-mail.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { notFound, Problem } from '#server/problems.ts'
import { CHALLENGE_MS, issueChallenge, spendChallenge } from './challenge.ts'
import { passkeyRefused } from './refused.ts'
import { ALGORITHMS, relyingPartyId, verifyNew, type NewCredential } from './verify.ts'

/** More than a person has devices; the list stays short. */
const PASSKEYS_AT_MOST = 20
/** Each one sends a mail. */
const ADDED_PER_HOUR = 10
/** Shown in the dialog of the system, where others may look on. */
const NAME_IN_DIALOGS = 'Onecut'

/** The user's passkeys, the newest first. */
export async function listPasskeys(ctx: ReadCtx & WithUser): Promise<PasskeyRow[]> {
  return await ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, ctx.user.id))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id))
}

/** What the browser needs to make a passkey for this user. Refuses: `passkeys/too-many`. */
export async function beginAdding(
  ctx: UserCtx,
  { sessionId }: { readonly sessionId: string },
): Promise<components['schemas']['PasskeyCreationOptions']> {
  const { id, email } = ctx.user
  const present = await listPasskeys(ctx)
  if (present.length >= PASSKEYS_AT_MOST) throw tooMany()
  return {
    rp: { id: relyingPartyId(ctx), name: NAME_IN_DIALOGS },
    user: {
      id: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: email,
      displayName: email,
    },
    challenge: issueChallenge(ctx, { use: { kind: 'add', sessionId } }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_MS,
    excludeCredentials: present.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
    // Kept on the device with the account's name, so that nothing has to be typed to sign in.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/**
 * Adds the passkey that the browser made, and tells the user by mail: a stolen session alone must
 * not stay unseen. `name` is null to be called after the device. Refuses: `auth/passkey-refused`,
 * `passkeys/too-many`, `request/too-many`.
 */
export async function addPasskey(
  ctx: UserCtx,
  {
    sessionId,
    credential,
    name,
    deviceName,
  }: {
    readonly sessionId: string
    readonly credential: NewCredential
    readonly name: string | null
    readonly deviceName: string | null
  },
): Promise<PasskeyRow> {
  const { clientDataJSON } = credential
  const use = { kind: 'add', sessionId } as const
  const challenge = await spendChallenge(ctx, { clientDataJSON, use })
  const made = await verifyNew(ctx, { credential, challenge })
  return await inTransaction(ctx, async (ctx) => {
    const { id: userId, email } = ctx.user
    await countOrRefuse(ctx, {
      key: `passkey-added:${userId}`,
      limit: ADDED_PER_HOUR,
      what: 'passkeys were added',
    })
    await refuseTooMany(ctx, userId)
    const [row] = await ctx.db
      .insert(passkeys)
      .values({
        ...made,
        id: ctx.newId(),
        userId,
        name: name?.trim() ?? deviceName ?? 'Passkey',
        createdAt: ctx.clock(),
        lastUsedAt: null,
      })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning()
    // Ids are random: this one was seen elsewhere.
    if (row === undefined) throw passkeyRefused()
    await ctx.security.record(ctx.db, { event: 'passkey-added', userId })
    await queueMail(ctx, passkeyAddedMail({ to: email, name: row.name, accountUrl: urlOf(ctx) }))
    return row
  })
}

/** Removes a passkey and says so by mail, or `passkeys/not-found` when that is done already. */
export async function removePasskey(ctx: UserCtx, { id }: { readonly id: string }): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [removed] = await ctx.db
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, ctx.user.id)))
      .returning({ name: passkeys.name })
    if (removed === undefined) throw notFound('passkeys/not-found')
    const { id: userId, email: to } = ctx.user
    await ctx.security.record(ctx.db, { event: 'passkey-removed', userId })
    await queueMail(ctx, passkeyRemovedMail({ to, name: removed.name, accountUrl: urlOf(ctx) }))
  })
}

/** Two that are added at once queue on the user's row. */
async function refuseTooMany(ctx: TxCtx, userId: string): Promise<void> {
  await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [present] = await ctx.db
    .select({ number: count() })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
  if ((present?.number ?? 0) >= PASSKEYS_AT_MOST) throw tooMany()
}

function tooMany(): Problem {
  return new Problem(
    'passkeys/too-many',
    `You have ${PASSKEYS_AT_MOST} passkeys already. Remove one first.`,
  )
}

function urlOf({ settings }: Pick<TxCtx, 'settings'>): string {
  return new URL('/user-profile', settings.publicOrigin).href
}
