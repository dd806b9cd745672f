import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { Ids } from '#src/lib/ids.ts'
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

const STANDARD_PLAN = 'standard'

/**
 * The open checkout session of the standard plan, begun where there is none. The server keeps one
 * for each person, so repeating is harmless, also after a reload. 409
 * `subscriptions/already-active`.
 */
export async function beginSubscription({
  api,
  ids,
}: {
  readonly api: ApiClient
  readonly ids: Ids
}): Promise<Result<CheckoutSession, ApiFailure>> {
  const answer = await send(
    api.POST('/v1/payments/wallet-subscriptions/stripe/checkout-sessions', {
      params: { header: { [IDEMPOTENCY_HEADER]: ids.uuid() } },
      body: { stripeCheckoutSession: { planSlug: STANDARD_PLAN } },
    }),
  )
  return answer.ok ? ok(answer.value.stripeCheckoutSession) : answer
}
