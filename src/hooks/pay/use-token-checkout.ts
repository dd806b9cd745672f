import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import { checkoutKey } from './use-checkout-session.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  beginTokenCheckout,
  type CheckoutSession,
  type TokenCheckout,
} from '#src/local/calls/checkout.ts'
import type { CheckoutRow } from '#src/local/db/rows.ts'

export type { CheckoutRow, TokenCheckout }

/** A card payment that a screen begins when it opens. */
export interface BegunCheckout {
  /** Null until the server has answered. */
  readonly session: CheckoutSession | null
  readonly failure: ApiFailure | null
  readonly isFetching: boolean
  /** Begins again after a failure; the same payment where the last answer was lost. */
  readonly refresh: () => void
}

/**
 * Begins a card payment for tokens once for a visit, or goes on with the one that this device
 * began. A query and not a mutation, so that two renders begin one payment.
 * @param isWanted false: begins nothing yet
 */
export function useTokenCheckout(ask: TokenCheckout, isWanted = true): BegunCheckout {
  const queries = useQueryClient()
  const local = useLocal()
  const account = useAccount()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['token-checkout', account?.userId ?? null, ask],
    enabled: account !== null && isWanted,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    queryFn: async () => {
      if (account === null) throw new Error('a call without an account')
      const session = valueOrThrow(await beginTokenCheckout({ ...local, db: account.db }, ask))
      queries.setQueryData(checkoutKey(account.userId, 'tokens', session._id), session)
      if (session.payment === 'paid') void queries.invalidateQueries({ queryKey: PULL_KEY })
      return session
    },
  })
  return {
    session: data ?? null,
    failure: failureOf(error),
    isFetching,
    refresh: () => void refetch(),
  }
}

/** The card payments of a wallet that were begun here and have no end yet, oldest first. */
export function useOpenCheckouts(walletId: string): Live<readonly CheckoutRow[]> {
  return useLive(`checkouts:${walletId}`, async (db) => {
    const rows = await db.checkouts.filter((row) => row.walletId === walletId).toArray()
    return rows.toSorted((a, b) => a.createdAtEpochMs - b.createdAtEpochMs)
  })
}
