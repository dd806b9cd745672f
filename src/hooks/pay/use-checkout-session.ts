import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import {
  isSettled,
  lookAtCheckout,
  type CheckoutKind,
  type CheckoutSession,
} from '#src/local/calls/checkout.ts'

export type { CheckoutKind, CheckoutSession }

/** Waits between looks at a payment that may be there any moment; then `SLOW_MS`. */
const QUICK_MS = [1, 2, 3, 5, 8, 13, 21].map((seconds) => seconds * SECOND_MS)
/** Also while a person pays in the frame, whose word may be lost. */
const SLOW_MS = 30 * SECOND_MS

/** The key of a session's query; a session that was begun a moment ago is put under it. */
export function checkoutKey(userId: string | null, kind: CheckoutKind, id: string) {
  return ['checkout-session', userId, kind, id] as const
}

/**
 * A checkout session as the server has it; looks again when the person comes back to the page or
 * the network returns. Once it is paid, everything shown is pulled again.
 */
export function useCheckoutSession(
  kind: CheckoutKind,
  id: string,
  known: CheckoutSession | null = null,
): UseQueryResult<CheckoutSession> {
  const queries = useQueryClient()
  const { api } = useLocal()
  const account = useAccount()
  return useQuery<CheckoutSession>({
    queryKey: checkoutKey(account?.userId ?? null, kind, id),
    enabled: account !== null,
    staleTime: ({ state: { data } }) =>
      data !== undefined && isSettled(data) ? Infinity : SECOND_MS,
    queryFn: async ({ signal }) => {
      if (account === null) throw new Error('a call without an account')
      const session = valueOrThrow(await lookAtCheckout({ api, db: account.db }, kind, id, signal))
      if (session.payment === 'paid') void queries.invalidateQueries({ queryKey: PULL_KEY })
      return session
    },
    ...(known === null ? {} : { initialData: known }),
  })
}

/** How a checkout session is followed. */
export interface FollowedCheckout {
  readonly session: CheckoutSession
  /** Why the last look failed; the next one comes by itself. */
  readonly failure: ApiFailure | null
  /** Looks now. */
  readonly look: () => void
}

/** Follows a checkout session that was begun or found, until it is paid, refused or expired. */
export function useFollowedCheckout(
  kind: CheckoutKind,
  known: CheckoutSession,
  pace: 'quick' | 'slow',
): FollowedCheckout {
  const { clock } = useLocal()
  const { data: session = known, error, refetch } = useCheckoutSession(kind, known._id, known)
  const isOver = isSettled(session)
  const isQuick = pace === 'quick' || session.status === 'complete'
  useEffect(() => {
    if (isOver) return undefined
    const left = new AbortController()
    const follow = async (): Promise<void> => {
      for (let look = 0; ; look += 1) {
        const waitMs = isQuick ? (QUICK_MS[look] ?? SLOW_MS) : SLOW_MS
        await clock.sleep(waitMs, left.signal)
        await refetch()
      }
    }
    follow().catch(() => undefined)
    return () => left.abort()
  }, [clock, refetch, isOver, isQuick])
  return { session, failure: failureOf(error), look: () => void refetch() }
}
