import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { LinkRow } from '#server/db/rows.ts'
import { magicLinks } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { keepAccount } from '#server/operations/accounts/users/keep-account.ts'
import { findAccount, findOrCreateAccount, type AfterSignUp } from './account.ts'
import { normaliseEmail } from './email.ts'
import { knownDevice } from './known-device.ts'
import { countWrongCode, mayTryCode } from '#server/operations/core/limits.ts'
import { hashCode } from './request-link.ts'
import { accountLocked } from './locked.ts'
import { startSession, type Session } from './sessions.ts'
import { hashToken } from '#server/operations/core/tokens.ts'

/** A sign-in: `token` is for the session cookie, `redirectPath` is a page of this site. */
export interface SignedIn {
  readonly kind: 'signed-in'
  readonly token: string
  readonly session: Session
  readonly createdAt: Date
  readonly redirectPath: string
}
/** The link was used before, is too old, or never existed: a new mail is needed. */
interface LinkRefused {
  readonly kind: 'link-invalid'
}
/** The operator has locked the account; the link stays as it was. */
interface AccountLocked {
  readonly kind: 'account-locked'
}

/** Tries to type the code of one mail. */
const CODE_TRIES = 5

/** Whether a link would work now. Looking never uses it up, because mail scanners open links. */
export async function isLinkUsable(
  ctx: Ctx,
  { token }: { readonly token: string },
): Promise<boolean> {
  const [link] = await ctx.db
    .select()
    .from(magicLinks)
    .where(eq(magicLinks.tokenHash, hashToken(token)))
  return isUsable(ctx, link)
}

/** Signs in by the link of a mail, once. Makes the account on first use. */
export async function redeemLink(
  ctx: Ctx,
  { token, ...device }: { readonly token: string } & OfDevice,
  afterSignUp: AfterSignUp,
): Promise<SignedIn | LinkRefused | AccountLocked> {
  return await inTransaction(ctx, async (ctx) => {
    const [link] = await ctx.db
      .select()
      .from(magicLinks)
      .where(eq(magicLinks.tokenHash, hashToken(token)))
      .for('update')
    return isUsable(ctx, link)
      ? await signIn(ctx, link, { by: 'link', ...device, afterSignUp })
      : { kind: 'link-invalid' }
  })
}

/** The device that the session is for, as its person would call it; null when it is not known. */
interface OfDevice {
  readonly deviceName: string | null
  /** Value of its cookie that says that it signed in before, or null. */
  readonly deviceMark: string | null
}

/** A typed code; `browserToken` is null in a browser that did not ask for the mail. */
interface TypedCode extends OfDevice {
  readonly email: string
  readonly code: string
  readonly browserToken: string | null
  /** Where it is typed, as `networkOf` names it. */
  readonly clientNetwork: string
}

/**
 * Signs in by the six digits of a mail, in the browser that asked for it. Each wrong try counts
 * against every open mail of this browser and address, and from a device that has not signed in to
 * the address before against all its mails of a day, of its network and of all. Refuses with
 * `auth/code-wrong` while tries are left, else with `auth/code-invalid`. Addresses without an
 * account answer alike, because their log-in leaves a row too. The right code of a locked account
 * is refused with `auth/account-locked`.
 */
export async function redeemCode(
  ctx: Ctx,
  typed: TypedCode,
  afterSignUp: AfterSignUp,
): Promise<SignedIn> {
  const email = normaliseEmail(typed.email)
  const outcome =
    typed.browserToken === null
      ? 'code-invalid'
      : await tryCode(ctx, { ...typed, email, browserToken: typed.browserToken }, afterSignUp)
  // Thrown after the transaction, which must keep the counted try.
  if (outcome === 'account-locked') throw accountLocked()
  if (typeof outcome === 'string')
    throw codeProblem(outcome, (await findAccount(ctx, { email }))?.id)
  return outcome
}

async function tryCode(
  ctx: Ctx,
  {
    email,
    code,
    browserToken,
    clientNetwork,
    deviceName,
    deviceMark,
  }: TypedCode & { readonly browserToken: string },
  afterSignUp: AfterSignUp,
): Promise<SignedIn | CodeRefusal> {
  return await inTransaction(ctx, async (ctx) => {
    const isKnown = knownDevice(ctx, { mark: deviceMark, email }) !== null
    if (!isKnown && !(await mayTryCode(ctx, { email, clientNetwork }))) return 'too-many-codes'
    const open = and(
      eq(magicLinks.email, email),
      eq(magicLinks.browserHash, hashToken(browserToken)),
      isNull(magicLinks.usedAt),
      gt(magicLinks.expiresAt, ctx.clock()),
      lt(magicLinks.codeAttempts, CODE_TRIES),
    )
    const links = await ctx.db
      .select()
      .from(magicLinks)
      .where(open)
      .orderBy(desc(magicLinks.createdAt))
      .for('update')
    const match = links.find((link) =>
      ctx.secrets.code.accepted.some((key) =>
        isSameHash(link.codeHash, hashCode(key, link.id, code)),
      ),
    )
    const result =
      match === undefined
        ? null
        : await signIn(ctx, match, { by: 'code', deviceName, deviceMark, afterSignUp })
    if (result?.kind === 'signed-in') return result
    if (result?.kind === 'account-locked') return result.kind
    await ctx.db
      .update(magicLinks)
      .set({ codeAttempts: sql`${magicLinks.codeAttempts} + 1` })
      .where(open)
    if (!isKnown) await countWrongCode(ctx, { email, clientNetwork, codes: links.length })
    return links.some((link) => link.codeAttempts + 1 < CODE_TRIES) ? 'code-wrong' : 'code-invalid'
  })
}

interface SignIn {
  readonly by: 'link' | 'code'
  readonly afterSignUp: AfterSignUp
}

async function signIn(
  ctx: TxCtx,
  link: LinkRow,
  { by, afterSignUp, ...device }: OfDevice & SignIn,
): Promise<SignedIn | LinkRefused | AccountLocked> {
  const found =
    link.purpose === 'signup'
      ? await findOrCreateAccount(ctx, link, afterSignUp)
      : await findAccount(ctx, { email: link.email })
  if (found !== undefined && found.lockedAt !== null) {
    await ctx.security.record(ctx.db, { event: 'locked-refused', userId: found.id, facts: { by } })
    return { kind: 'account-locked' }
  }
  const user = found === undefined ? null : await keepAccount(ctx, { userId: found.id })
  // The account was deleted after the mail went out.
  if (user === null) return { kind: 'link-invalid' }
  // Since it was found.
  if (user.lockedAt !== null) throw accountLocked()
  await ctx.db.update(magicLinks).set({ usedAt: ctx.clock() }).where(eq(magicLinks.id, link.id))
  const { token, session } = await startSession(ctx, {
    ...device,
    user,
    by,
    isFirst: link.purpose === 'signup',
  })
  return {
    kind: 'signed-in',
    token,
    session,
    createdAt: user.createdAt,
    redirectPath: link.redirectUri,
  }
}

function isUsable(ctx: Pick<Ctx, 'clock'>, link: LinkRow | undefined): link is LinkRow {
  return (
    link !== undefined && link.usedAt === null && link.expiresAt.getTime() > ctx.clock().getTime()
  )
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

type CodeRefusal = keyof typeof CODE_REFUSALS | 'account-locked'

const CODE_REFUSALS = {
  'code-wrong': {
    code: 'auth/code-wrong',
    message: 'That code is not correct. Please check the latest email and try again.',
  },
  'code-invalid': {
    code: 'auth/code-invalid',
    message: 'This code no longer works. Please request a new email.',
  },
  'too-many-codes': {
    code: 'auth/code-invalid',
    message:
      'Too many wrong codes were entered for this address today. Please use the link in the email.',
  },
} as const

function codeProblem(kind: keyof typeof CODE_REFUSALS, ofUserId: string | undefined): Problem {
  const { code, message } = CODE_REFUSALS[kind]
  return new Problem(code, message, { fields: { code: message }, ofUserId })
}
