import type { Permission } from '#server/policies/permissions.ts'
import { Problem } from '#server/problems.ts'

/** The person behind a session, as the database knows them now. */
export interface CurrentUser {
  readonly id: string
  readonly email: string
  readonly permissions: readonly Permission[]
}

/**
 * Attributes of a cookie; `SameSite=Lax`, `Path=/` and, on an https origin, `Secure` are always
 * added.
 */
export interface CookieOptions {
  readonly httpOnly: boolean
  readonly maxAgeS?: number
}

/** What a handler may know of the request beside its parameters and body. */
export interface RequestContext {
  readonly user: CurrentUser | null
  readonly sessionId: string | null
  /**
   * Whom the request comes from, behind trusted proxies as they say; `unknown` in tests without a
   * socket.
   */
  readonly clientAddress: string
  readonly cookies: Readonly<Record<string, string>>
  /** Value of the cookie that ties a sign-in code to the browser that asked for it. */
  readonly browserId: string | null
  readonly requestId: string
  /** `HEAD` arrives at the handler of `GET`; its body is dropped afterwards. */
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /**
   * Adds a `Set-Cookie` to the answer, also to a refusal; an empty value with `maxAgeS: 0` deletes.
   */
  setCookie(name: string, value: string, options: CookieOptions): void
}

/**
 * The signed-in person; refuses with 401 `auth/signed-out` else. The frame has already checked
 * where the contract asks.
 */
export function requireUser(context: RequestContext): CurrentUser {
  if (context.user === null) throw signedOut()
  return context.user
}

/** The refusal of a call that needs a session. */
export function signedOut(): Problem {
  return new Problem(401, 'auth/signed-out', 'Please log in to go on.')
}
