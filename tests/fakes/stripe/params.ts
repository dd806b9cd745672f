/**
 * What each call takes, held to Stripe's declarations of its parameters. A parameter that is not
 * here is refused, as Stripe refuses those that it does not know.
 */
import type Stripe from 'stripe'
import * as v from 'valibot'

const text = v.pipe(v.string(), v.nonEmpty())
const whole = v.pipe(v.string(), v.digits(), v.transform(Number))
const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((value) => value === 'true'),
)
const metadata = v.record(v.string(), v.string())
const expand = v.exactOptional(v.array(text))
const limit = v.exactOptional(v.pipe(whole, v.maxValue(100)))

const lineItem = v.strictObject({
  price: v.exactOptional(text),
  price_data: v.exactOptional(
    v.strictObject({
      currency: text,
      unit_amount: whole,
      product_data: v.strictObject({ name: text }),
    }),
  ),
  quantity: whole,
})

export const sessionCreate = v.strictObject({
  mode: v.picklist(['payment', 'subscription']),
  ui_mode: v.picklist(['embedded_page', 'hosted_page']),
  redirect_on_completion: v.picklist(['always', 'if_required', 'never']),
  client_reference_id: text,
  customer: text,
  expires_at: whole,
  adaptive_pricing: v.exactOptional(v.strictObject({ enabled: flag })),
  metadata,
  line_items: v.array(lineItem),
  subscription_data: v.exactOptional(v.strictObject({ metadata })),
  payment_intent_data: v.exactOptional(v.strictObject({ metadata, description: text })),
}) satisfies v.GenericSchema<unknown, Stripe.Checkout.SessionCreateParams>

export const subscriptionUpdate = v.strictObject({
  cancel_at_period_end: v.exactOptional(flag),
  cancel_at: v.exactOptional(v.literal('')),
  proration_behavior: v.exactOptional(v.literal('none')),
}) satisfies v.GenericSchema<unknown, Stripe.SubscriptionUpdateParams>

export const portalCreate = v.strictObject({
  customer: text,
  return_url: text,
}) satisfies v.GenericSchema<unknown, Stripe.BillingPortal.SessionCreateParams>

export const configurationList = v.strictObject({
  is_default: v.exactOptional(flag),
}) satisfies v.GenericSchema<unknown, Stripe.BillingPortal.ConfigurationListParams>

export const refundCreate = v.strictObject({
  payment_intent: text,
  amount: v.pipe(whole, v.minValue(1)),
  metadata,
}) satisfies v.GenericSchema<unknown, Stripe.RefundCreateParams>

export const customerCreate = v.strictObject({ metadata }) satisfies v.GenericSchema<
  unknown,
  Stripe.CustomerCreateParams
>

export const customerSearch = v.strictObject({ query: text, limit }) satisfies v.GenericSchema<
  unknown,
  Stripe.CustomerSearchParams
>

export const invoiceList = v.strictObject({
  subscription: text,
  status: v.exactOptional(v.literal('draft')),
  limit,
  expand,
}) satisfies v.GenericSchema<unknown, Stripe.InvoiceListParams>

export const invoiceUpdate = v.strictObject({ auto_advance: flag }) satisfies v.GenericSchema<
  unknown,
  Stripe.InvoiceUpdateParams
>

export const endpointList = v.strictObject({ limit }) satisfies v.GenericSchema<
  unknown,
  Stripe.WebhookEndpointListParams
>

/** Of the refunds and of the disputes of a payment. */
export const ofPayment = v.strictObject({ payment_intent: text, limit }) satisfies v.GenericSchema<
  unknown,
  Stripe.RefundListParams & Stripe.DisputeListParams
>

export const retrieve = v.strictObject({ expand }) satisfies v.GenericSchema<
  unknown,
  Stripe.SubscriptionRetrieveParams
>
