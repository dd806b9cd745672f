import type { CookieOptions } from './request-context.ts'

export const SESSION_COOKIE = 'onecut_session'
export const BROWSER_COOKIE = 'onecut_browser'
/** The referral code that this browser was invited with. */
export const REFERRAL_COOKIE = 'onecut_referral'
export const XSRF_COOKIE = 'XSRF-TOKEN'

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
export function serialiseCookie(
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
