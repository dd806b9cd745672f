import type { CallDeps } from './direct-calls.ts'
import type { TypedCode } from './redeem-referral-code.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { referralCodes } from '#src/local/nouns/referral-codes.ts'
import { ok, type Result } from '#src/lib/result.ts'

/**
 * Makes a referral code, 4 to 20 of A-Z and 0-9, and stores it. Needs the network; after a lost
 * answer the same code can be asked for again. 409 `referrals/code-taken` and
 * `referrals/limit-reached`, 422 `referrals/code-not-allowed`
 * and `referrals/age-not-confirmed`.
 */
export async function createReferralCode(
  { api, db, clock, ids }: CallDeps,
  referralCode: TypedCode,
): Promise<Result<null, ApiFailure>> {
  const params = { header: { [IDEMPOTENCY_HEADER]: ids.uuid() } }
  const body = { referralCode }
  const answer = await send(api.POST('/v1/payments/referral-codes', { params, body }))
  if (!answer.ok) return answer
  const row = referralCodes.toRow(answer.value.referralCode, clock.now())
  await db.transaction('rw', db.referralCodes, () => putUnlessNewer(db.referralCodes, [row]))
  return ok(null)
}
