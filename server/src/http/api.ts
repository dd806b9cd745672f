import type { Context as HonoContext } from 'hono'
import type { Deps } from '#server/deps.ts'
import {
  parseCookies,
  browserCookie,
  serialiseCookie,
  sessionCookie,
  xsrfCookie,
} from '#server/http/cookies.ts'
import { apiRoot, type Contract, type ContractOperation } from '#server/http/contract.ts'
import { createDispatch } from '#server/http/dispatch.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { clientAddress, originalAddress } from '#server/http/client-address.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import type { CookieOptions, RequestContext } from '#server/http/request-context.ts'
import { xsrfTokenFor } from '#server/http/xsrf.ts'
import {
  displayCookie,
  loadSession,
  refreshDisplayToken,
  type SessionUser,
} from '#server/operations/sessions.ts'
import { Problem } from '#server/problems.ts'

/** What the frame needs to answer the operations of the contract. */
export interface ApiParts {
  readonly deps: Deps
  readonly contract: Contract
  readonly handlers: Partial<Handlers>
}

/**
 * Answers every request below `/editors/api`: who asks, which operation, and every failure as an
 * error body.
 */
export function createApi({
  deps,
  contract,
  handlers,
}: ApiParts): (c: HonoContext) => Promise<Response> {
  const dispatch = createDispatch({ deps, contract, handlers })
  const isSecure = deps.settings.publicOrigin.startsWith('https:')
  return async (c) => {
    const requestId = deps.newId()
    // By name, so that what a handler sets replaces what the frame refreshed.
    const setCookies = new Map<string, string>()
    const setCookie = (name: string, value: string, options: CookieOptions): void => {
      setCookies.set(name, serialiseCookie(name, value, options, isSecure))
    }
    let answer: Response
    try {
      const operation = matchOperation(contract, c)
      const context = await createContext(c, requestId, setCookie)
      answer = await dispatch(operation, c.req.raw, context)
    } catch (thrown) {
      answer = problemAnswer(thrown, requestId, deps.log)
      if (thrown instanceof MethodProblem) answer.headers.set('allow', thrown.allow)
    }
    return withHeaders(answer, requestId, [...setCookies.values()])
  }

  async function createContext(
    c: HonoContext,
    requestId: string,
    setCookie: RequestContext['setCookie'],
  ): Promise<RequestContext> {
    const headers = Object.fromEntries(c.req.raw.headers)
    const cookies = parseCookies(headers['cookie'])
    const token = cookies[sessionCookie]
    const address = originalAddress(
      clientAddress(c),
      headers['x-forwarded-for'],
      deps.settings.trustedProxies,
    )
    const base = {
      clientAddress: address,
      cookies,
      browserId: cookies[browserCookie] ?? null,
      requestId,
      method: c.req.method,
      headers,
      signal: c.req.raw.signal,
      setCookie,
    }
    const session = token === undefined ? null : await loadSession(deps, token)
    if (session === null) return { ...base, user: null, sessionId: null }
    await refreshCookies(session, token ?? '', cookies, setCookie)
    return { ...base, user: session.user, sessionId: session.sessionId }
  }

  // The readable cookies follow the session: new permissions show after the next call, lifetimes
  // move with use.
  async function refreshCookies(
    session: SessionUser,
    token: string,
    cookies: RequestContext['cookies'],
    setCookie: RequestContext['setCookie'],
  ): Promise<void> {
    const maxAgeS = Math.max(
      1,
      Math.floor((session.expiresAt.getTime() - deps.clock().getTime()) / 1000),
    )
    const xsrfToken = xsrfTokenFor(deps.secrets, session.sessionId)
    if (session.isExtended) setCookie(sessionCookie, token, { httpOnly: true, maxAgeS })
    if (session.isExtended || cookies[xsrfCookie] !== xsrfToken)
      setCookie(xsrfCookie, xsrfToken, { httpOnly: false, maxAgeS })
    const display = await refreshDisplayToken(deps, session, cookies[displayCookie])
    if (display !== null) setCookie(displayCookie, display, { httpOnly: false, maxAgeS })
  }
}

class MethodProblem extends Problem {
  readonly allow: string

  constructor(allow: string) {
    super(405, 'request/method-not-allowed', 'This address does not take this kind of request.')
    this.allow = allow
  }
}

/**
 * The operation of a request; `HEAD` is answered by `GET`. Throws 404 `request/not-found` or 405
 * with `Allow`.
 */
function matchOperation(contract: Contract, c: HonoContext): ContractOperation {
  const path = new URL(c.req.url).pathname
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  const found = contract.backend.matchOperation({ method, path, headers: {} })
  const operation = contract.operations.find(({ id }) => id === found?.operationId)
  if (operation !== undefined && isDecodable(path)) return operation
  const allowed = contract.operations
    .map((each) => each.method)
    .filter((each, index, all) => all.indexOf(each) === index)
    .filter(
      (each) => contract.backend.matchOperation({ method: each, path, headers: {} }) !== undefined,
    )
  if (allowed.length === 0 || !isDecodable(path))
    throw new Problem(
      404,
      'request/not-found',
      `There is nothing at ${apiRoot}${path.length > 200 ? '' : path.slice(apiRoot.length)}.`,
    )
  throw new MethodProblem(
    [
      ...allowed.map((each) => each.toUpperCase()),
      ...(allowed.includes('get') ? ['HEAD'] : []),
    ].join(', '),
  )
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

function withHeaders(answer: Response, requestId: string, setCookies: readonly string[]): Response {
  const headers = new Headers(answer.headers)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  headers.set('x-request-id', requestId)
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(answer.body, { status: answer.status, headers })
}
