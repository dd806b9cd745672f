import { useState } from 'react'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { Amount } from '#src/components/tokens/Amount.tsx'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import { expiryWords } from '#src/components/tokens/WalletCard.tsx'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useUnsettledPayment, type Order } from '#src/hooks/orders/use-order.ts'
import { usePayOrder, type PaymentCall } from '#src/hooks/orders/use-pay-order.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import type { PayFailure } from '#src/local/calls/pay-order.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { TOKEN_PRICE_DOLLARS } from '#spec/numbers.ts'
import { OtherWay, useOtherWay } from './OtherWay.tsx'
import { PayAction } from './PayAction.tsx'
import { PaymentProblem } from './PaymentProblem.tsx'
import { paymentOffer, type PaymentOffer } from './payment-offer.ts'

export interface PayFromWalletProps {
  readonly order: Order
  readonly wallet: Wallet
  /** The words on the button that pays all; a part has its own. */
  readonly fullText: 'Pay & Complete Order' | 'Pay with Credits'
  /** A payment by card was begun. */
  readonly onBegun: (sessionId: string) => void
}

/**
 * The payment from one wallet, and the ways to pay what it does not cover. Those come first where
 * they exist: a part that is paid brings no edit nearer by itself.
 */
export function PayFromWallet({ order, wallet, fullText, onBegun }: PayFromWalletProps) {
  const offer = paymentOffer(order, wallet.spendableCoinAmount)
  const payment = usePayment(order, wallet, offer)
  const otherWay = useOtherWay(offer)
  const isOtherFirst = offer.kind !== 'full' && otherWay !== 'none'
  const other =
    otherWay === 'none' ? null : (
      <OtherWay
        way={otherWay}
        isMain={isOtherFirst}
        order={order}
        wallet={wallet}
        onBegun={onBegun}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <Sums order={order} wallet={wallet} offer={offer} />
      <OfflineWords />
      {offer.kind === 'full' ? null : (
        <p className="font-semibold tabular-nums">{missingWords(offer)}</p>
      )}
      {isOtherFirst ? other : null}
      <ByTokens
        order={order}
        offer={offer}
        fullText={fullText}
        payment={payment}
        isMain={!isOtherFirst}
      />
      {isOtherFirst ? null : other}
      <p className="text-center text-sm text-ink-muted">
        1 token = ${TOKEN_PRICE_DOLLARS}. Failed edits are refunded automatically.
      </p>
    </div>
  )
}

/** The button that spends what the wallet has. */
function ByTokens({
  order,
  offer,
  fullText,
  payment,
  isMain,
}: {
  readonly order: Order
  readonly offer: PaymentOffer
  readonly fullText: PayFromWalletProps['fullText']
  readonly payment: PaymentState
  readonly isMain: boolean
}) {
  const isPart = offer.kind === 'partial'
  return (
    <div
      className={classNames(
        'flex flex-col gap-4 empty:hidden',
        !isMain && 'border-t border-line pt-5',
      )}
    >
      <PayAction
        isMain={isMain}
        order={order}
        part={isPart ? offer : null}
        problem={
          payment.failure === null ? null : (
            <PaymentProblem
              failure={payment.failure}
              isBusy={payment.isPending}
              onFinish={payment.finish}
            />
          )
        }
      >
        {(isInBar) => (
          <SendButton
            sends="POST /v1/payments/orders/{orderId}/wallet-coin-transactions"
            size="large"
            variant={isMain ? 'primary' : 'secondary'}
            onPress={payment.pay}
            isBusy={payment.isPending}
            isDisabled={offer.kind === 'impossible' || !payment.isSettled}
            {...(isPart ? { describedBy: 'part-words' } : {})}
            className={isInBar ? '' : 'w-full'}
          >
            <PayText {...{ offer, fullText, isInBar }} isPending={payment.isPending} />
          </SendButton>
        )}
      </PayAction>
      {isPart ? (
        <p id="part-words" className="-mt-2 text-center text-sm text-ink-muted tabular-nums">
          <span className="font-medium">{partWords(offer)}</span>. Editing starts once the order is
          fully paid. Until then you can cancel it and get your tokens back.
        </p>
      ) : null}
    </div>
  )
}

/** What the button does, and below it how much that costs, where that is not said beside it. */
function PayText({
  offer,
  fullText,
  isInBar,
  isPending,
}: {
  readonly offer: PaymentOffer
  readonly fullText: PayFromWalletProps['fullText']
  readonly isInBar: boolean
  readonly isPending: boolean
}) {
  if (isPending) return 'Updating payment status...'
  const words = offer.kind === 'partial' ? 'Make Partial Payment' : fullText
  return offer.kind === 'impossible' || isInBar ? (
    words
  ) : (
    <span className="py-1.5 leading-tight">
      <span className="block">{words}</span>{' '}
      <span className="block text-sm font-medium tabular-nums">
        {`${tokens(offer.coinAmount)} (${dollars(offer.coinAmount)})`}
      </span>
    </span>
  )
}

/** What is asked for, what there is, and until when. */
function Sums({
  order,
  wallet,
  offer,
}: {
  readonly order: Order
  readonly wallet: Wallet
  readonly offer: PaymentOffer
}) {
  return (
    <dl className="flex flex-col gap-2 text-ink-muted">
      <Line label="Payable amount" coinAmount={order.remainingPayableCoinAmount} />
      <Line
        label="Available credits"
        coinAmount={wallet.spendableCoinAmount}
        note={expiryWords(wallet)}
      />
      {offer.kind === 'full' ? (
        <Line label="After this payment" coinAmount={offer.leftToSpend} />
      ) : null}
    </dl>
  )
}

/** What the wallet lacks, before the ways to pay it. */
function missingWords({ kind, coinAmount, leftToPay }: PaymentOffer): string {
  const lacking = `${tokens(leftToPay)} (${dollars(leftToPay)})`
  return kind === 'impossible'
    ? `You have no tokens to spend. This order needs ${lacking}.`
    : `You have ${tokens(coinAmount)}. This order needs ${lacking} more.`
}

function Line({
  label,
  coinAmount,
  note = null,
}: {
  readonly label: string
  readonly coinAmount: number
  readonly note?: string | null
}) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt>{label}</dt>
      <dd>
        <Amount coinAmount={coinAmount} />
      </dd>
      {note === null ? null : <dd className="w-full text-sm">{note}</dd>}
    </div>
  )
}

/**
 * No payment is kept for later; the button stays, since the browser may be wrong. That one is
 * offline is said at the top of every screen.
 */
function OfflineWords() {
  return useOnline() ? null : <Notice kind="warning" isLive title="A payment needs a connection." />
}

interface PaymentState {
  readonly pay: () => void
  /** Sends a payment without an answer again. */
  readonly finish: () => void
  readonly isPending: boolean
  /** It is known that no earlier payment of this order is without an answer. */
  readonly isSettled: boolean
  readonly failure: PayFailure | null
}

function usePayment(order: Order, wallet: Wallet, offer: PaymentOffer): PaymentState {
  const toasts = useToasts()
  const pay = usePayOrder()
  const unsettled = useUnsettledPayment(order._id)
  const [failure, setFailure] = useState<PayFailure | null>(null)
  // A payment that a reload or a crash left without an answer. While a payment of this page runs,
  // its own row is no news.
  const left = pay.isPending || unsettled.kind !== 'ready' ? null : unsettled.value
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
    finish: () => void send({ kind: 'settle', orderId: order._id }),
    isPending: pay.isPending,
    isSettled: unsettled.kind === 'ready' && left === null,
    failure: pay.isPending ? null : (failure ?? unsettledFailure),
  }
}

function partWords({ coinAmount, leftToPay }: PaymentOffer): string {
  return `Pay ${coinAmount.toLocaleString('en-US')} now, ${leftToPay.toLocaleString('en-US')} left`
}
