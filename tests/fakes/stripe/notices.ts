/** Events as Stripe posts them: signed, and in an order of its own. */
import Stripe from 'stripe'

export const WEBHOOK_SECRET = 'whsec_fake'

interface Notice {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** A body signed at this time. */
export function signed(body: object, at: Date, secret = WEBHOOK_SECRET): Notice {
  const payload = JSON.stringify(body)
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at.getTime() / 1000),
  })
  return {
    body: new TextEncoder().encode(payload),
    headers: { 'stripe-signature': signature },
  }
}

/** How a network treats events: of each kind, a share of them between 0 and 1. */
export interface Weather {
  readonly dropped: number
  readonly doubled: number
  /** Come after all others. */
  readonly delayed: number
}

/** The events as they arrive: shuffled, some twice, some late, some never. */
export function scattered<Event>(
  events: readonly Event[],
  { dropped, doubled, delayed }: Weather,
  random: () => number,
): Event[] {
  const inTime: Event[] = []
  const late: Event[] = []
  for (const event of events) {
    if (random() < dropped) continue
    const place = random() < delayed ? late : inTime
    place.push(event)
    if (random() < doubled) place.push(event)
  }
  return [...shuffled(inTime, random), ...shuffled(late, random)]
}

function shuffled<Event>(events: readonly Event[], random: () => number): Event[] {
  return events
    .map((event) => ({ event, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ event }) => event)
}
