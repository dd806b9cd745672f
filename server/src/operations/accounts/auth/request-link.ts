import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { magicLinks } from '#server/db/schema.ts'
import { noAccountMail, signInMail } from '#server/mail/sign-in-mail.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { Problem } from '#server/problems.ts'
import { findAccount } from './account.ts'
import { normaliseEmail, refusePlusAddress } from './email.ts'
import { knownDevice } from './known-device.ts'
import {
  countOfNetwork,
  countOrRefuse,
  countRecent,
  FLOOD_OF_LINKS,
  LINKS_OF_FLOOD,
  LINKS_PER_ADDRESS,
  LINKS_PER_ASKER,
  LINKS_PER_CLIENT,
  mayBeginTrial,
} from '#server/operations/core/limits.ts'
import { hadAccount, readMailbox } from './mailbox.ts'
import { ownPath } from './redirect.ts'
import { hashToken } from '#server/operations/core/tokens.ts'

/** What a sign-up or log-in form sends, and where it comes from. */
interface LinkRequest {
  readonly purpose: 'signup' | 'login'
  readonly email: string
  readonly captchaToken: string
  readonly redirectUri: string
  /** Value of the cookie that ties the code to this browser. */
  readonly browserToken: string
  /** Typed by the person; a code that does not exist is refused. */
  readonly referralCode: string | null
  /** Of the cookie; counts when none was typed, and is ignored when it does not exist. */
  readonly invitedBy: string | null
  /** Value of the cookie that a browser has that signed in before, or null. */
  readonly deviceMark: string | null
  /** Where the request comes from, as `networkOf` names it. */
  readonly clientNetwork: string
}

/** A referral code as its owner wrote it, or undefined where there is none. */
type FindReferral = (
  ctx: Ctx,
  typed: { readonly code: string },
) => Promise<{ readonly code: string } | undefined>

/** A link and its code work once, for this long. */
const LINK_MINUTES = 10

/**
 * Sends one mail with a link and a six-digit code. Whether the address has an account shows only
 * in the mailbox: a sign-up with a known address sends a log-in mail, a log-in with an unknown
 * address a mail that says so. Refuses: `request/invalid` for the address or the referral code,
 * `human/not-verified`, `auth/redirect-not-allowed`, `request/too-many`.
 */
export async function requestLink(
  ctx: Ctx,
  request: LinkRequest,
  findReferral: FindReferral,
): Promise<void> {
  const email = normaliseEmail(request.email)
  if (request.purpose === 'signup') refusePlusAddress(email)
  const redirectPath = ownPath(request.redirectUri, ctx.settings.publicOrigin)
  // Verified before anything is counted: using up the limit of another person's address costs the
  // proof of work each time.
  await refuseUnverified(ctx, request)
  const referralCode =
    request.purpose === 'signup' ? await chooseCode(ctx, request, findReferral) : null
  await inTransaction(ctx, async (ctx) => {
    await countRequest(ctx, { ...request, email })
    await queueMail(ctx, await writeMail(ctx, { ...request, email, redirectPath, referralCode }))
  })
}

/**
 * Counts a request, or refuses it. A device that has signed in to this address before has a limit
 * of its own, which others cannot use up. Of the others each network has its share, so that one who
 * asks for another person's mails meets the end before that person does ([Note: no lock for others]
 * in core/limits.ts).
 */
async function countRequest(
  ctx: TxCtx,
  { email, deviceMark, clientNetwork }: Pick<LinkRequest, 'email' | 'deviceMark' | 'clientNetwork'>,
): Promise<void> {
  const what = 'emails were requested'
  const deviceId = knownDevice(ctx, { mark: deviceMark, email })
  if (deviceId !== null) {
    const key = `magic-link:device:${hashToken(deviceId)}`
    await countOrRefuse(ctx, { key, limit: LINKS_PER_ASKER, what })
    return
  }
  const network = clientNetwork
  await countOfNetwork(ctx, { key: 'magic-link:client', network, limit: LINKS_PER_CLIENT, what })
  const all = `magic-link:address:${hashToken(email)}`
  const isFlood = (await countRecent(ctx, { key: all })) >= FLOOD_OF_LINKS
  const limit = isFlood ? LINKS_OF_FLOOD : LINKS_PER_ASKER
  await countOfNetwork(ctx, { key: all, network, limit, what })
  await countOrRefuse(ctx, { key: all, limit: LINKS_PER_ADDRESS, what })
}

/** HMAC of a code with the id of its link: the table alone does not give the six digits away. */
export function hashCode(key: Uint8Array, linkId: string, code: string): string {
  return createHmac('sha256', key).update(`${linkId}:${code}`).digest('hex')
}

/** The code that a new account redeems, as its owner wrote it, or null. */
async function chooseCode(
  ctx: Ctx,
  { referralCode, invitedBy }: Pick<LinkRequest, 'referralCode' | 'invitedBy'>,
  findReferral: FindReferral,
): Promise<string | null> {
  const code = referralCode ?? invitedBy
  const found = code === null ? undefined : await findReferral(ctx, { code })
  if (found !== undefined || referralCode === null) return found?.code ?? null
  const message = 'Invalid referral code'
  throw new Problem('request/invalid', message, { fields: { referralCode: message } })
}

/** Stores a link and writes its mail. */
async function writeMail(
  ctx: TxCtx,
  request: Pick<LinkRequest, 'purpose' | 'browserToken' | 'clientNetwork'> & {
    readonly email: string
    readonly redirectPath: string
    readonly referralCode: string | null
  },
): Promise<OutgoingMail> {
  const { email } = request
  const { publicOrigin } = ctx.settings
  const isKnown = (await findAccount(ctx, { email })) !== undefined
  const id = ctx.newId()
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const purpose = isKnown ? 'login' : request.purpose
  const trial = purpose === 'login' ? 'none' : await trialOf(ctx, request)
  const now = ctx.clock()
  await ctx.db.insert(magicLinks).values({
    id,
    email,
    purpose,
    tokenHash: hashToken(token),
    codeHash: hashCode(ctx.secrets.code.signing, id, code),
    browserHash: hashToken(request.browserToken),
    redirectUri: request.redirectPath,
    referralCode: request.referralCode,
    hasTrial: trial === 'begins',
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_MINUTES * 60_000),
  })
  const url = new URL('/editors/api/v1/auth/magic-link/callback', publicOrigin)
  url.searchParams.set('token', token)
  // The row stays, so that trying codes looks the same as with an account. Its link and code are
  // sent nowhere.
  if (!isKnown && request.purpose === 'login')
    return noAccountMail({ to: email, signUpUrl: new URL('/signup', publicOrigin).href })
  return signInMail({
    to: email,
    purpose,
    trial,
    url: url.href,
    code,
    minutes: LINK_MINUTES,
  })
}

/** Whether a new account begins with a trial, and why not. */
async function trialOf(
  ctx: TxCtx,
  request: Pick<LinkRequest, 'email' | 'clientNetwork'>,
): Promise<'begins' | 'none' | 'later'> {
  if (await hadAccount(ctx, { mailbox: await readMailbox(ctx, request) })) return 'none'
  return (await mayBeginTrial(ctx, request)) ? 'begins' : 'later'
}

/** Refuses with `human/not-verified` unless the challenge was solved. */
export async function refuseUnverified(
  ctx: Pick<Ctx, 'human'>,
  { captchaToken }: { readonly captchaToken: string },
): Promise<void> {
  if (await ctx.human.verify(captchaToken)) return
  throw new Problem('human/not-verified', 'Please complete the captcha', {
    fields: { captchaToken: 'Please complete the captcha' },
  })
}
