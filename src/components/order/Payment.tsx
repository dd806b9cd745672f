import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { MISSING, type AssetPlace } from '#src/components/assets/ends.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { WalletCard } from '#src/components/tokens/WalletCard.tsx'
import { paths } from '#src/config/paths.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { useSettleChanged } from '#src/hooks/orders/use-settle-changed.ts'
import { useWallets, type Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { CardPayment, useNamedPayment } from './CardPayment.tsx'
import { OrderTransactions } from './OrderTransactions.tsx'
import { PayFromWallet, type PayFromWalletProps } from './PayFromWallet.tsx'
import { refreshFailureWords, useRefreshWallets } from '#src/hooks/pay/use-refresh-wallets.ts'

export interface PaymentProps {
  readonly order: Order
  readonly fullText: PayFromWalletProps['fullText']
  /** Ends of its edits that lack an asset which was deleted: what was chosen cannot be made. */
  readonly missing: readonly AssetPlace[]
}

interface WaysToPayProps extends Omit<PaymentProps, 'missing'> {
  readonly onBegun: (sessionId: string) => void
}

/** The payment of every checkout: what was paid so far, and the ways to pay the rest. */
export function Payment({ order, fullText, missing }: PaymentProps) {
  const payment = useNamedPayment()
  return (
    <Card as="section" labelledBy="payment" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="payment" className="text-lg font-semibold">
          Payment
        </h2>
        <Badge tone="warning">Awaiting Payment</Badge>
      </div>
      <OrderTransactions order={order} />
      {payment.sessionId === null ? null : (
        <CardPayment
          key={payment.sessionId}
          sessionId={payment.sessionId}
          onEnd={() => payment.name(null)}
        />
      )}
      {payment.sessionId === null && missing.length === 0 ? (
        <WaysToPay order={order} fullText={fullText} onBegun={payment.name} />
      ) : null}
      {payment.sessionId === null && missing.length > 0 ? (
        <NotPayable order={order} missing={missing} />
      ) : null}
    </Card>
  )
}

/** Why nothing is paid now, and what to do first. */
function NotPayable({ order, missing }: Omit<PaymentProps, 'fullText'>) {
  return (
    <Notice
      kind="error"
      title={`${missing.map((end) => MISSING[end]).join('. ')}, so this order cannot be paid`}
    >
      {order.hasPaidWalletCoinTransactions
        ? 'It was deleted from your media assets. Cancel this order, which gives your tokens back. Then remove it in the options of the edit, or choose another, and order again.'
        : 'It was deleted from your media assets. Press "Change Requested Edits", and remove it in the options of the edit, or choose another. Then submit the order again.'}
    </Notice>
  )
}

/** By tokens of one of the wallets, by card, or by a subscription first. */
function WaysToPay({ order, fullText, onBegun }: WaysToPayProps) {
  useSettleChanged(order)
  const wallets = useWallets()
  const isSold = useSellsTokens()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const known = wallets.data ?? []
  const wallet = pickWallet(known, chosenId)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{known.length > 1 ? 'Pay from' : 'Your tokens'}</h3>
        <span className="flex flex-wrap gap-1">
          <RefreshTokens />
          {isSold && wallets.data?.length !== 0 ? <AddTokens wallet={wallet} /> : null}
        </span>
      </div>
      {known.length > 1 ? (
        <RadioGroup
          aria-label="Pay from"
          value={wallet?._id ?? ''}
          onChange={setChosenId}
          className="flex flex-col gap-3"
        >
          {known.map((candidate) => (
            <WalletCard key={candidate._id} wallet={candidate} />
          ))}
        </RadioGroup>
      ) : null}
      {wallets.status === 'nothing-yet' ? <Skeleton className="h-96" /> : null}
      <PullFailure pull={wallets} title="Failed to fetch wallets" />
      {wallets.data?.length === 0 ? <NoWallet /> : null}
      {wallet === null ? null : (
        <PayFromWallet
          key={wallet._id}
          order={order}
          wallet={wallet}
          fullText={fullText}
          onBegun={onBegun}
        />
      )}
    </>
  )
}

/** In a new tab, so that the order stays where it is. */
function AddTokens({ wallet }: { readonly wallet: Wallet | null }) {
  return (
    <LinkButton
      to={wallet === null ? paths.wallets : paths.wallet(wallet._id)}
      variant="quiet"
      size="small"
      isNewTab
    >
      <Plus aria-hidden className="size-4" />
      Add Tokens
    </LinkButton>
  )
}

function NoWallet() {
  return (
    <Notice
      title="There is no wallet to pay from"
      action={
        <LinkButton to={paths.wallets} variant="secondary" isNewTab>
          Create a Wallet
        </LinkButton>
      }
    />
  )
}

function RefreshTokens() {
  const toasts = useToasts()
  const refresh = useRefreshWallets()
  const start = () =>
    refresh.mutate(undefined, {
      onSuccess: () => toasts.show('success', 'Wallet balances updated'),
      onError: (error) => toasts.show('error', refreshFailureWords(error)),
    })
  return (
    <Button variant="quiet" size="small" onPress={start} isBusy={refresh.isPending}>
      {refresh.isPending ? null : <RefreshCw aria-hidden className="size-4" />}Refresh Tokens
    </Button>
  )
}

/**
 * The chosen wallet, else the one with the most to spend, so that one press is enough where
 * possible.
 */
function pickWallet(wallets: readonly Wallet[], chosenId: string | null): Wallet | null {
  const chosen = wallets.find((wallet) => wallet._id === chosenId)
  return (
    chosen ?? wallets.toSorted((a, b) => b.spendableCoinAmount - a.spendableCoinAmount)[0] ?? null
  )
}
