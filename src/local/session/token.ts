import * as v from 'valibot'

/** The signed-in user as the readable cookie says; display only, the server never trusts it. */
export interface SessionUser {
  readonly _id: string
  readonly email: string
  readonly permissions: readonly string[]
}
export interface DecodedToken {
  readonly user: SessionUser
  readonly expiresAtEpochMs: number | null
}

const payloadSchema = v.object({
  user: v.object({
    _id: v.pipe(v.string(), v.minLength(1)),
    email: v.string(),
    permissions: v.array(v.string()),
  }),
  exp: v.optional(v.number()),
})

/**
 * Reads the payload of the login cookie's token without checking its signature (the server does).
 * @returns null when the token is missing, malformed, without a user id, or expired
 */
export function decodeToken(token: string | null, nowEpochMs: number): DecodedToken | null {
  const payload = token === null ? null : payloadOf(token)
  const parsed = v.safeParse(payloadSchema, payload)
  if (!parsed.success) return null
  const expiresAtEpochMs = parsed.output.exp === undefined ? null : parsed.output.exp * 1000
  if (expiresAtEpochMs !== null && expiresAtEpochMs <= nowEpochMs) return null
  return { user: parsed.output.user, expiresAtEpochMs }
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
