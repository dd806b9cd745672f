import type { ApiClient } from '#src/api/client.ts'
import { apiFailureMessage, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'

/** What the server says of a referral code. */
export type CodeVerdict =
  /** It can be redeemed; the browser is now tied to it for its sign-up. */
  | { readonly kind: 'valid'; readonly code: string }
  /** This person redeemed one before. */
  | { readonly kind: 'redeemed'; readonly code: string }
  | { readonly kind: 'invalid' }
  /** The server did not say: no network, too many checks, a fault. `message` is for the person. */
  | { readonly kind: 'unknown'; readonly message: string; readonly failure: ApiFailure }

/** Asks the server for a code. Case does not matter. Never rejects. */
export async function checkReferralCode(
  api: ApiClient,
  code: string,
  signal?: AbortSignal,
): Promise<CodeVerdict> {
  const answer = await send(
    api.GET('/v1/payments/referral-codes/{code}/validate', {
      params: { path: { code } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (answer.ok) {
    const { referralCode, referralCodeRedemption } = answer.value
    return referralCodeRedemption === null
      ? { kind: 'valid', code: referralCode.code }
      : { kind: 'redeemed', code: referralCodeRedemption.code }
  }
  const status = statusOf(answer.error)
  return status === 404 || status === 422
    ? { kind: 'invalid' }
    : { kind: 'unknown', message: apiFailureMessage(answer.error), failure: answer.error }
}
