import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { createReferralCode } from '#src/local/calls/create-referral-code.ts'
import type { TypedCode } from '#src/local/calls/redeem-referral-code.ts'
import { referralCodes } from '#src/local/nouns/referral-codes.ts'
import type { Result } from '#src/lib/result.ts'

/** Makes a referral code, then reads the list again. Resolves with a `Result`. */
export function useCreateReferralCode(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  TypedCode
> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useCall(async (context, code: TypedCode) => {
    const created = await createReferralCode(context, code)
    // After a refusal too: another device may have made the last one.
    await queries.fetchQuery({ ...pulls.list(referralCodes), staleTime: 0 }).catch(() => null)
    return created
  })
}
