import type { UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  beginTokenCheckout,
  type CheckoutSession,
  type TokenCheckout,
} from '#src/local/calls/checkout.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Begins a card payment at a press, or goes on with the same one that this device began. Nothing is
 * charged by it. Resolves with a `Result`.
 */
export function useBeginCardPayment(): UseMutationResult<
  Result<CheckoutSession, ApiFailure>,
  Error,
  TokenCheckout
> {
  return useCall(beginTokenCheckout)
}
