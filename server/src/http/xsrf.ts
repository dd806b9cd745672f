import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#server/db/secrets.ts'
import { Problem } from '#server/problems.ts'

/**
 * The value of `XSRF-TOKEN` for a session: an HMAC of its id, so that another session's value never
 * passes.
 */
export function xsrfTokenFor(secrets: Pick<Secrets, 'xsrf'>, sessionId: string): string {
  return tokenBy(secrets.xsrf.signing, sessionId)
}

function tokenBy(key: Uint8Array, sessionId: string): string {
  return createHmac('sha256', key).update(`xsrf:${sessionId}`).digest('base64url')
}

/** What a write is checked by. */
interface WriteOrigin {
  readonly headers: Readonly<Record<string, string>>
  readonly publicOrigin: string
}

/**
 * Refuses a write that did not come from our own pages, with `auth/xsrf`. Browsers send
 * `Sec-Fetch-Site` or `Origin` with every write; a client that sends neither is not a browser, so
 * it carries no other site's request.
 */
export function refuseForeignOrigin({ headers, publicOrigin }: WriteOrigin): void {
  const site = headers['sec-fetch-site']
  const origin = headers['origin']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw xsrfProblem()
  if (origin === undefined) return
  if (origin === publicOrigin) return
  // A loopback server answers under several names (localhost, 127.0.0.1); the browser's own verdict
  // or the same host settles it.
  if (site === 'same-origin') return
  if (isOwnOrigin(origin, headers['host'], publicOrigin)) return
  throw xsrfProblem()
}

/**
 * Refuses a write of a session whose header does not carry the session's value, with `auth/xsrf`.
 */
export function refuseWrongXsrfToken(
  headers: Readonly<Record<string, string>>,
  secrets: Pick<Secrets, 'xsrf'>,
  sessionId: string,
): void {
  const given = Buffer.from(headers['x-xsrf-token'] ?? '')
  const isRight = secrets.xsrf.accepted.some((key) => {
    const wanted = Buffer.from(tokenBy(key, sessionId))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  if (!isRight) throw xsrfProblem()
}

/**
 * Whether an origin is the host that was asked, by the scheme of the public origin: who is on the
 * way can write what a host on https seems to say over http.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const { protocol, host: ofOrigin } = new URL(origin)
  return ofOrigin === host && protocol === new URL(publicOrigin).protocol
}

function xsrfProblem(): Problem {
  return new Problem(
    'auth/xsrf',
    'This request did not come from this app. Reload the page and try again.',
  )
}
