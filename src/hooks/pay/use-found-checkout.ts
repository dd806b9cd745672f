import { failureOf } from '#src/hooks/sync/query-client.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import {
  useCheckoutSession,
  type CheckoutKind,
  type CheckoutSession,
} from './use-checkout-session.ts'
import { statusOf } from '#src/api/errors.ts'

/** A checkout session that an address names. */
export type FoundCheckout =
  | { readonly kind: 'reading' }
  | { readonly kind: 'found'; readonly session: CheckoutSession }
  /** The server has no such session of this person. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly pull: Shown<CheckoutSession> }

/** Reads a checkout session of this kind, and keeps it as fresh as who follows it. */
export function useFoundCheckout(of: CheckoutKind, sessionId: string): FoundCheckout {
  const { data, error, isFetching, refetch } = useCheckoutSession(of, sessionId)
  if (data !== undefined) return { kind: 'found', session: data }
  const failure = failureOf(error)
  if (failure === null) return { kind: 'reading' }
  if (statusOf(failure) === 404) return { kind: 'missing' }
  const refresh = () => void refetch()
  return {
    kind: 'failed',
    pull: { status: 'failed', data: null, asOfEpochMs: null, isFetching, failure, refresh },
  }
}
