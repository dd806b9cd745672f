import type { Context, MiddlewareHandler } from 'hono'
import { isLoopback, isTrusted } from '#server/addresses.ts'
import type { Deps } from '#server/deps.ts'
import { Problem } from '#server/problems.ts'
import { clientAddress, ownAddress } from './client-address.ts'
import { problemAnswer } from './problem-answer.ts'

/** Headers that reverse proxies add; each of them shows that a request comes from elsewhere. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

const PROXY_WITHOUT_ORIGIN =
  'Requests come through a proxy, but this server takes itself for one on this machine only: set ONECUT_PUBLIC_ORIGIN to the address that people open, and ONECUT_TRUSTED_PROXIES to the address of the proxy.'
const PROXY_NOT_TRUSTED =
  'A request came through a proxy that ONECUT_TRUSTED_PROXIES does not name, so that its clients share the limits of one address. If the proxy is yours, set ONECUT_TRUSTED_PROXIES to its address.'

/** Whether a request says that a proxy passed it on. */
export function isProxied(c: Context): boolean {
  return OF_PROXIES.some((name) => c.req.header(name) !== undefined)
}

/**
 * Refuses requests for a host that is not this server's with `request/wrong-host`: a page that
 * points its own name at this machine (DNS rebinding) would otherwise be of the same origin as the
 * answers. The server's own are the names of the public origin and of the frames' one, the names of
 * this machine (which no page can own, and which proxies on it write), and the address that the
 * connection came to, as balancers and people in the same network use it. A refusal has the headers
 * that every answer has.
 */
export function refuseForeignHosts(
  deps: Pick<Deps, 'settings' | 'log' | 'newId'>,
  headers: Readonly<Record<string, string>>,
): MiddlewareHandler {
  const { log } = deps
  const { publicOrigin, frameOrigin, trustedProxies } = deps.settings
  const isOnlyHere = isLoopback(new URL(publicOrigin).hostname)
  const warned = new Set<string>()
  const warnOnce = (event: string, message: string): void => {
    if (!warned.has(event)) log.warn(event, { message })
    warned.add(event)
  }
  return async (c, next) => {
    const isOwn = isOwnHost(c, [publicOrigin, frameOrigin ?? publicOrigin])
    if (isOnlyHere && (!isOwn || isProxied(c)))
      warnOnce('http/proxy-without-origin', PROXY_WITHOUT_ORIGIN)
    else if (isProxied(c) && !isTrusted(clientAddress(c), trustedProxies))
      warnOnce('http/proxy-not-trusted', PROXY_NOT_TRUSTED)
    if (isOwn) return await next()
    const answer = problemAnswer(
      new Problem(
        'request/wrong-host',
        `This server is ${publicOrigin} and answers under no other name. Open it by this address; a reverse proxy has to pass on the Host header.`,
      ),
      deps.newId(),
      log,
    )
    for (const [name, value] of Object.entries({ ...headers, 'cache-control': 'no-store' }))
      answer.headers.set(name, value)
    return answer
  }
}

function isOwnHost(c: Context, own: readonly string[]): boolean {
  // HTTP/1.0, as some balancers ask for readiness; no browser sends it.
  if (c.req.header('host') === undefined) return true
  const hostname = askedHostname(c)
  if (hostname === null) return false
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isNamed = own.some((origin) => new URL(origin).hostname === hostname)
  return isNamed || isLoopback(hostname) || bare === ownAddress(c)
}

/**
 * The host name that a request asks, in lower case; null where it says none. Without the port,
 * which proxies leave out: a page that rebinds has a name of its own.
 */
export function askedHostname(c: Context): string | null {
  const asked = `http://${c.req.header('host') ?? ''}`
  return URL.canParse(asked) ? new URL(asked).hostname : null
}
