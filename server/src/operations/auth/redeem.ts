import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { magicLinks } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { findAccount, findOrCreateAccount, type UserRow } from './account.ts'
import { normaliseEmail } from './email.ts'
import { hashCode } from './request-link.ts'
import { hashToken, startSession, type Session } from './sessions.ts'

/**
 * Somebody has signed in; `token` is for the session cookie, `redirectPath` one of our own pages.
 */
export interface SignedIn {
  readonly kind: 'signed-in'
  readonly token: string
  readonly session: Session
  readonly createdAt: Date
  readonly redirectPath: string
}
/** The link was used before, is too old, or never existed: a new mail is needed. */
export interface LinkRefused {
  readonly kind: 'link-invalid'
}

/** Tries to type the code of one mail. */
export const CODE_TRIES = 5

type LinkRow = typeof magicLinks.$inferSelect

/** Whether a link would work now; looking never uses it up (mail scanners open links). */
export async function isLinkUsable(deps: Deps, token: string): Promise<boolean> {
  const [link] = await deps.db
    .select()
    .from(magicLinks)
    .where(eq(magicLinks.tokenHash, hashToken(token)))
  return isUsable(deps, link)
}

/** Signs in by the link of the mail, once. Makes the account on first use. */
export async function redeemLink(deps: Deps, token: string): Promise<SignedIn | LinkRefused> {
  return deps.db.transaction(async (tx) => {
    const [link] = await tx
      .select()
      .from(magicLinks)
      .where(eq(magicLinks.tokenHash, hashToken(token)))
      .for('update')
    return isUsable(deps, link) ? signIn(tx, deps, link) : { kind: 'link-invalid' }
  })
}

/**
 * Signs in by the six digits of the mail, in the browser that asked for it. Each wrong try counts
 * against every open mail of this browser and address. Refuses with 422: `auth/code-wrong` while
 * tries are left, else `auth/code-invalid`. Addresses without an account answer alike, because
 * their log-in leaves a row too.
 */
export async function redeemCode(
  deps: Deps,
  given: { email: string; code: string; browserToken: string | null },
): Promise<SignedIn> {
  const email = normaliseEmail(given.email)
  const outcome =
    given.browserToken === null
      ? 'code-invalid'
      : await tryCode(deps, email, given.code, given.browserToken)
  // Thrown after the transaction, which must keep the counted try.
  if (typeof outcome === 'string') throw codeProblem(outcome)
  return outcome
}

async function tryCode(
  deps: Deps,
  email: string,
  code: string,
  browserToken: string,
): Promise<SignedIn | 'code-wrong' | 'code-invalid'> {
  return deps.db.transaction(async (tx) => {
    const open = and(
      eq(magicLinks.email, email),
      eq(magicLinks.browserHash, hashToken(browserToken)),
      isNull(magicLinks.usedAt),
      gt(magicLinks.expiresAt, deps.clock()),
      lt(magicLinks.codeAttempts, CODE_TRIES),
    )
    const links = await tx
      .select()
      .from(magicLinks)
      .where(open)
      .orderBy(desc(magicLinks.createdAt))
      .for('update')
    const match = links.find((link) => isSameHash(link.codeHash, hashCode(deps, link.id, code)))
    const result = match === undefined ? null : await signIn(tx, deps, match)
    if (result?.kind === 'signed-in') return result
    await tx
      .update(magicLinks)
      .set({ codeAttempts: sql`${magicLinks.codeAttempts} + 1` })
      .where(open)
    return links.some((link) => link.codeAttempts + 1 < CODE_TRIES) ? 'code-wrong' : 'code-invalid'
  })
}

async function signIn(tx: Tx, deps: Deps, link: LinkRow): Promise<SignedIn | LinkRefused> {
  const user: UserRow | undefined =
    link.purpose === 'signup'
      ? await findOrCreateAccount(tx, deps, link.email)
      : await findAccount(tx, link.email)
  // The account was deleted after the mail went out.
  if (user === undefined) return { kind: 'link-invalid' }
  await tx.update(magicLinks).set({ usedAt: deps.clock() }).where(eq(magicLinks.id, link.id))
  const { token, session } = await startSession(tx, deps, user)
  return {
    kind: 'signed-in',
    token,
    session,
    createdAt: user.createdAt,
    redirectPath: link.redirectUri,
  }
}

function isUsable(deps: Deps, link: LinkRow | undefined): link is LinkRow {
  return (
    link !== undefined && link.usedAt === null && link.expiresAt.getTime() > deps.clock().getTime()
  )
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function codeProblem(kind: 'code-wrong' | 'code-invalid'): Problem {
  const message =
    kind === 'code-wrong'
      ? 'That code is not correct. Please check the latest email and try again.'
      : 'This code no longer works. Please request a new email.'
  return new Problem(`auth/${kind}`, message, { fields: { code: message } })
}
