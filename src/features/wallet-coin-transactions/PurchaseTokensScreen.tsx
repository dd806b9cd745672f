import { CreditCard, SearchX, TriangleAlert } from 'lucide-react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { PayFrame } from '#src/components/frames/PayFrame.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import { paths, tokenCheckoutPath } from '#src/config/paths.ts'
import { failureOf } from '#src/hooks/sync/query-client.ts'
import { useCheckoutSession, type CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useTokenCheckout } from '#src/hooks/pay/use-token-checkout.ts'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { CARD_MINIMUM_COINS, TOP_UP_MIN_TOKENS } from '#spec/numbers.ts'
import { readCheckoutAddress, type CheckoutAddress } from './checkout-address.ts'

type Asked = Extract<CheckoutAddress, { readonly kind: 'valid' }>

/** `/wallet-coin-transactions/stripe/checkout`: tokens by card, or one such payment seen again. */
export function PurchaseTokensScreen() {
  const [query] = useSearchParams()
  const address = readCheckoutAddress(query)
  return (
    <Page title="Purchase Tokens">
      {address.kind === 'invalid' ? (
        <EmptyState
          icon={<TriangleAlert />}
          title={address.message}
          action={<LinkButton to={paths.wallets}>Choose a Wallet</LinkButton>}
        >
          The link to this page is incomplete. Choose how many tokens to add on the page of a
          wallet.
        </EmptyState>
      ) : (
        <Checkout key={query.toString()} asked={address} />
      )}
    </Page>
  )
}

function Checkout({ asked }: { readonly asked: Asked }) {
  if (asked.sessionId !== null) return <Found asked={asked} sessionId={asked.sessionId} />
  // An order is paid to the token; a wallet is not filled with less.
  return asked.orderId === null && asked.coinAmount < TOP_UP_MIN_TOKENS ? (
    <TooFew asked={asked} />
  ) : (
    <Begin asked={asked} />
  )
}

/** The address asks for fewer tokens than are sold, as one without an amount does. */
function TooFew({ asked: { walletId, coinAmount } }: { readonly asked: Asked }) {
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title={`Choose ${TOP_UP_MIN_TOKENS.toLocaleString('en-US')} tokens or more`}
      action={<LinkButton to={paths.wallet(walletId)}>Choose an Amount</LinkButton>}
    >
      {`The link to this page asks for ${tokens(coinAmount)}. No payment was started.`}
    </EmptyState>
  )
}

function Begin({ asked }: { readonly asked: Asked }) {
  const { walletId, orderId, coinAmount } = asked
  const isOnline = useOnline()
  const begun = useTokenCheckout({ walletId, orderId, coinAmount }, isOnline)
  // The address names the payment from now on, so that a reload shows it and begins no other.
  if (begun.session !== null)
    return <Navigate to={tokenCheckoutPath({ ...asked, sessionId: begun.session._id })} replace />
  if (!isOnline)
    return (
      <Notice kind="warning" isLive title="A payment needs a connection.">
        It begins here as soon as you are connected.
      </Notice>
    )
  if (begun.failure === null) return <Loading />
  return (
    <div className="flex flex-col items-start gap-4">
      <PullFailure
        pull={{ ...begun, data: null, asOfEpochMs: null }}
        title="The payment could not be started"
        className="w-full"
      />
      <BackToWallet asked={asked} />
    </div>
  )
}

function Found({ asked, sessionId }: { readonly asked: Asked; readonly sessionId: string }) {
  const { data, error, isFetching, refetch } = useCheckoutSession('tokens', sessionId)
  const failure = failureOf(error)
  if (data !== undefined) return <OpenedCheckout asked={asked} session={data} />
  if (failure === null) return <Loading />
  if (statusOf(failure) === 404)
    return (
      <EmptyState
        icon={<SearchX />}
        title="Checkout Session Not Found"
        action={<LinkButton to={paths.wallets}>View Your Wallets</LinkButton>}
      >
        We couldn't find your checkout session. Please try again or contact support if the issue
        persists.
      </EmptyState>
    )
  const pull = { data: null, failure, asOfEpochMs: null, isFetching, refresh: () => void refetch() }
  return <PullFailure pull={pull} title="Unable to fetch the payment" />
}

function OpenedCheckout({
  asked,
  session,
}: {
  readonly asked: Asked
  readonly session: CheckoutSession
}) {
  const navigate = useNavigate()
  const { walletId, orderId } = asked
  const coinAmount = session.coinAmount ?? asked.coinAmount
  const startAgain = () =>
    void navigate(tokenCheckoutPath({ walletId, coinAmount, orderId }), { replace: true })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card as="section" labelledBy="card-payment">
        <h2 id="card-payment" className="mb-4 flex items-center gap-2 text-lg font-semibold">
          <CreditCard aria-hidden className="size-5 text-accent" />
          Pay by card
        </h2>
        <PayFrame
          key={session._id}
          session={session}
          purpose={orderId === null ? 'tokens' : 'order'}
          onPaid={() => undefined}
          onStartAgain={startAgain}
        />
      </Card>
      <Card as="section" labelledBy="purchase">
        <h2 id="purchase" className="text-lg font-semibold">
          Your purchase
        </h2>
        <Amounts coinAmount={coinAmount} charged={session.chargedCoinAmount ?? coinAmount} />
        <div className="mt-6">
          <BackToWallet asked={asked} />
        </div>
      </Card>
    </div>
  )
}

function Amounts({
  coinAmount,
  charged,
}: {
  readonly coinAmount: number
  readonly charged: number
}) {
  return (
    <>
      <dl className="mt-4 flex flex-col gap-2">
        <div className="flex justify-between gap-4">
          <dt className="text-ink-muted">Tokens</dt>
          <dd className="tabular-nums">{tokens(charged)}</dd>
        </div>
        <div className="flex justify-between gap-4 font-semibold">
          <dt>Total</dt>
          <dd className="tabular-nums">{dollars(charged)}</dd>
        </div>
      </dl>
      <p className="mt-4 text-sm text-ink-muted">
        {charged > coinAmount
          ? `A card pays at least ${tokens(CARD_MINIMUM_COINS)}. The ${tokens(charged - coinAmount)} beyond what you asked for stay in your wallet. `
          : ''}
        Purchased tokens never expire.
      </p>
    </>
  )
}

/** Back to where the tokens go: the order that they pay, else their wallet. */
function BackToWallet({ asked: { orderId, walletId } }: { readonly asked: Asked }) {
  return orderId === null ? (
    <LinkButton to={paths.wallet(walletId)} variant="secondary">
      Back to Your Wallet
    </LinkButton>
  ) : (
    <LinkButton to={paths.uploadCheckout(orderId)} variant="secondary">
      Back to Your Order
    </LinkButton>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the payment">
      <Skeleton className="h-96" />
    </div>
  )
}
