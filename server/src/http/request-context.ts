import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { Problem } from '#server/problems.ts'

/**
 * Attributes of a cookie; `SameSite=Lax`, `Path=/` and, on an https origin, `Secure` are always
 * added.
 */
export interface CookieOptions {
  readonly httpOnly: boolean
  readonly maxAgeS?: number
}

/** A request's cookies by name. */
type Cookies = Readonly<Record<string, string>>

/**
 * Adds a `Set-Cookie` to the answer, also to a refusal; an empty value with `maxAgeS: 0` deletes.
 */
export type SetCookie = (name: string, value: string, options: CookieOptions) => void

/** The session of a request. */
interface Identity {
  readonly user: CurrentUser
  readonly sessionId: string
}

/** Finds the session of a request's cookies and refreshes them; null when signed out. */
export type Identify = (cookies: Cookies, setCookie: SetCookie) => Promise<Identity | null>

/** What a handler may know of the request beside its parameters and body. */
export interface RequestContext {
  readonly user: CurrentUser | null
  readonly sessionId: string | null
  /**
   * Where the request comes from, as trusted proxies report it: an IPv4 address, or the /64 of an
   * IPv6 address; `unknown` in tests without a socket.
   */
  readonly clientNetwork: string
  readonly cookies: Cookies
  /** Value of the cookie that ties a sign-in code to the browser that asked for it. */
  readonly browserId: string | null
  readonly requestId: string
  /** `HEAD` arrives at the handler of `GET`; its body is dropped afterwards. */
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  readonly setCookie: SetCookie
}

/** The refusal of a call that needs a session. */
export function signedOut(): Problem {
  return new Problem('auth/signed-out', 'Please log in to continue.')
}

/** The context of an operation that needs a session; refuses with `auth/signed-out` without one. */
export function asUser(deps: Deps, context: RequestContext): UserCtx {
  if (context.user === null) throw signedOut()
  return { ...deps, user: context.user }
}
