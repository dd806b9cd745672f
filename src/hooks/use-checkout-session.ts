import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccount, useLocal } from './local-context.ts'
import { failureOf, valueOrThrow } from './query-client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { readCheckout, type CheckoutKind, type CheckoutSession } from '#src/local/calls/checkout.ts'

export type { CheckoutKind, CheckoutSession }

/** Waits between looks at a payment that may be there any moment; then `SLOW_MS`. */
const QUICK_MS = [1, 2, 3, 5, 8, 13, 21].map((seconds) => seconds * SECOND_MS)
/** Also while a person pays in the frame, whose word may be lost. */
const SLOW_MS = 30 * SECOND_MS

/** How a checkout session is followed. */
export interface FollowedCheckout {
  /** Null until the server has answered once. */
  readonly session: CheckoutSession | null
  /** Why the last look failed; the next one comes by itself. */
  readonly failure: ApiFailure | null
  readonly isFetching: boolean
  /** Looks now. */
  readonly look: () => void
}

/**
 * Follows a checkout session until it is paid, refused or expired; also looks when the person comes
 * back to the page or the network returns.
 * @param known the session where it was just begun
 */
export function useCheckoutSession(
  kind: CheckoutKind,
  id: string,
  pace: 'quick' | 'slow',
  known: CheckoutSession | null = null,
): FollowedCheckout {
  const local = useLocal()
  const account = useAccount()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['checkout-session', account?.userId ?? null, kind, id],
    enabled: account !== null,
    staleTime: SECOND_MS,
    queryFn: async ({ signal }) => valueOrThrow(await readCheckout(local, kind, id, signal)),
    ...(known === null ? {} : { initialData: known }),
  })
  const session = data ?? null
  const isOver = session !== null && isSettled(session)
  const isQuick = pace === 'quick' || session?.status === 'complete'
  const { clock } = local
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
  }, [clock, refetch, id, isOver, isQuick])
  return { session, failure: failureOf(error), isFetching, look: () => void refetch() }
}

/** Nothing more will happen to it. */
function isSettled({ status, payment }: CheckoutSession): boolean {
  return (
    payment === 'paid' || payment === 'failed' || (status === 'expired' && payment === 'unpaid')
  )
}
