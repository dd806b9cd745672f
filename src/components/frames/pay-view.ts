import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'

/**
 * How the page's look at the pay document stands: `silent` did not say in time that it is ready,
 * `elsewhere` is open in a tab of its own, `returned` said that the person is done, `late` did so
 * two minutes ago.
 */
export type PayStage = 'loading' | 'ready' | 'silent' | 'elsewhere' | 'returned' | 'late'

/** What a person sees of a payment. */
export type PayView =
  | 'loading'
  | 'paying'
  | 'not-loaded'
  | 'elsewhere'
  | 'adding'
  | 'late'
  | 'bank'
  | 'paid'
  | 'refused'
  | 'unfinished'

/** The server's word counts before the document's, which can only say that a look is worth it. */
export function payView(
  { status, payment }: Pick<CheckoutSession, 'status' | 'payment'>,
  stage: PayStage,
): PayView {
  switch (payment) {
    case 'paid':
      return 'paid'
    case 'failed':
      return 'refused'
    case 'pending':
      return 'bank'
    case 'unpaid':
      return status === 'expired' ? 'unfinished' : OPEN_VIEWS[stage]
  }
}

const OPEN_VIEWS: Readonly<Record<PayStage, PayView>> = {
  loading: 'loading',
  ready: 'paying',
  silent: 'not-loaded',
  elsewhere: 'elsewhere',
  returned: 'adding',
  late: 'late',
}

/** What the pay document says, or null for what other code of this origin may post. */
export function payMessage(data: unknown): 'ready' | 'complete' | 'expired' | null {
  const said =
    typeof data === 'object' && data !== null && 'payFrame' in data ? data.payFrame : null
  return said === 'ready' || said === 'complete' || said === 'expired' ? said : null
}
