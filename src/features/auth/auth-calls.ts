import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

export type Purpose = 'signup' | 'login'
export type HumanChallenge = components['schemas']['HumanChallenge']
export interface MagicLinkAsk {
  readonly email: string
  readonly captchaToken: string
  readonly redirectUri: string
  /** Only of a sign-up; null for none. */
  readonly referralCode: string | null
}

/**
 * Asks for a mail with a link and six digits. Each successful call sends one mail; the server
 * limits them (429).
 */
export function askForMail(
  api: ApiClient,
  purpose: Purpose,
  ask: MagicLinkAsk,
): Promise<Result<unknown, ApiFailure>> {
  const body = {
    user: { email: ask.email.trim() },
    captchaToken: ask.captchaToken,
    redirectUri: ask.redirectUri,
  }
  const referral = ask.referralCode === null ? {} : { referralCode: ask.referralCode }
  return purpose === 'signup'
    ? send(api.POST('/v1/auth/magic-link/signup', { body: { ...body, ...referral } }))
    : send(api.POST('/v1/auth/magic-link/login', { body }))
}

/**
 * Signs in with the six digits, in the browser that asked for them; the cookies are set by the
 * answer. 5 tries.
 */
export function signInWithCode(
  api: ApiClient,
  email: string,
  code: string,
): Promise<Result<components['schemas']['SignedIn'], ApiFailure>> {
  return send(api.POST('/v1/auth/magic-link/code', { body: { email: email.trim(), code } }))
}

/** What the device needs to sign in with one of its passkeys; works once, for 10 minutes. */
export async function beginPasskeySignIn(
  api: ApiClient,
): Promise<Result<components['schemas']['PasskeyRequestOptions'], ApiFailure>> {
  const answer = await send(api.POST('/v1/auth/passkey/options'))
  return answer.ok ? ok(answer.value.options) : answer
}

/** Signs in with the device's answer; the cookies are set by the server's. */
export function signInByPasskey(
  api: ApiClient,
  credential: components['schemas']['PasskeyAssertionBody']['credential'],
): Promise<Result<unknown, ApiFailure>> {
  return send(api.POST('/v1/auth/passkey', { body: { credential } }))
}

/** A fresh proof-of-work challenge; lives ten minutes. */
export function getChallenge(
  api: ApiClient,
  signal: AbortSignal,
): Promise<Result<HumanChallenge, ApiFailure>> {
  return send(api.GET('/v1/human-challenges', { signal }))
}
