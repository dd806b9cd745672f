import { randomBytes } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import { browserCookie, sessionCookie, xsrfCookie } from '#server/http/cookies.ts'
import type { HandlerRequest, Handlers } from '#server/http/handlers.ts'
import type { RequestContext } from '#server/http/request-context.ts'
import { xsrfTokenFor } from '#server/http/xsrf.ts'
import {
  isLinkUsable,
  redeemCode,
  redeemLink,
  type SignedIn,
} from '#server/operations/auth-redeem.ts'
import { requestLink } from '#server/operations/auth-request-link.ts'
import { displayCookie, endSession, issueDisplayToken } from '#server/operations/sessions.ts'
import { linkPage } from './auth-link-page.ts'

/** The tie between a code and the browser that asked for it lasts longer than any code. */
const BROWSER_COOKIE_S = 60 * 60
/** Where a dead link leads; the page has the words for the code. */
const deadLinkPath = '/login?problem=auth/link-invalid'

/** Sign-up, log-in, the page of the mail link, the six digits, and signing out. */
export function createAuthRoutes(deps: Deps) {
  const ask = async (
    purpose: 'signup' | 'login',
    { body, context }: HandlerRequest<'signUpByMagicLink' | 'logInByMagicLink'>,
  ): Promise<{ status: 202 }> => {
    const browserToken = context.browserId ?? randomBytes(32).toString('base64url')
    context.setCookie(browserCookie, browserToken, { httpOnly: true, maxAgeS: BROWSER_COOKIE_S })
    await requestLink(deps, {
      purpose,
      email: body.user.email,
      captchaToken: body.captchaToken,
      redirectUri: body.redirectUri,
      browserToken,
      clientAddress: context.clientAddress,
    })
    return { status: 202 }
  }
  return {
    signUpByMagicLink: (request) => ask('signup', request),
    logInByMagicLink: (request) => ask('login', request),
    showMagicLinkPage: async ({ query }) =>
      (await isLinkUsable(deps, query.token))
        ? { raw: linkPage(query.token) }
        : { status: 303, headers: { location: deadLinkPath } },
    signInByMagicLink: async ({ body, context }) => {
      const outcome = await redeemLink(deps, body.token)
      if (outcome.kind === 'link-invalid')
        return { status: 303, headers: { location: deadLinkPath } }
      await setSessionCookies(deps, context, outcome)
      return { status: 303, headers: { location: outcome.redirectPath } }
    },
    signInByMagicLinkCode: async ({ body, context }) => {
      const signedIn = await redeemCode(deps, {
        email: body.email,
        code: body.code,
        browserToken: context.browserId,
      })
      await setSessionCookies(deps, context, signedIn)
      const { id, email, permissions } = signedIn.session.user
      return {
        status: 200,
        body: {
          user: {
            _id: id,
            email,
            permissions: [...permissions],
            createdAt: signedIn.createdAt.toISOString(),
          },
          redirectUri: signedIn.redirectPath,
        },
      }
    },
    logOut: async ({ context }) => {
      if (context.sessionId !== null) await endSession(deps, context.sessionId)
      for (const name of [sessionCookie, displayCookie, xsrfCookie])
        context.setCookie(name, '', { httpOnly: name === sessionCookie, maxAgeS: 0 })
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}

// A browser that was signed in before changes hands: its old session ends with the new one.
async function setSessionCookies(
  deps: Deps,
  context: RequestContext,
  { token, session }: SignedIn,
): Promise<void> {
  if (context.sessionId !== null) await endSession(deps, context.sessionId)
  const maxAgeS = Math.max(
    1,
    Math.floor((session.expiresAt.getTime() - deps.clock().getTime()) / 1000),
  )
  context.setCookie(sessionCookie, token, { httpOnly: true, maxAgeS })
  context.setCookie(xsrfCookie, xsrfTokenFor(deps.secrets, session.sessionId), {
    httpOnly: false,
    maxAgeS,
  })
  context.setCookie(displayCookie, await issueDisplayToken(deps, session), {
    httpOnly: false,
    maxAgeS,
  })
}
