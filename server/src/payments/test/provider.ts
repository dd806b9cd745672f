import * as v from 'valibot'
import type { PaymentProvider, ProviderObject } from '#server/payments/port.ts'
import { notFound, Problem } from '#server/problems.ts'
import { sessionFacts, subscriptionFacts } from './facts.ts'
import {
  PRESSES,
  pressSession,
  subscriptionIdOf,
  type Delivery,
  type Press,
  type TestSession,
  type TestSubscription,
} from './life.ts'
import { deliverNotices, readNotice, type NoticeParts } from './notices.ts'
import { payPage } from './page.ts'
import { changeSession, changeSubscription, listDue, storeSession } from './store.ts'

/** Objects that one minute brings up to the clock; the rest waits for the next minute. */
const AT_ONCE = 200

const pressed = v.object({
  press: v.picklist(PRESSES),
  delivery: v.optional(v.picklist(['once', 'twice', 'late', 'never']), 'once'),
})

/**
 * The provider of a server without keys: it moves no money and says so on its page. It declines,
 * asks for a second step, pays late, renews by the clock, and delivers its notices twice, late or
 * never, as the person on its page chooses.
 */
export function createTestProvider(parts: NoticeParts): PaymentProvider {
  return {
    name: 'test',
    movesMoney: false,
    async openSession({ reference, kind, amountCents, description, expiresAt }, key) {
      const asked: TestSession = {
        kind: 'session',
        id: `test_cs_${parts.newId()}`,
        reference,
        product: kind,
        amountCents,
        description,
        expiresAt: expiresAt.getTime(),
        stage: { name: 'open' },
        delivery: 'once',
      }
      const stored = await storeSession(parts, asked, key)
      refuseOtherAsk(stored, asked)
      return { providerSessionId: stored.id }
    },
    readSession: async (id) => sessionFacts(await sessionOf(parts, id)),
    readSubscription: async (id) => subscriptionFacts(await subscriptionIn(parts, id)),
    async cancelAtPeriodEnd(id) {
      await subscriptionIn(parts, id, (one) => ({ ...one, isCanceling: true }))
      await deliverNotices(parts)
    },
    async resume(id) {
      await subscriptionIn(parts, id, (one) => ({ ...one, isCanceling: false }))
      await deliverNotices(parts)
    },
    readEvent: async (body, headers) => readNotice(parts, body, headers),
    page: async (id) => payPage(await sessionOf(parts, id)),
    inner: {
      async press(id, fields) {
        const chosen = v.safeParse(pressed, Object.fromEntries(fields))
        if (!chosen.success)
          throw new Problem('request/invalid', 'Choose one of the buttons of the test page.')
        await takePress(parts, id, chosen.output)
        await deliverNotices(parts)
      },
      async tick() {
        for (const due of await listDue(parts, AT_ONCE)) await bringUpToClock(parts, due)
        await deliverNotices(parts)
      },
    },
  }
}

async function takePress(
  parts: NoticeParts,
  id: string,
  { press, delivery }: { readonly press: Press; readonly delivery: Delivery },
): Promise<void> {
  if (press === 'renewals-succeed' || press === 'renewals-fail') {
    const renewals = press === 'renewals-succeed' ? 'succeed' : 'fail'
    await subscriptionIn(parts, subscriptionIdOf({ id }), (one) => ({ ...one, renewals }))
    return
  }
  const session = await changeSession(parts, id, (before, now) => {
    const after = pressSession(before, press, now)
    return after === before ? before : { ...after, delivery }
  })
  if (session === undefined) throw notFound('payments/session-not-found')
}

async function bringUpToClock(parts: NoticeParts, { kind, id }: ProviderObject): Promise<void> {
  await (kind === 'session' ? changeSession(parts, id) : changeSubscription(parts, id))
}

async function sessionOf(parts: NoticeParts, id: string): Promise<TestSession> {
  const session = await changeSession(parts, id)
  if (session === undefined) throw notFound('payments/session-not-found')
  return session
}

async function subscriptionIn(
  parts: NoticeParts,
  id: string,
  change?: (subscription: TestSubscription) => TestSubscription,
): Promise<TestSubscription> {
  const subscription = await changeSubscription(parts, id, change)
  if (subscription === undefined) throw notFound('subscriptions/not-found')
  return subscription
}

function refuseOtherAsk(stored: TestSession, asked: TestSession): void {
  const fields = ['reference', 'product', 'amountCents', 'description', 'expiresAt'] as const
  if (fields.some((field) => stored[field] !== asked[field]))
    throw new Problem(
      'request/idempotency-conflict',
      'This key was already used for another payment. Start again with a new key.',
    )
}
