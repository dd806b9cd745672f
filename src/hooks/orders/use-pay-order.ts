import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import {
  payOrder,
  settlePayment,
  type PayFailure,
  type WalletPayment,
} from '#src/local/calls/pay-order.ts'
import type { Result } from '#src/lib/result.ts'

export type PaymentCall =
  | { readonly kind: 'pay'; readonly payment: WalletPayment }
  | { readonly kind: 'settle'; readonly orderId: string }

/**
 * Pays with tokens, or settles a payment that was not answered. Resolves with a `Result` (never
 * rejects for an expected failure); rows change by the server's answer, wallets and order are
 * pulled after any outcome.
 */
export function usePayOrder(): UseMutationResult<Result<null, PayFailure>, Error, PaymentCall> {
  const queries = useQueryClient()
  return useCall(
    (context, call): Promise<Result<null, PayFailure>> =>
      call.kind === 'pay' ? payOrder(context, call.payment) : settlePayment(context, call.orderId),
    () => queries.invalidateQueries({ queryKey: PULL_KEY }),
  )
}
