import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useAccount, useLocal } from './local-context.ts'
import { PULL_KEY } from './pulls.ts'
import {
  payOrder,
  settlePayment,
  type PayDeps,
  type PayFailure,
  type Payment,
} from '#src/local/outbox/pay-order.ts'
import type { Result } from '#src/lib/result.ts'

export type PaymentCall =
  | { readonly kind: 'pay'; readonly payment: Payment }
  | { readonly kind: 'settle'; readonly orderId: string }

/**
 * Pays with tokens, or settles a payment that was not answered. Resolves with a `Result` (never
 * rejects for an expected failure); rows change by the server's answer, wallets and order are
 * pulled after any outcome.
 */
export function usePayOrder(): UseMutationResult<Result<null, PayFailure>, Error, PaymentCall> {
  const { api, clock, random } = useLocal()
  const account = useAccount()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (call: PaymentCall): Promise<Result<null, PayFailure>> => {
      if (account === null) throw new Error('paying without an account')
      const deps: PayDeps = { api, db: account.db, clock, random }
      return call.kind === 'pay' ? payOrder(deps, call.payment) : settlePayment(deps, call.orderId)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: PULL_KEY }),
  })
}
