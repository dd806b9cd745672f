import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

export type CheckoutSession = components['schemas']['StripeCheckoutSession']
/** What a checkout session sells. */
export type CheckoutKind = 'tokens' | 'subscription'

const PATHS = {
  tokens: '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions/{id}',
  subscription: '/v1/payments/wallet-subscriptions/stripe/checkout-sessions/{id}',
} as const

/**
 * One of the user's checkout sessions, asked for once. The server reads the provider before it
 * answers, and books what was paid. 404 `payments/session-not-found`.
 */
export async function readCheckout(
  { api }: { readonly api: ApiClient },
  kind: CheckoutKind,
  id: string,
  signal: AbortSignal,
): Promise<Result<CheckoutSession, ApiFailure>> {
  const answer = await send(api.GET(PATHS[kind], { params: { path: { id } }, signal }))
  return answer.ok ? ok(answer.value.stripeCheckoutSession) : answer
}
