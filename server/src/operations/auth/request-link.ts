import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { magicLinks } from '#server/db/schema.ts'
import { noAccountMail, signInMail } from '#server/mail/sign-in-mail.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { Problem } from '#server/problems.ts'
import { findAccount } from './account.ts'
import { normaliseEmail, refusePlusAddress } from './email.ts'
import { countOrRefuse, LINKS_PER_ADDRESS, LINKS_PER_CLIENT } from './limits.ts'
import { ownPath } from './redirect.ts'
import { queueMail } from '#server/operations/mail/send.ts'
import { hashToken } from './sessions.ts'

/**
 * What a sign-up or log-in form sends, and from where. `browserToken` is the value of the browser's
 * cookie.
 */
export interface LinkRequest {
  readonly purpose: 'signup' | 'login'
  readonly email: string
  readonly captchaToken: string
  readonly redirectUri: string
  readonly browserToken: string
  readonly clientAddress: string
}

/** A link and its code work this long, once. */
export const LINK_MINUTES = 10

/**
 * Sends one mail with a link and a six-digit code. Whether the address has an account shows only in
 * the mailbox: a sign-up of a known address sends a log-in mail, a log-in of an unknown one a mail
 * that says so. Refuses: 422 for the address or an unsolved human check, 400 for a foreign
 * `redirectUri`, 429 past the limits.
 */
export async function requestLink(deps: Deps, request: LinkRequest): Promise<void> {
  const email = normaliseEmail(request.email)
  if (request.purpose === 'signup') refusePlusAddress(email)
  const redirectPath = ownPath(request.redirectUri, deps.settings.publicOrigin)
  // Checked before anything is counted: nobody can use up the limit of somebody else's address
  // without doing the work.
  if (!(await deps.human.verify(request.captchaToken))) throw captchaProblem()
  await deps.db.transaction(async (tx) => {
    await countOrRefuse(
      tx,
      deps,
      `magic-link:client:${hashToken(request.clientAddress)}`,
      LINKS_PER_CLIENT,
    )
    await countOrRefuse(tx, deps, `magic-link:address:${hashToken(email)}`, LINKS_PER_ADDRESS)
    await queueMail(tx, deps, await writeMail(tx, deps, email, redirectPath, request))
  })
}

/** HMAC of a code with the id of its link: the six digits cannot be found from the table alone. */
export function hashCode(deps: Pick<Deps, 'secrets'>, linkId: string, code: string): string {
  return createHmac('sha256', deps.secrets.code).update(`${linkId}:${code}`).digest('hex')
}

async function writeMail(
  tx: Tx,
  deps: Deps,
  email: string,
  redirectPath: string,
  request: LinkRequest,
): Promise<OutgoingMail> {
  const { publicOrigin } = deps.settings
  const isKnown = (await findAccount(tx, email)) !== undefined
  const id = deps.newId()
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const purpose = isKnown ? 'login' : request.purpose
  const now = deps.clock()
  await tx.insert(magicLinks).values({
    id,
    email,
    purpose,
    tokenHash: hashToken(token),
    codeHash: hashCode(deps, id, code),
    browserHash: hashToken(request.browserToken),
    redirectUri: redirectPath,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_MINUTES * 60_000),
  })
  const url = new URL('/editors/api/v1/auth/magic-link/callback', publicOrigin)
  url.searchParams.set('token', token)
  // The row stays, so that trying codes looks the same as with an account; nobody is told its link
  // and code.
  if (!isKnown && request.purpose === 'login')
    return noAccountMail({ to: email, signUpUrl: new URL('/signup', publicOrigin).href })
  return signInMail({ to: email, purpose, url: url.href, code, minutes: LINK_MINUTES })
}

function captchaProblem(): Problem {
  return new Problem('human/not-verified', 'Please complete the captcha', {
    fields: { captchaToken: 'Please complete the captcha' },
  })
}
