import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { PayFrame } from '#src/components/frames/PayFrame.tsx'
import { serverProblemCopy, type ServerProblemCopy } from '#src/components/problem/server-copy.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import { useBeginCardPayment } from './use-begin-card-payment.ts'
import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { useFoundCheckout } from '#src/hooks/pay/use-found-checkout.ts'
import { useUnsettledPayment, type Order } from '#src/hooks/orders/use-order.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { CARD_MINIMUM_COINS } from '#spec/numbers.ts'
import { PayAction } from './PayAction.tsx'
import { cardOffer, type CardOffer } from './card-offer.ts'

const SESSION_PARAM = 'stripeCheckoutSessionId'

/** The card payment that the address names, so that a reload finds it again. */
export interface NamedPayment {
  readonly sessionId: string | null
  /** Names another one, or none. */
  readonly name: (sessionId: string | null) => void
}

export function useNamedPayment(): NamedPayment {
  const [query, setQuery] = useSearchParams()
  return {
    sessionId: query.get(SESSION_PARAM),
    name: (sessionId) =>
      setQuery(sessionId === null ? {} : { [SESSION_PARAM]: sessionId }, { replace: true }),
  }
}

export interface PayByCardProps {
  /** Stands before the payment by tokens, as the main action. */
  readonly isMain: boolean
  readonly order: Order
  /** Where the tokens go that the card buys, and from where they pay the order. */
  readonly wallet: Pick<Wallet, '_id' | 'spendableCoinAmount'>
  readonly onBegun: (sessionId: string) => void
}

/** Offers to pay what is left of an order by card. */
export function PayByCard({ isMain, order, wallet, onBegun }: PayByCardProps) {
  const begin = useBeginCardPayment()
  const [problem, setProblem] = useState<ServerProblemCopy | null>(null)
  // A payment by tokens without an answer comes first: it may have paid the order.
  const unsettled = useUnsettledPayment(order._id)
  const isSettled = unsettled.kind === 'ready' && unsettled.value === null
  const obstacle = unsettled.kind === 'ready' && unsettled.value !== null ? <TokensFirst /> : null
  const offer = cardOffer(order.remainingPayableCoinAmount, wallet.spendableCoinAmount)
  const start = async () => {
    setProblem(null)
    const { coinAmount, walletCoinAmount } = offer
    const begun = await begin.mutateAsync({
      walletId: wallet._id,
      orderId: order._id,
      coinAmount,
      walletCoinAmount,
    })
    if (begun.ok) onBegun(begun.value._id)
    else setProblem(serverProblemCopy(begun.error))
  }
  return (
    <div className={classNames('flex flex-col gap-3', !isMain && 'border-t border-line pt-5')}>
      <PayAction
        isMain={isMain}
        order={order}
        part={partOf(offer)}
        problem={problem === null ? obstacle : <NotStarted problem={problem} />}
      >
        {(isInBar) => (
          <SendButton
            sends="POST /v1/payments/wallet-coin-transactions/stripe/checkout-sessions"
            variant={isMain ? 'primary' : 'secondary'}
            size="large"
            onPress={() => void start()}
            isBusy={begin.isPending}
            isDisabled={!isSettled}
            describedBy="card-words"
            className={isInBar ? '' : 'w-full'}
          >
            {payText(offer)}
          </SendButton>
        )}
      </PayAction>
      <p id="card-words" className="text-center text-sm text-ink-muted">
        {cardWords(offer, wallet)}
      </p>
    </div>
  )
}

/** Short: in the bar of a phone it stands where the notice of the payment itself is not in view. */
function TokensFirst() {
  return (
    <p className="text-sm">
      A payment by tokens was not confirmed. Finish it before you pay by card.
    </p>
  )
}

function NotStarted({ problem: { title, body } }: { readonly problem: ServerProblemCopy }) {
  return (
    <Notice kind="error" isLive title="The payment could not be started">
      {[title.replace(/\.?$/, '.'), body].filter((words) => words !== null).join(' ')}
    </Notice>
  )
}

function payText({ chargedCoinAmount, walletCoinAmount }: CardOffer): string {
  const amount = dollars(chargedCoinAmount)
  return walletCoinAmount === 0
    ? `Pay ${amount} by Card`
    : `Use ${tokens(walletCoinAmount)} and pay ${amount}`
}

/** What is left after the payment, where one payment by card cannot be as large as the order. */
function partOf({ coinAmount, walletCoinAmount, leftToPay }: CardOffer) {
  return leftToPay > 0 ? { coinAmount: coinAmount + walletCoinAmount, leftToPay } : null
}

function cardWords(offer: CardOffer, { spendableCoinAmount }: PayByCardProps['wallet']): string {
  const { coinAmount, keptCoinAmount, leftToPay, walletCoinAmount } = offer
  const untilThen = walletCoinAmount > 0 ? ' Your tokens are taken when the card has paid.' : ''
  if (keptCoinAmount > 0)
    return `A card pays at least ${dollars(CARD_MINIMUM_COINS)}. The ${tokens(keptCoinAmount)} beyond this order stay in your wallet and never expire.${untilThen}`
  if (walletCoinAmount > 0)
    return `The card pays the ${tokens(coinAmount)} that you lack${leftToPay > 0 ? `, and ${tokens(leftToPay)} are left` : ''}.${untilThen}`
  const paid =
    leftToPay > 0
      ? `Pays ${tokens(coinAmount)} of this order, ${tokens(leftToPay)} left.`
      : `Pays the ${tokens(coinAmount)} of this order.`
  return spendableCoinAmount > 0
    ? `${paid} Your wallet keeps its ${tokens(spendableCoinAmount)}.`
    : paid
}

/** A card payment that was begun, in the place of the other ways to pay. */
export function CardPayment({
  sessionId,
  onEnd,
}: {
  readonly sessionId: string
  /** Shows the ways to pay again. */
  readonly onEnd: () => void
}) {
  const found = useFoundCheckout('tokens', sessionId)
  switch (found.kind) {
    case 'found':
      return <Begun session={found.session} onEnd={onEnd} />
    case 'reading':
      return (
        <div role="status" aria-label="Loading the payment">
          <Skeleton className="h-96" />
        </div>
      )
    case 'missing':
      return (
        <Notice
          kind="warning"
          title="Checkout Session Not Found"
          action={<Button onPress={onEnd}>Pay in Another Way</Button>}
        >
          We couldn't find your checkout session. Please try again or contact support if the issue
          persists.
        </Notice>
      )
    case 'failed':
      return <PullFailure pull={found.pull} title="Unable to fetch the payment" />
  }
}

function Begun({
  session,
  onEnd,
}: {
  readonly session: CheckoutSession
  readonly onEnd: () => void
}) {
  const toasts = useToasts()
  return (
    <>
      <PayFrame
        session={session}
        purpose="order"
        onPaid={() => toasts.show('success', 'Payment successful')}
        onStartAgain={onEnd}
      />
      {session.status === 'open' ? (
        <Button variant="quiet" onPress={onEnd}>
          Pay in Another Way
        </Button>
      ) : null}
      {session.payment === 'paid' ? (
        <Button variant="quiet" onPress={onEnd}>
          Back to the Payment
        </Button>
      ) : null}
    </>
  )
}
