import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { ApiFailure } from '#src/api/errors.ts'
import { paths } from '#src/config/paths.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { beginSubscription, readCheckout } from '#src/local/calls/checkout.ts'

const SESSION_PARAM = 'stripeCheckoutSessionId'

/** The checkout session of a visit. */
export interface SubscriptionCheckout {
  /** Null until it is found or begun. */
  readonly session: CheckoutSession | null
  readonly failure: ApiFailure | null
  readonly isFetching: boolean
  readonly tryAgain: () => void
  /** Begins another session in the place of this one. */
  readonly startAgain: () => void
}

/**
 * The session that the address names, else one that is begun once for this visit; the address names
 * it from then on, so that a reload finds it.
 */
export function useSubscriptionCheckout(): SubscriptionCheckout {
  const local = useLocal()
  const account = useAccount()
  const navigate = useNavigate()
  const location = useLocation()
  const { key: visit } = location
  const state: unknown = location.state
  const sessionId = useSearchParams()[0].get(SESSION_PARAM)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['subscription-checkout', account?.userId ?? null, sessionId ?? visit],
    enabled: account !== null,
    // Once a visit; from then on the pay frame follows the session.
    staleTime: Infinity,
    // The session stays on the screen while the address comes to name it.
    placeholderData: keepPreviousData,
    // Who reads `signal` is ended with the last listener; what was begun is waited for.
    queryFn: async (context) =>
      valueOrThrow(
        sessionId === null
          ? await beginSubscription(local)
          : await readCheckout(local, 'subscription', sessionId, context.signal),
      ),
  })
  const begunId = sessionId === null && !isPlaceholderData ? (data?._id ?? null) : null
  useEffect(() => {
    if (begunId === null) return
    const search = new URLSearchParams({ [SESSION_PARAM]: begunId }).toString()
    void navigate({ pathname: paths.subscriptionCheckout, search }, { replace: true, state })
  }, [begunId, navigate, state])
  return {
    session: data ?? null,
    failure: failureOf(error),
    isFetching,
    tryAgain: () => void refetch(),
    startAgain: () => void navigate(paths.subscriptionCheckout, { replace: true, state }),
  }
}
