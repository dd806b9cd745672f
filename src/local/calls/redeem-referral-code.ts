import type { components } from '#openapi/schema.gen.ts'
import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

export type Redemption = components['schemas']['ReferralCodeRedemption']

/** A code as it was typed, and what the person says of their age. */
export interface TypedCode {
  readonly code: string
  readonly isAtLeast18: boolean
}

/**
 * Redeems a referral code for the signed-in person. Needs the network; repeating it with the same
 * code gives the redemption. 404 `referrals/not-found`, 409 `referrals/already-redeemed`, 422 for
 * the rules that the person or the code does not meet.
 */
export async function redeemReferralCode(
  { api }: Pick<CallDeps, 'api'>,
  referralCode: TypedCode,
): Promise<Result<Redemption, ApiFailure>> {
  const answer = await send(
    api.POST('/v1/payments/referral-code-redemption', { body: { referralCode } }),
  )
  return answer.ok ? ok(answer.value.referralCodeRedemption) : answer
}

/** What the signed-in person has redeemed, or null. */
export async function readOwnRedemption(
  { api }: Pick<CallDeps, 'api'>,
  signal: AbortSignal,
): Promise<Result<Redemption | null, ApiFailure>> {
  const answer = await send(api.GET('/v1/payments/referral-code-redemption', { signal }))
  return answer.ok ? ok(answer.value.referralCodeRedemption) : answer
}
