import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Label, RadioGroup } from 'react-aria-components'
import { Amount } from '#src/components/Amount.tsx'
import { PullFailure } from '#src/components/PullFailure.tsx'
import { WalletCard } from '#src/components/WalletCard.tsx'
import { tokens } from '#src/components/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { useUnsettledPayment, type Order } from '#src/hooks/use-order.ts'
import { usePayOrder, type PaymentCall } from '#src/hooks/use-pay-order.ts'
import { useSellsTokens } from '#src/hooks/use-sells-tokens.ts'
import { usePermission } from '#src/hooks/use-session.ts'
import { useWallets, type Wallet } from '#src/hooks/use-wallets.ts'
import type { PayFailure } from '#src/local/calls/pay-order.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { CardPayment, PayByCard, useNamedPayment } from './CardPayment.tsx'
import { OrderTransactions } from './OrderTransactions.tsx'
import { PaymentProblem } from './PaymentProblem.tsx'
import { paymentOffer, type PaymentOffer } from './payment-offer.ts'
import { TOKEN_PRICE_DOLLARS } from '#spec/numbers.ts'
import { refreshFailureWords, useRefreshWallets } from '#src/hooks/use-refresh-wallets.ts'

export interface PaymentProps {
  readonly order: Order
  /** The words on the button that pays all; a part has its own. */
  readonly fullText: 'Pay & Complete Order' | 'Pay with Credits'
}

interface WaysToPayProps extends PaymentProps {
  readonly onBegun: (sessionId: string) => void
}

/** The payment of every checkout: what was paid so far, and the ways to pay the rest. */
export function Payment({ order, fullText }: PaymentProps) {
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
      {payment.sessionId === null ? (
        <WaysToPay order={order} fullText={fullText} onBegun={payment.name} />
      ) : (
        <CardPayment
          key={payment.sessionId}
          sessionId={payment.sessionId}
          onEnd={() => payment.name(null)}
        />
      )}
    </Card>
  )
}

/** By tokens of one of the wallets, or by card. */
function WaysToPay({ order, fullText, onBegun }: WaysToPayProps) {
  const wallets = useWallets()
  const isSold = useSellsTokens()
  const mayBuy = usePermission(PERMISSIONS.createFundSourceWalletCoinTransactions)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const wallet = pickWallet(wallets.data ?? [], chosenId)
  return (
    <>
      <RadioGroup value={wallet?._id ?? ''} onChange={setChosenId} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Label className="text-sm font-semibold">Pay from</Label>
          <span className="flex flex-wrap gap-1">
            <RefreshTokens />
            {wallet !== null && isSold ? <AddTokens walletId={wallet._id} /> : null}
          </span>
        </div>
        {wallets.data?.map((candidate) => (
          <WalletCard key={candidate._id} wallet={candidate} />
        ))}
      </RadioGroup>
      {wallets.status === 'nothing-yet' ? <Skeleton className="h-18" /> : null}
      <PullFailure pull={wallets} title="Failed to fetch wallets" />
      {wallets.data?.length === 0 ? <NoWallet /> : null}
      {wallet === null ? null : (
        <PayNow key={wallet._id} order={order} wallet={wallet} fullText={fullText} />
      )}
      {wallet !== null && isSold && mayBuy ? (
        <PayByCard order={order} walletId={wallet._id} onBegun={onBegun} />
      ) : null}
    </>
  )
}

function PayNow({
  order,
  wallet,
  fullText,
}: PaymentProps & {
  readonly wallet: Wallet
}) {
  const offer = paymentOffer(order, wallet.spendableCoinAmount)
  const payment = usePayment(order, wallet, offer)
  return (
    <div className="mt-1 flex flex-col gap-4 border-t border-line pt-5">
      <dl className="flex flex-col gap-2 text-ink-muted">
        <Line label="Payable amount" coinAmount={order.remainingPayableCoinAmount} />
        <Line label="Available credits" coinAmount={wallet.spendableCoinAmount} />
        <Line label="After this payment" coinAmount={offer.leftToSpend} />
      </dl>
      <OfflineWords />
      {payment.failure === null ? null : (
        <PaymentProblem
          failure={payment.failure}
          isBusy={payment.isPending}
          onCheck={payment.check}
        />
      )}
      <p id="pay-now-words" className="font-semibold tabular-nums">
        {offerWords(offer)}
      </p>
      {offer.kind === 'partial' ? (
        <p className="-mt-2 text-sm text-ink-muted">
          Editing starts once the order is fully paid. Until then you can cancel it and get your
          tokens back.
        </p>
      ) : null}
      <Button
        size="large"
        onPress={payment.pay}
        isBusy={payment.isPending}
        isDisabled={offer.kind === 'impossible' || payment.isUnsettled}
        describedBy="pay-now-words"
        className="w-full"
      >
        {payment.isPending ? 'Updating payment status...' : payText(offer, fullText)}
      </Button>
      <p className="text-center text-sm text-ink-muted">
        1 token = ${TOKEN_PRICE_DOLLARS}. Failed edits are refunded automatically.
      </p>
    </div>
  )
}

function payText({ kind }: PaymentOffer, fullText: PaymentProps['fullText']): string {
  return kind === 'partial' ? 'Make Partial Payment' : fullText
}

function Line({ label, coinAmount }: { readonly label: string; readonly coinAmount: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>
        <Amount coinAmount={coinAmount} />
      </dd>
    </div>
  )
}

/** No payment is kept for later; the button stays, since the browser may be wrong. */
function OfflineWords() {
  return useOnline() ? null : (
    <Notice kind="warning" isLive title="You are offline.">
      A payment needs a connection.
    </Notice>
  )
}

interface PaymentState {
  readonly pay: () => void
  /** Finds out what became of a payment without an answer. */
  readonly check: () => void
  readonly isPending: boolean
  /** An earlier payment of this order has no answer yet. */
  readonly isUnsettled: boolean
  readonly failure: PayFailure | null
}

function usePayment(order: Order, wallet: Wallet, offer: PaymentOffer): PaymentState {
  const toasts = useToasts()
  const pay = usePayOrder()
  const unsettled = useUnsettledPayment(order._id)
  const [failure, setFailure] = useState<PayFailure | null>(null)
  // A payment that a reload or a crash left without an answer. While a payment of this page runs,
  // its own row is no news.
  const left = unsettled.kind === 'ready' && !pay.isPending ? unsettled.value : null
  const send = async (call: PaymentCall) => {
    setFailure(null)
    // Awaited instead of callbacks: once the order is paid, this component is gone before they run.
    const result = await pay.mutateAsync(call)
    if (result.ok) toasts.show('success', 'Payment successful')
    else setFailure(result.error)
  }
  const unsettledFailure: PayFailure | null =
    left === null ? null : { code: 'payment/unsettled', intent: left }
  return {
    pay: () =>
      void send({
        kind: 'pay',
        payment: {
          orderId: order._id,
          walletId: wallet._id,
          coinAmount: offer.coinAmount,
          remainingPayableCoinAmount: order.remainingPayableCoinAmount,
        },
      }),
    check: () => void send({ kind: 'settle', orderId: order._id }),
    isPending: pay.isPending,
    isUnsettled: left !== null,
    failure: pay.isPending ? null : (failure ?? unsettledFailure),
  }
}

/** In a new tab, so that the order stays where it is. */
function AddTokens({ walletId }: { readonly walletId: string }) {
  return (
    <LinkButton to={paths.wallet(walletId)} variant="quiet" size="small" isNewTab>
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

function offerWords(offer: PaymentOffer): string {
  switch (offer.kind) {
    case 'full':
      return `Pay ${tokens(offer.coinAmount)} now.`
    case 'partial':
      return `Pay ${offer.coinAmount.toLocaleString('en-US')} now, ${offer.leftToPay.toLocaleString('en-US')} left`
    case 'impossible':
      return 'This wallet has no tokens to spend.'
  }
}
