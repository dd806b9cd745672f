import { useState } from 'react'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { serverProblemCopy, type ServerProblemCopy } from '#src/components/problem/server-copy.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { useCancelOrder } from './use-cancel-order.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

export interface CancelOrderProps {
  readonly order: Pick<Order, '_id' | 'paidTotalCoinAmount' | 'refundedTotalCoinAmount'>
  readonly onCancelled: () => void
}

/**
 * Cancels an order that was paid in part: everything paid is returned, and edits can be chosen
 * again.
 */
export function CancelOrder({ order, onCancelled }: CancelOrderProps) {
  const cancel = useCancelOrder()
  const toasts = useToasts()
  const [problem, setProblem] = useState<ServerProblemCopy | null>(null)
  const back = tokens(Math.abs(order.paidTotalCoinAmount) - order.refundedTotalCoinAmount)
  const start = async () => {
    setProblem(null)
    const result = await cancel.mutateAsync(order._id)
    if (!result.ok) {
      setProblem(serverProblemCopy(result.error))
      return
    }
    toasts.show('success', `Order cancelled. ${back} returned to your wallet.`)
    onCancelled()
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm text-ink-muted">
        You have already paid for part of this order, so its edits can no longer be changed. To
        choose others, cancel the order: {back} will be returned to your wallet.
      </p>
      <SendButton
        sends="POST /v1/orders/{id}/cancel"
        variant="secondary"
        onPress={() => void start()}
        isBusy={cancel.isPending}
        className="w-full sm:w-auto"
      >
        Cancel order
      </SendButton>
      {problem === null ? null : (
        <p role="alert" className="text-sm text-bad">
          {problem.title} {problem.body}
        </p>
      )}
    </div>
  )
}
