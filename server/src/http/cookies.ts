import type { CookieOptions } from './request-context.ts'

export const SESSION_COOKIE = 'onecut_session'
export const BROWSER_COOKIE = 'onecut_browser'
/** The referral code that this browser was invited with. */
export const REFERRAL_COOKIE = 'onecut_referral'
/** Opens the local mailbox, as the address that a start prints does. */
export const MAILBOX_COOKIE = 'onecut_mailbox'
export const XSRF_COOKIE = 'XSRF-TOKEN'

/** A browser that has signed in before. */
export const DEVICE_COOKIE = 'onecut_device'

/**
 * Cookies that scripts cannot read. On an https origin they carry the prefix `__Host-` (RFC 6265bis
 * §4.1.3), with which browsers take them only from this very host: a page of a neighbouring
 * subdomain cannot put its own session in place of the person's. On http://localhost browsers refuse
 * the prefix, because it wants `Secure` from an https page. The two that scripts read have names of
 * the specification; a foreign value of theirs is of no use, as the server trusts neither.
 */
const OF_THIS_HOST: readonly string[] = [
  SESSION_COOKIE,
  BROWSER_COOKIE,
  REFERRAL_COOKIE,
  DEVICE_COOKIE,
]
const HOST_PREFIX = '__Host-'

/** Reads and writes cookies as the scheme of the public origin asks for. */
interface Cookies {
  /** By their names without a prefix; on https one of this host without its prefix is left out. */
  parse(header: string | undefined): Readonly<Record<string, string>>
  serialise(name: string, value: string, options: CookieOptions): string
}

export function createCookies(publicOrigin: string): Cookies {
  const isSecure = publicOrigin.startsWith('https:')
  const wireName = (name: string): string =>
    isSecure && OF_THIS_HOST.includes(name) ? `${HOST_PREFIX}${name}` : name
  return {
    parse(header) {
      const found = parseCookies(header)
      const own = OF_THIS_HOST.map((name) => [name, found[wireName(name)]] as const)
      const named = own.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
      const rest = Object.entries(found).filter(([name]) => !OF_THIS_HOST.includes(name))
      return Object.fromEntries([...rest, ...named])
    },
    serialise: (name, value, options) => serialiseCookie(wireName(name), value, options, isSecure),
  }
}

/**
 * Reads a `Cookie` header; broken pairs are left out, the first of two equal names counts (RFC 6265
 * §5.4 sends the most specific first).
 */
export function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null) as Record<string, string>
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 1) continue
    const name = pair.slice(0, equals).trim()
    if (Object.hasOwn(found, name)) continue
    found[name] = decode(pair.slice(equals + 1).trim())
  }
  return found
}

/** One `Set-Cookie` value. Not tied to a domain, so that it stays with this host. */
function serialiseCookie(
  name: string,
  value: string,
  options: CookieOptions,
  isSecureOrigin: boolean,
): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', 'SameSite=Lax']
  if (options.maxAgeS !== undefined) parts.push(`Max-Age=${options.maxAgeS}`)
  if (options.httpOnly) parts.push('HttpOnly')
  if (isSecureOrigin) parts.push('Secure')
  return parts.join('; ')
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
