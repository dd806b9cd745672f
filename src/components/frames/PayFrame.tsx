import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react'
import { AcceptTermsOfPayment } from '#src/components/legal/AcceptTerms.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useAfter } from '#src/hooks/clock/use-after.ts'
import {
  useFollowedCheckout,
  type CheckoutKind,
  type CheckoutSession,
} from '#src/hooks/pay/use-checkout-session.ts'
import { useFrameMessages } from './use-frame-messages.ts'
import { useFrameOrigins } from './use-frame-origins.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { payMessage, payView, type PayStage, type PayView } from './pay-view.ts'

/** The document says within this time that it is ready, or counts as not loaded. */
const READY_WITHIN_MS = 15 * SECOND_MS
/** A payment that is not sure after this time is no longer waited for on the screen. */
const LATE_AFTER_MS = 2 * MINUTE_MS

/** While the person can still decide. */
const BEFORE_PAYING: ReadonlySet<PayView> = new Set(['loading', 'paying', 'elsewhere'])

/** What the money is for, which the words name. */
export type PayPurpose = 'tokens' | 'order' | 'subscription'

export interface PayFrameProps {
  /** The session as it was begun or found. */
  readonly session: CheckoutSession
  readonly purpose: PayPurpose
  /** Called once, when the server has booked the payment; everything shown is then pulled again. */
  readonly onPaid: () => void
  /** Begins another session in the place of one that expired or was refused. */
  readonly onStartAgain: () => void
}

/**
 * The place of every payment: the provider's document in a frame of this page, so that an upload
 * goes on around it, or a link to a tab of its own. Follows the session and says how it stands;
 * what is paid comes from the server only. Give it the session's id as its key.
 */
export function PayFrame({ session: first, purpose, onPaid, onStartAgain }: PayFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [seen, setStage] = useState<PayStage>(
    first.presentation === 'frame' ? 'loading' : 'elsewhere',
  )
  const kind: CheckoutKind = purpose === 'subscription' ? 'subscription' : 'tokens'
  const pace = seen === 'ready' || seen === 'loading' ? 'slow' : 'quick'
  const followed = useFollowedCheckout(kind, first, pace)
  const { session } = followed
  const stage = session.status === 'complete' && seen !== 'late' ? 'returned' : seen
  const view = payView(session, stage)
  const origins = useFrameOrigins()
  useFrameMessages(frame, origins, (data) => {
    const said = payMessage(data)
    if (said === null) return
    setStage(said === 'complete' ? 'returned' : 'ready')
    if (said !== 'ready') followed.look()
  })
  useAfter(stage === 'loading' ? READY_WITHIN_MS : null, () => setStage('silent'))
  useAfter(stage === 'returned' ? LATE_AFTER_MS : null, () => setStage('late'))
  usePaid(view === 'paid', onPaid)
  return (
    <div className="flex flex-col gap-4">
      {view === 'loading' || view === 'paying' ? (
        <Frame
          frame={frame}
          url={origins === null ? undefined : session.payUrl}
          isReady={view === 'paying'}
        />
      ) : (
        <PayWords
          view={view}
          purpose={purpose}
          url={session.payUrl}
          onAgain={() => setStage('loading')}
          onStartAgain={onStartAgain}
        />
      )}
      {BEFORE_PAYING.has(view) ? <AcceptTermsOfPayment /> : null}
      {followed.failure === null ? null : (
        <p role="status" className="text-sm text-ink-muted">
          {`${serverProblemCopy(followed.failure).title.replace(/\.?$/, '.')} We look again by ourselves.`}
        </p>
      )}
    </div>
  )
}

function Frame({
  frame,
  url,
  isReady,
}: {
  readonly frame: RefObject<HTMLIFrameElement | null>
  /** Undefined until it is known where its messages come from. */
  readonly url: string | undefined
  readonly isReady: boolean
}) {
  return (
    <div className="relative">
      {isReady ? null : (
        <div role="status" aria-label="Loading the payment page" className="absolute inset-0">
          <Skeleton className="h-full" />
        </div>
      )}
      <iframe
        ref={frame}
        src={url}
        title="Payment"
        // Its document leads to another origin; the page's own policy says which ones may ask.
        allow="payment *"
        className={classNames(
          'block h-160 max-h-[80dvh] w-full rounded-control border border-line bg-surface',
          !isReady && 'opacity-0',
        )}
      />
    </div>
  )
}

interface PayWordsProps {
  readonly view: Exclude<PayView, 'loading' | 'paying'>
  readonly purpose: PayPurpose
  readonly url: string
  readonly onAgain: () => void
  readonly onStartAgain: () => void
}

function PayWords({ view, purpose, url, onAgain, onStartAgain }: PayWordsProps) {
  const startAgain = <Button onPress={onStartAgain}>Start again</Button>
  switch (view) {
    case 'not-loaded':
      return (
        <Notice
          kind="warning"
          isLive
          title="The payment page did not load"
          action={
            <>
              <Button onPress={onAgain}>Try again</Button>
              <PayTab url={url} variant="secondary" />
            </>
          }
        />
      )
    case 'elsewhere':
      return (
        <Notice title="Pay in a new tab" action={<PayTab url={url} variant="primary" />}>
          Keep this page open. It goes on as soon as the payment is confirmed.
        </Notice>
      )
    case 'adding':
      return <Waiting>Payment received. Adding your tokens…</Waiting>
    case 'late':
      return (
        <Notice isLive title="Your payment is on its way">
          The tokens come by themselves. You can close this page.
        </Notice>
      )
    case 'bank':
      return (
        <Notice isLive title="Your bank needs up to 5 days">
          {BANK_WORDS[purpose]}
        </Notice>
      )
    case 'paid':
      return (
        <Notice kind="success" isLive title="Payment successful">
          {PAID_WORDS[purpose]}
        </Notice>
      )
    case 'refused':
      return (
        <Notice kind="error" isLive title="The payment was refused" action={startAgain}>
          The money did not arrive, so nothing was added.
        </Notice>
      )
    case 'unfinished':
      return (
        <Notice
          kind="warning"
          isLive
          title="This payment was not finished. Nothing was taken."
          action={startAgain}
        />
      )
  }
}

const BANK_WORDS: Readonly<Record<PayPurpose, string>> = {
  tokens: 'The tokens are added when the money arrives.',
  order: 'The order starts when the money arrives.',
  subscription: 'The subscription starts when the money arrives.',
}

const PAID_WORDS: Readonly<Record<PayPurpose, string>> = {
  tokens: 'The tokens are in your wallet.',
  order: 'The money went to your order.',
  subscription: 'Your monthly tokens are in your wallet.',
}

function Waiting({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="flex items-center gap-3 py-6 font-semibold">
      <Spinner />
      {children}
    </p>
  )
}

/** Leads to the payment in a tab of its own. */
function PayTab({
  url,
  variant,
}: {
  readonly url: string
  readonly variant: 'primary' | 'secondary'
}) {
  return (
    <LinkButton to={url} isNewTab isDocument variant={variant}>
      Open in a new tab
    </LinkButton>
  )
}

/** Tells the screen once that the payment is booked. */
function usePaid(isPaid: boolean, onPaid: () => void): void {
  const tell = useEffectEvent(onPaid)
  useEffect(() => {
    if (isPaid) tell()
  }, [isPaid])
}
