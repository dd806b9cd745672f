import { Amount } from '#src/components/tokens/Amount.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { WALLET_ENDING_CHARACTERS } from '#spec/numbers.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'

/** What was paid for an order and what came back; nothing before the first payment. */
export function OrderTransactions({
  order: { walletCoinTransactions },
}: {
  readonly order: Pick<Order, 'walletCoinTransactions'>
}) {
  if (walletCoinTransactions.length === 0) return null
  return (
    <section aria-labelledby="order-transactions">
      <h3 id="order-transactions" className="text-sm font-semibold">
        Wallet transactions
      </h3>
      <ul className="mt-2 flex flex-col gap-2">
        {walletCoinTransactions.map(({ _id, coinAmount, walletId, createdAt }) => (
          <li key={_id} className="flex justify-between gap-4">
            <span className="min-w-0">
              <span className="block">{coinAmount < 0 ? 'Paid' : 'Returned'}</span>
              <span className="block text-sm text-ink-muted">
                {`Wallet ending in ${walletId.slice(-WALLET_ENDING_CHARACTERS)}, ${dateWords(Date.parse(createdAt))}`}
              </span>
            </span>
            <Amount coinAmount={Math.abs(coinAmount)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
