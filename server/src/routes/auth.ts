import { randomBytes } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import { BROWSER_COOKIE, DEVICE_COOKIE, REFERRAL_COOKIE } from '#server/http/cookies.ts'
import type { HandlerRequest, Handlers } from '#server/http/handlers.ts'
import type { RequestContext } from '#server/http/request-context.ts'
import { isLinkUsable, type SignedIn } from '#server/operations/accounts/auth/redeem.ts'
import { deviceNameOf } from '#server/operations/accounts/auth/device-name.ts'
import { endSession } from '#server/operations/accounts/auth/sessions.ts'
import { askForLink, signInByCode, signInByLink } from '#server/operations/workflows/sign-up.ts'
import { viewUser } from '#server/views/user.ts'
import { linkPage } from './auth-link-page.ts'
import { clearSessionCookies, setSessionCookies } from './session-cookies.ts'

/** The tie between a code and the browser that asked for it lasts longer than any code. */
export const BROWSER_COOKIE_S = 60 * 60
/** Where a used or expired link leads; the page has the words for the code. */
const DEAD_LINK_PATH = '/login?problem=auth/link-invalid'
const LOCKED_PATH = '/login?problem=auth/account-locked'

/**
 * Copies of pages and pictures go, and with them what Back would show. Not `"storage"`: it would
 * take the unfinished uploads of other accounts that wait on this device, and the app empties what
 * is this account's. Not `"cookies"`: it would reach the operator's other hosts of the same domain.
 */
const LEFT = { 'clear-site-data': '"cache"' }

/** Sign-up, log-in, the page of the mail link, the six digits, and signing out. */
export function createAuthRoutes(deps: Deps) {
  const ask = async (
    purpose: 'signup' | 'login',
    { body, context }: HandlerRequest<'signUpByMagicLink' | 'logInByMagicLink'>,
  ): Promise<{ status: 202 }> => {
    const browserToken = context.browserId ?? randomBytes(32).toString('base64url')
    context.setCookie(BROWSER_COOKIE, browserToken, { httpOnly: true, maxAgeS: BROWSER_COOKIE_S })
    await askForLink(deps, {
      purpose,
      email: body.user.email,
      captchaToken: body.captchaToken,
      redirectUri: body.redirectUri,
      browserToken,
      referralCode: body.referralCode ?? null,
      invitedBy: context.cookies[REFERRAL_COOKIE] ?? null,
      deviceMark: context.cookies[DEVICE_COOKIE] ?? null,
      clientNetwork: context.clientNetwork,
    })
    return { status: 202 }
  }
  return {
    signUpByMagicLink: (request) => ask('signup', request),
    logInByMagicLink: (request) => ask('login', request),
    showMagicLinkPage: async ({ query }) =>
      (await isLinkUsable(deps, query))
        ? { raw: linkPage(query.token) }
        : { status: 303, headers: { location: DEAD_LINK_PATH } },
    signInByMagicLink: async ({ body, context }) => {
      const deviceName = deviceNameOf(context.headers['user-agent'])
      const outcome = await signInByLink(deps, {
        token: body.token,
        deviceName,
        deviceMark: context.cookies[DEVICE_COOKIE] ?? null,
      })
      if (outcome.kind === 'link-invalid')
        return { status: 303, headers: { location: DEAD_LINK_PATH } }
      if (outcome.kind === 'account-locked')
        return { status: 303, headers: { location: LOCKED_PATH } }
      await changeSession(deps, context, outcome)
      return { status: 303, headers: { location: outcome.redirectPath } }
    },
    signInByMagicLinkCode: async ({ body, context }) => {
      const signedIn = await signInByCode(deps, {
        email: body.email,
        code: body.code,
        browserToken: context.browserId,
        clientNetwork: context.clientNetwork,
        deviceName: deviceNameOf(context.headers['user-agent']),
        deviceMark: context.cookies[DEVICE_COOKIE] ?? null,
      })
      await changeSession(deps, context, signedIn)
      return { status: 200, body: viewSignedIn(signedIn) }
    },
    logOut: async ({ context }) => {
      if (context.sessionId !== null) await endSession(deps, { sessionId: context.sessionId })
      clearSessionCookies(context)
      return { status: 204, headers: LEFT }
    },
  } satisfies Partial<Handlers>
}

/** A browser that was signed in before changes hands: its old session ends with the new one. */
export async function changeSession(
  deps: Deps,
  context: RequestContext,
  signedIn: Pick<SignedIn, 'token' | 'session'>,
): Promise<void> {
  if (context.sessionId !== null) await endSession(deps, { sessionId: context.sessionId })
  await setSessionCookies(deps, context, signedIn)
}

function viewSignedIn({ session: { user }, createdAt, redirectPath }: SignedIn) {
  const { permissions } = user
  return {
    user: viewUser({ user: { ...user, createdAt }, permissions }),
    redirectUri: redirectPath,
  }
}
