import { dateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { tokenCheckoutPath } from '#src/config/paths.ts'
import { useCheckoutSession, type CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { useOpenCheckouts, type CheckoutRow } from '#src/hooks/pay/use-token-checkout.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** The card payments of this wallet that this device began and that have not ended. */
export function OpenPayments({ walletId }: { readonly walletId: string }) {
  const open = useOpenCheckouts(walletId)
  if (open.kind !== 'ready' || open.value.length === 0) return null
  return (
    <section aria-label="Open payments" className="flex flex-col gap-3">
      {open.value.map((row) =>
        row.sessionId === null ? null : (
          <OpenPayment key={row.key} row={row} sessionId={row.sessionId} />
        ),
      )}
    </section>
  )
}

/** One payment, which disappears when it turns out to have ended. */
function OpenPayment({
  row: { walletId, orderId, coinAmount, createdAtEpochMs },
  sessionId,
}: {
  readonly row: CheckoutRow
  readonly sessionId: string
}) {
  const session = useCheckoutSession('tokens', sessionId).data ?? null
  return (
    <Notice
      title={`${titleOf(session)}: ${tokens(coinAmount)}`}
      action={
        <LinkButton
          to={tokenCheckoutPath({ walletId, coinAmount, orderId, sessionId })}
          variant="secondary"
        >
          View Payment
        </LinkButton>
      }
    >
      {`Started ${dateWords(createdAtEpochMs)}.`}
    </Notice>
  )
}

function titleOf(session: CheckoutSession | null): string {
  if (session?.payment === 'pending') return 'Your bank needs up to 5 days'
  return session?.status === 'complete' ? 'Your payment is on its way' : 'Payment not finished'
}
