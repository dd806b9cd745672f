import { useLocation } from 'react-router'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { PLAN_PRICE_DOLLARS_PER_MONTH, SUBSCRIPTION_TOKENS_PER_MONTH } from '#spec/numbers.ts'
import { PayByCard } from './CardPayment.tsx'
import { PayAction } from './PayAction.tsx'
import type { PaymentOffer } from './payment-offer.ts'

/** How an order is paid beside the tokens of a wallet. */
type Way = 'card' | 'subscription'

/** The other way of this person, at this server; a subscription only where tokens are missing. */
export function useOtherWay(offer: PaymentOffer): Way | 'none' {
  const isSold = useSellsTokens()
  const mayBuy = usePermission(PERMISSIONS.createFundSourceWalletCoinTransactions)
  const maySubscribe = usePermission(PERMISSIONS.createWalletSubscriptions)
  if (!isSold) return 'none'
  if (mayBuy) return 'card'
  return maySubscribe && offer.kind !== 'full' ? 'subscription' : 'none'
}

export interface OtherWayProps {
  readonly way: Way
  /** Stands before the payment by tokens, as the main action. */
  readonly isMain: boolean
  readonly order: Order
  /** Where the tokens go that the card buys, and from where they pay the order. */
  readonly wallet: Pick<Wallet, '_id' | 'spendableCoinAmount'>
  readonly onBegun: (sessionId: string) => void
}

export function OtherWay({ way, ...card }: OtherWayProps) {
  return way === 'card' ? <PayByCard {...card} /> : <SubscribeFirst {...card} />
}

/** The paid month brings tokens, and the right to buy more. */
function SubscribeFirst({ isMain, order }: Pick<OtherWayProps, 'isMain' | 'order'>) {
  const { pathname } = useLocation()
  return (
    <div className="flex flex-col gap-2">
      <PayAction isMain={isMain} order={order} problem={null}>
        {(isInBar) => (
          <LinkButton
            to={paths.subscriptionCheckout}
            state={{ returnPath: pathname }}
            size="large"
            className={isInBar ? '' : 'w-full'}
          >
            Subscribe for Monthly Tokens
          </LinkButton>
        )}
      </PayAction>
      <p className="text-center text-sm text-ink-muted">
        {`${tokens(SUBSCRIPTION_TOKENS_PER_MONTH)} each month for $${PLAN_PRICE_DOLLARS_PER_MONTH.toFixed(2)}. Your order waits.`}
      </p>
    </div>
  )
}
