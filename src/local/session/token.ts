import * as v from 'valibot'

/** The signed-in user as the readable cookie says; display only, the server never trusts it. */
export interface SessionUser {
  readonly _id: string
  readonly email: string
  readonly permissions: readonly string[]
}

const payloadSchema = v.object({
  user: v.object({
    _id: v.pipe(v.string(), v.minLength(1)),
    email: v.string(),
    permissions: v.array(v.string()),
  }),
})

/**
 * Reads the payload of the login cookie's token without checking its signature or its end: the
 * server does. By the clock of this device a session is never over, since that clock may be years
 * wrong, and the browser takes the cookie away at its end.
 * @returns null when the token is missing, malformed or without a user id
 */
export function decodeToken(token: string | null): SessionUser | null {
  const payload = token === null ? null : payloadOf(token)
  const parsed = v.safeParse(payloadSchema, payload)
  return parsed.success ? parsed.output.user : null
}

function payloadOf(token: string): unknown {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return null
  try {
    const bytes = Uint8Array.from(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // Not base64url, not UTF-8 or not JSON: all mean "no session".
    return null
  }
}
