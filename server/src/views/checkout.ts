import type { components } from '#openapi/schema.gen.ts'
import type { CheckoutRow } from '#server/db/rows.ts'

/** A checkout session as the contract shows it. The document at `payUrl` needs no secret. */
export function viewCheckout(row: CheckoutRow): components['schemas']['StripeCheckoutSession'] {
  const { providerSessionId } = row
  if (providerSessionId === null)
    throw new Error(`The checkout session ${row.id} is not open at its provider yet`)
  return {
    _id: providerSessionId,
    clientSecret: null,
    status: row.status,
    payment: row.payment,
    planSlug: row.planSlug,
    coinAmount: row.coinAmount,
    chargedCoinAmount: row.chargedCoinAmount,
    presentation: 'frame',
    payUrl: `/editors/pay/${providerSessionId}`,
    createdAt: row.createdAt.toISOString(),
  }
}
