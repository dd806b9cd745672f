import type { Context as HonoContext } from 'hono'
import type { Deps } from '#server/deps.ts'
import { Problem } from '#server/problems.ts'
import { clientNetwork, incomingOf } from './client-address.ts'
import type { CallBudget } from './call-budget.ts'
import { allowPause } from './connections.ts'
import { API_ROOT, type Contract, type ContractOperation } from './contract.ts'
import { BROWSER_COOKIE, createCookies, SESSION_COOKIE } from './cookies.ts'
import { createDispatch, type OnRefusal } from './dispatch.ts'
import type { Handlers } from './handlers.ts'
import { REVALIDATED } from './kept-answers.ts'
import type { Line } from './line.ts'
import { problemAnswer } from './problem-answer.ts'
import type { Identify, RequestContext, SetCookie } from './request-context.ts'

/** What the frame needs to answer the operations of the contract. */
interface ApiParts {
  readonly deps: Deps
  readonly contract: Contract
  readonly handlers: Partial<Handlers>
  readonly identify: Identify
  readonly budget: CallBudget
  readonly line: Line
  readonly onRefusal: OnRefusal
}

/**
 * Answers every request below `/editors/api`: finds the session and the operation, runs it, and
 * turns every failure into an error body.
 */
export function createApi(parts: ApiParts): (c: HonoContext) => Promise<Response> {
  const { deps, contract } = parts
  const dispatch = createDispatch(parts)
  const wire = createCookies(deps.settings.publicOrigin)
  return async (c) => {
    const requestId = deps.newId()
    // By name, so that a cookie of the handler replaces the one that `identify` refreshed.
    const setCookies = new Map<string, string>()
    const setCookie: SetCookie = (name, value, options) => {
      setCookies.set(name, wire.serialise(name, value, options))
    }
    let answer: Response
    let operationId = 'none'
    try {
      const operation = matchOperation(contract, c)
      operationId = operation.id
      const cookies = wire.parse(c.req.header('cookie'))
      answer = await inLine(parts, c, cookies, async (clientNetwork) => {
        const given = { requestId, setCookie, cookies, clientNetwork }
        return await dispatch(operation, c.req.raw, await createContext(parts, c, given))
      })
    } catch (thrown) {
      answer = problemAnswer(thrown, requestId, deps.log)
      if (thrown instanceof MethodProblem) answer.headers.set('allow', thrown.allow)
    }
    const status = String(answer.status)
    deps.metrics.count('onecut_calls_total', { operation: operationId, status })
    return withHeaders(answer, requestId, [...setCookies.values()])
  }
}

/** Runs a call when it is its turn ([Note: line] in line.ts). */
async function inLine(
  { deps, line }: ApiParts,
  c: HonoContext,
  cookies: RequestContext['cookies'],
  run: (network: string) => Promise<Response>,
): Promise<Response> {
  const { signal } = c.req.raw
  const network = clientNetwork(c, deps.settings.trustedProxies)
  const token = cookies[SESSION_COOKIE]
  const leave = await line.ofCall({ token, network, isGone: () => signal.aborted })
  try {
    return await run(network)
  } finally {
    leave()
  }
}

async function createContext(
  { identify, line }: ApiParts,
  c: HonoContext,
  given: Pick<RequestContext, 'requestId' | 'setCookie' | 'cookies' | 'clientNetwork'>,
): Promise<RequestContext> {
  const headers = Object.fromEntries(c.req.raw.headers)
  const { cookies, setCookie } = given
  const identity = await identify(cookies, setCookie)
  const token = cookies[SESSION_COOKIE]
  if (token !== undefined) line.learn(token, identity?.user.id ?? null)
  const incoming = incomingOf(c)
  if (identity !== null && incoming !== null) allowPause(incoming, identity.user.id)
  return {
    user: identity?.user ?? null,
    sessionId: identity?.sessionId ?? null,
    ...given,
    browserId: cookies[BROWSER_COOKIE] ?? null,
    method: c.req.method,
    headers,
    signal: c.req.raw.signal,
  }
}

class MethodProblem extends Problem {
  readonly allow: string

  constructor(allow: string) {
    super('request/method-not-allowed', 'This address does not accept this kind of request.')
    this.allow = allow
  }
}

/**
 * The operation of a request; `HEAD` is answered by `GET`. Refuses with `request/not-found`, or
 * with `request/method-not-allowed` and the methods that the address takes.
 */
function matchOperation(contract: Contract, c: HonoContext): ContractOperation {
  const path = new URL(c.req.url).pathname
  const byMethod = contract.paths.find(path)
  if (byMethod.size === 0 || !isDecodable(path))
    throw new Problem(
      'request/not-found',
      `There is nothing at ${API_ROOT}${path.length > 200 ? '' : path.slice(API_ROOT.length)}.`,
    )
  const operation = byMethod.get(c.req.method === 'HEAD' ? 'get' : c.req.method.toLowerCase())
  if (operation !== undefined) return operation
  const methods = [...byMethod.keys()].map((method) => method.toUpperCase())
  throw new MethodProblem([...methods, ...(byMethod.has('get') ? ['HEAD'] : [])].join(', '))
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
  // Pictures too: a copy in the browser's cache would outlive the account on this device.
  if (headers.get('cache-control') !== REVALIDATED) headers.set('cache-control', 'no-store')
  headers.set('x-request-id', requestId)
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(answer.body, { status: answer.status, headers })
}
