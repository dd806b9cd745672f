import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { buyTokens } from '#server/operations/commerce/payments/buy-tokens.ts'
import { listPayments } from '#server/operations/commerce/payments/history.ts'
import { getCheckout } from '#server/operations/commerce/payments/refresh.ts'
import { listPaymentMethods } from '#server/operations/commerce/payments/list-methods.ts'
import { subscribe } from '#server/operations/commerce/payments/subscribe.ts'
import { openPortal } from '#server/operations/commerce/subscriptions/portal.ts'
import { withdrawPayment } from '#server/operations/commerce/payments/withdraw.ts'
import { viewCheckout } from '#server/views/checkout.ts'
import { viewPayment } from '#server/views/payment.ts'
import { viewPaymentMethod } from '#server/views/subscription.ts'

/** Checkout sessions of both kinds, what was paid, and what subscriptions are billed by. */
export function createPaymentRoutes(deps: Deps) {
  return {
    createTokenCheckoutSession: async ({ body, context }) => {
      const row = await buyTokens(asUser(deps, context), {
        walletId: body.walletId,
        orderId: body.orderId ?? null,
        coinAmount: body.stripeCheckoutSession.coinAmount,
        walletCoinAmount: body.stripeCheckoutSession.walletCoinAmount ?? 0,
        idempotencyKey: context.headers['idempotency-key'] ?? null,
      })
      return { status: 201, body: { stripeCheckoutSession: viewCheckout(row) } }
    },
    getTokenCheckoutSession: async ({ params, context }) => {
      const name = { sessionId: params.id, kind: 'tokens' as const }
      const row = await getCheckout(asUser(deps, context), name)
      return { status: 200, body: { stripeCheckoutSession: viewCheckout(row) } }
    },
    createSubscriptionCheckoutSession: async ({ body, context }) => {
      const { planSlug } = body.stripeCheckoutSession
      const { row, isNew } = await subscribe(asUser(deps, context), { planSlug })
      return { status: isNew ? 201 : 200, body: { stripeCheckoutSession: viewCheckout(row) } }
    },
    getSubscriptionCheckoutSession: async ({ params, context }) => {
      const name = { sessionId: params.id, kind: 'subscription' as const }
      const row = await getCheckout(asUser(deps, context), name)
      return { status: 200, body: { stripeCheckoutSession: viewCheckout(row) } }
    },
    listPayments: async ({ context }) => {
      const found = await listPayments(asUser(deps, context))
      return { status: 200, body: { payments: found.map(viewPayment) } }
    },
    withdrawPayment: async ({ params, context }) => {
      const payment = await withdrawPayment(asUser(deps, context), params)
      return { status: 200, body: { payment: viewPayment(payment) } }
    },
    createPortalSession: async ({ context }) => {
      const url = await openPortal(asUser(deps, context))
      return { status: 201, body: { portalSession: { url } } }
    },
    listStoredPaymentMethods: async ({ context }) => {
      const rows = await listPaymentMethods(asUser(deps, context))
      return { status: 200, body: { storedPaymentMethods: rows.map(viewPaymentMethod) } }
    },
  } satisfies Partial<Handlers>
}
