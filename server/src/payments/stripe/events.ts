import type Stripe from 'stripe'
import * as v from 'valibot'
import type { ProviderEvent, ProviderObject } from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'
import { API_VERSION } from './client.ts'

const SIGNATURE_HEADER = 'stripe-signature'
/** Older and newer signatures are refused, so that a copied notice soon has no use. */
const TOLERANCE_S = 5 * 60

const named = v.object({ id: v.string() })
const reference = v.nullish(v.union([v.string(), named]))
const ofSubscription = v.object({
  subscription_details: v.nullish(v.object({ subscription: reference })),
})

/** What is read of an event: nothing of it is believed but which object it is about. */
const snapshotEvent = v.object({
  object: v.literal('event'),
  id: v.string(),
  type: v.string(),
  api_version: v.nullish(v.string()),
  created: v.number(),
  livemode: v.boolean(),
  data: v.object({
    object: v.object({
      object: v.string(),
      id: v.optional(v.string()),
      // Other kinds of objects have other things under these names.
      payment_intent: v.fallback(reference, null),
      parent: v.fallback(v.nullish(ofSubscription), null),
    }),
  }),
})
type SnapshotEvent = v.InferOutput<typeof snapshotEvent>

/** Events of API v2, which say only that something happened; none of them is for us. */
const thinEvent = v.object({
  object: v.literal('v2.core.event'),
  id: v.string(),
  type: v.string(),
  created: v.pipe(v.string(), v.isoTimestamp()),
})

/** What checks events: `secret` is that of the webhook endpoint. */
export interface EventParts {
  readonly stripe: Stripe
  readonly secret: string
  readonly isLive: boolean
  readonly clock: () => Date
}

/**
 * Checks and reads an event; refuses with `payments/signature-invalid`. Events of other versions of
 * the API, of the other mode, and thin ones are about nothing: an endpoint that refuses them is
 * switched off by Stripe.
 */
export function readStripeEvent(
  parts: EventParts,
  body: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
): ProviderEvent {
  const text = new TextDecoder().decode(body)
  checkSignature(parts, text, headers[SIGNATURE_HEADER] ?? '')
  const event = v.parse(v.variant('object', [snapshotEvent, thinEvent]), JSON.parse(text))
  const { id: eventId, type } = event
  if (event.object === 'v2.core.event')
    return { eventId, type, about: null, occurredAt: new Date(event.created) }
  const isOurs = event.api_version === API_VERSION && event.livemode === parts.isLive
  return {
    eventId,
    type,
    about: isOurs ? objectOf(event) : null,
    occurredAt: new Date(event.created * 1000),
  }
}

function checkSignature({ stripe, secret, clock }: EventParts, text: string, header: string): void {
  const nowS = Math.floor(clock().getTime() / 1000)
  const signedAtS = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1])
  // Stripe's library refuses old signatures and takes those of the future.
  const isInTime = Math.abs(nowS - signedAtS) <= TOLERANCE_S
  if (!isInTime || !isSigned({ stripe, secret }, text, header, nowS))
    throw new Problem('payments/signature-invalid', 'The signature of this notice is not right.')
}

function isSigned(
  { stripe, secret }: Pick<EventParts, 'stripe' | 'secret'>,
  text: string,
  header: string,
  nowS: number,
): boolean {
  try {
    const { signature } = stripe.webhooks
    return (
      signature?.verifyHeader(text, header, secret, TOLERANCE_S, undefined, nowS * 1000) === true
    )
  } catch {
    return false
  }
}

/** What the webhook endpoint of the account has to send. */
export const NEEDED_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const satisfies readonly Stripe.Event.Type[]

/** The object to read again. */
function objectOf({ data: { object } }: SnapshotEvent): ProviderObject | null {
  switch (object.object) {
    case 'checkout.session':
      return about('session', object.id)
    case 'subscription':
      return about('subscription', object.id)
    case 'invoice':
      return about('subscription', idOf(object.parent?.subscription_details?.subscription))
    case 'refund':
    case 'dispute':
      return about('payment', idOf(object.payment_intent))
    default:
      return null
  }
}

function about(kind: ProviderObject['kind'], id: string | null | undefined): ProviderObject | null {
  return id === null || id === undefined ? null : { kind, id }
}

function idOf(part: v.InferOutput<typeof reference>): string | null {
  return typeof part === 'string' ? part : (part?.id ?? null)
}
