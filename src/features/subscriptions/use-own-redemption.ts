import { useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  readOwnRedemption,
  redeemReferralCode,
  type Redemption,
  type TypedCode,
} from '#src/local/calls/redeem-referral-code.ts'
import type { Result } from '#src/lib/result.ts'

/** Of the query, for who knows that the redemption has moved on. */
export const OWN_REDEMPTION_KEY = ['own-redemption'] as const

/** What the person has redeemed. `null` is the server's word that it is nothing. */
export interface OwnRedemption {
  readonly redemption: Redemption | null | undefined
  readonly failure: ApiFailure | null
  readonly isFetching: boolean
  readonly refresh: () => void
}

/** Asked for where a subscription is paid, because that ends the time to redeem a code. */
export function useOwnRedemption(): OwnRedemption {
  const local = useLocal()
  const userId = useAccount()?.userId ?? null
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...OWN_REDEMPTION_KEY, userId],
    enabled: userId !== null,
    queryFn: async ({ signal }) => valueOrThrow(await readOwnRedemption(local, signal)),
  })
  return {
    redemption: data,
    failure: data === undefined ? failureOf(error) : null,
    isFetching,
    refresh: () => void refetch(),
  }
}

/** Redeems a code, then shows what is redeemed now. Resolves with a `Result`. */
export function useRedeemReferralCode(): UseMutationResult<
  Result<Redemption, ApiFailure>,
  Error,
  TypedCode
> {
  const queries = useQueryClient()
  return useCall(
    redeemReferralCode,
    // After a refusal or a lost answer too: it may have been redeemed before.
    async () => await queries.invalidateQueries({ queryKey: OWN_REDEMPTION_KEY }),
  )
}
