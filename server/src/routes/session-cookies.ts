/**
 * The three cookies of a signed-in browser, and who a request's cookies belong to. Routes and the
 * frame set them in the same way, so they are written once, here.
 */
import type { Context } from 'hono'
import type { Deps } from '#server/deps.ts'
import { createCookies, DEVICE_COOKIE, SESSION_COOKIE, XSRF_COOKIE } from '#server/http/cookies.ts'
import type { Identify, RequestContext } from '#server/http/request-context.ts'
import { xsrfTokenFor } from '#server/http/xsrf.ts'
import { DEVICE_KNOWN_S, markDevice } from '#server/operations/accounts/auth/known-device.ts'
import {
  DISPLAY_COOKIE,
  issueDisplayToken,
  loadSession,
  refreshDisplayToken,
  type Session,
} from '#server/operations/accounts/auth/sessions.ts'

/**
 * Finds the session of a request's cookies. The readable cookies follow the session: changed
 * permissions show after the next call, and lifetimes move with use.
 */
export function createIdentify(deps: Deps): Identify {
  return async (cookies, setCookie) => {
    const token = cookies[SESSION_COOKIE]
    if (token === undefined) return null
    const session = await loadSession(deps, { token })
    if (session === null) return null
    const maxAgeS = remainingS(deps, session)
    const xsrfToken = xsrfTokenFor(deps.secrets, session.sessionId)
    if (session.isExtended) setCookie(SESSION_COOKIE, token, { httpOnly: true, maxAgeS })
    if (session.isExtended || cookies[XSRF_COOKIE] !== xsrfToken)
      setCookie(XSRF_COOKIE, xsrfToken, { httpOnly: false, maxAgeS })
    const display = await refreshDisplayToken(deps, { session, current: cookies[DISPLAY_COOKIE] })
    if (display !== null) setCookie(DISPLAY_COOKIE, display, { httpOnly: false, maxAgeS })
    return { user: session.user, sessionId: session.sessionId }
  }
}

/** The same for documents, which are no calls of the contract; the cookies go with their answer. */
export function createBrowserIdentify(deps: Deps): (c: Context) => ReturnType<Identify> {
  const identify = createIdentify(deps)
  const cookies = createCookies(deps.settings.publicOrigin)
  return async (c) =>
    await identify(cookies.parse(c.req.header('cookie')), (name, value, options) => {
      c.header('set-cookie', cookies.serialise(name, value, options), { append: true })
    })
}

/** Sets all three cookies for a session that has just begun, and marks the browser as known. */
export async function setSessionCookies(
  deps: Deps,
  context: Pick<RequestContext, 'setCookie'>,
  { token, session }: { readonly token: string; readonly session: Session },
): Promise<void> {
  const maxAgeS = remainingS(deps, session)
  context.setCookie(SESSION_COOKIE, token, { httpOnly: true, maxAgeS })
  context.setCookie(XSRF_COOKIE, xsrfTokenFor(deps.secrets, session.sessionId), {
    httpOnly: false,
    maxAgeS,
  })
  context.setCookie(DISPLAY_COOKIE, await issueDisplayToken(deps, { session }), {
    httpOnly: false,
    maxAgeS,
  })
  const { email } = session.user
  const mark = { httpOnly: true, maxAgeS: DEVICE_KNOWN_S }
  context.setCookie(DEVICE_COOKIE, markDevice(deps, { email }), mark)
}

/** Deletes all three cookies; the browser stays known, by a mark that names no person. */
export function clearSessionCookies(context: Pick<RequestContext, 'setCookie'>): void {
  for (const name of [SESSION_COOKIE, DISPLAY_COOKIE, XSRF_COOKIE])
    context.setCookie(name, '', { httpOnly: name === SESSION_COOKIE, maxAgeS: 0 })
}

function remainingS(deps: Pick<Deps, 'clock'>, session: Session): number {
  return Math.max(1, Math.floor((session.expiresAt.getTime() - deps.clock().getTime()) / 1000))
}
