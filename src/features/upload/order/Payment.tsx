import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Label, RadioGroup } from 'react-aria-components'
import { WalletCard } from '#src/components/WalletCard.tsx'
import { tokens } from '#src/components/token-words.ts'
import { useUnsettledPayment, type Order } from '#src/hooks/use-order.ts'
import { usePayOrder, type PaymentCall } from '#src/hooks/use-pay-order.ts'
import { useWallets, type Wallet } from '#src/hooks/use-wallets.ts'
import type { PayFailure } from '#src/local/outbox/pay-order.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { PaymentProblem } from './PaymentProblem.tsx'
import { paymentOffer, type PaymentOffer } from './payment-state.ts'
import { refreshFailureWords, useRefreshWallets } from '#src/features/upload/upload-queries.ts'

/**
 * The one payment component (4.10): what is ordered (`items`), from which wallet, what it leaves,
 * and one button.
 */
export function Payment({ order, items }: { readonly order: Order; readonly items: ReactNode }) {
  const wallets = useWallets()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const wallet = pickWallet(wallets.data ?? [], chosenId)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      {items}
      <Card as="section" labelledBy="payment">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="payment" className="text-lg font-semibold">
            Payment
          </h2>
          <Badge tone="warning">Awaiting Payment</Badge>
        </div>
        <RadioGroup
          value={wallet?._id ?? ''}
          onChange={setChosenId}
          className="mt-4 flex flex-col gap-3"
        >
          <div className="flex items-center justify-between gap-2">
            <Label className="text-sm font-semibold">Pay from</Label>
            <RefreshTokens />
          </div>
          {wallets.data?.map((candidate) => (
            <WalletCard key={candidate._id} wallet={candidate} />
          ))}
        </RadioGroup>
        {wallets.status === 'nothing-yet' ? <Skeleton className="mt-3 h-18" /> : null}
        {wallets.data === null && wallets.status === 'failed' ? (
          <Notice kind="error" className="mt-3">
            Failed to fetch wallets
          </Notice>
        ) : null}
        {wallet === null ? null : <PayNow key={wallet._id} order={order} wallet={wallet} />}
      </Card>
    </div>
  )
}

function PayNow({ order, wallet }: { readonly order: Order; readonly wallet: Wallet }) {
  const toasts = useToasts()
  const pay = usePayOrder()
  const unsettled = useUnsettledPayment(order._id)
  const [failure, setFailure] = useState<PayFailure | null>(null)
  const offer = paymentOffer(order, wallet.spendableCoinAmount)
  const left = unsettled.kind === 'ready' ? unsettled.value : null
  // A payment that a reload or a crash left without an answer; while one of ours runs, its row is
  // no news.
  const shown: PayFailure | null = pay.isPending
    ? null
    : (failure ?? (left === null ? null : { code: 'payment/unsettled', intent: left }))
  const send = async (call: PaymentCall) => {
    setFailure(null)
    // Awaited, not by callbacks: once the order is paid, this component gives way to the work
    // before they would be called.
    const result = await pay.mutateAsync(call)
    if (result.ok) toasts.show('success', 'Payment successful')
    else setFailure(result.error)
  }
  const payNow = () =>
    void send({
      kind: 'pay',
      payment: {
        orderId: order._id,
        walletId: wallet._id,
        coinAmount: offer.coinAmount,
        remainingPayableCoinAmount: order.remainingPayableCoinAmount,
      },
    })
  return (
    <div className="mt-5 flex flex-col gap-4 border-t border-line pt-5">
      <dl className="flex flex-col gap-2 text-ink-muted">
        <div className="flex justify-between gap-4">
          <dt>Available credits</dt>
          <dd className="tabular-nums">{tokens(wallet.spendableCoinAmount)}</dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt>After this payment</dt>
          <dd className="tabular-nums">{tokens(offer.leftToSpend)}</dd>
        </div>
      </dl>
      {shown === null ? null : (
        <PaymentProblem
          failure={shown}
          isBusy={pay.isPending}
          onCheck={() => void send({ kind: 'settle', orderId: order._id })}
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
        onPress={payNow}
        isBusy={pay.isPending}
        isDisabled={offer.kind === 'impossible' || (left !== null && !pay.isPending)}
        describedBy="pay-now-words"
        className="w-full"
      >
        {pay.isPending
          ? 'Updating payment status...'
          : offer.kind === 'partial'
            ? 'Make Partial Payment'
            : 'Pay & Complete Order'}
      </Button>
      <p className="text-center text-sm text-ink-muted">
        1 token = $0.01. Failed edits are refunded automatically.
      </p>
    </div>
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
 * The chosen wallet, else the one with most to spend, so that one press is enough where it can be.
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
