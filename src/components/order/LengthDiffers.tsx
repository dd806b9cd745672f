import { tokens, usageWords } from '#src/components/tokens/token-words.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { lengthDifferences } from '#src/local/edits/price.ts'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * Reports before the payment that the server measured another length than the one this device
 * showed prices for.
 */
export function LengthDiffers({
  order,
  uploadRequestId,
}: {
  readonly order: Order
  readonly uploadRequestId: string
}) {
  const durationMs = useUploadByRequestId(uploadRequestId)?.probe?.durationMs ?? null
  const differences = lengthDifferences(
    order.lineItems.map((item) => item.pricing),
    durationMs,
  )
  const [first] = differences
  if (first === undefined) return null
  const shown =
    order.lineItemsTotalCoinAmount -
    differences.reduce((sum, each) => sum + each.chargedCoinAmount - each.shownCoinAmount, 0)
  return (
    <Notice
      kind="warning"
      isLive
      className="mb-6"
      title={`The price is ${tokens(order.lineItemsTotalCoinAmount)}, not ${tokens(shown)}`}
    >
      {`Your video counts as ${usageWords(first.chargedUsage, first.usageUnit)} on the server and as ${usageWords(first.shownUsage, first.usageUnit)} on this device. The server's measurement sets the price. Nothing is charged until you pay.`}
    </Notice>
  )
}
