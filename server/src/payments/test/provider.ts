import * as v from 'valibot'
import type { PaymentProvider, ProviderObject } from '#server/payments/port.ts'
import { notFound, Problem } from '#server/problems.ts'
import { sessionFacts, subscriptionFacts } from './facts.ts'
import {
  monthPaymentIdOf,
  paymentIdOf,
  pressSession,
  SESSION_PRESSES,
  subscriptionIdOf,
  TEST_CARDS,
  type SessionPress,
  type TestSession,
  type TestSubscription,
} from './life.ts'
import {
  MONEY_PRESSES,
  paymentFacts,
  pressPayment,
  refundByKey,
  type MoneyPress,
  type TestPayment,
} from './money-back.ts'
import { deliverNotices, readNotice, type Delivery, type NoticeParts } from './notices.ts'
import { payPage, portalPage } from './page.ts'
import {
  changePayment,
  changeSession,
  changeSubscription,
  listDue,
  readPayment,
  storeSession,
} from './store.ts'

/** Objects that one minute brings up to the clock; the rest waits for the next minute. */
const AT_ONCE = 200

const PRESSES = {
  session: v.picklist(SESSION_PRESSES),
  renewals: v.picklist(['renewals-succeed', 'renewals-fail']),
  money: v.picklist(MONEY_PRESSES),
}
const pressed = v.object({
  press: v.union([PRESSES.session, PRESSES.renewals, PRESSES.money]),
  delivery: v.optional(v.picklist(['once', 'twice', 'late', 'never']), 'once'),
  card: v.optional(v.picklist(['new', ...TEST_CARDS]), 'new'),
})
type Pressed = v.InferOutput<typeof pressed>

/**
 * The provider of a server without keys: it moves no money and says so on its page. It declines,
 * asks for a second step, pays late, renews by the clock, and delivers its notices twice, late or
 * never, as the person on its page chooses.
 */
export function createTestProvider(parts: NoticeParts): PaymentProvider {
  return {
    name: 'test',
    movesMoney: false,
    walletOrigins: [],
    async openSession({ kind, expiresAt, ...asking }, key) {
      const asked: TestSession = {
        kind: 'session',
        id: `test_cs_${parts.newId()}`,
        ...asking,
        product: kind,
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
    readPayment: async (id) => paymentFacts(found(await readPayment(parts, id))),
    async refund(id, amountCents, key) {
      await refundPayment(parts, id, { amountCents, key })
      await deliverNotices(parts)
    },
    async cancelAtPeriodEnd(id) {
      await subscriptionIn(parts, id, (one) => ({ ...one, isCanceling: true }))
      await deliverNotices(parts)
    },
    async endNow(id) {
      const endedAt = parts.clock().getTime()
      await subscriptionIn(parts, id, (one) => ({ ...one, endedAt: one.endedAt ?? endedAt }))
      await deliverNotices(parts)
    },
    async resume(id) {
      await subscriptionIn(parts, id, (one) => ({ ...one, isCanceling: false }))
      await deliverNotices(parts)
    },
    // It knows a customer by our id only.
    forget: async () => undefined,
    manageUrl: async (id) => {
      const { id: known } = await subscriptionIn(parts, id)
      return `/editors/pay/portal/${known}`
    },
    readEvent: async (body, headers) => readNotice(parts, body, headers),
    page: async (id, place) => {
      const session = await sessionOf(parts, id)
      const paymentId = await lastPaymentOf(parts, session)
      return payPage(
        session,
        paymentId === null ? null : found(await readPayment(parts, paymentId)),
        place,
      )
    },
    inner: createInner(parts),
  }
}

function createInner(parts: NoticeParts): NonNullable<PaymentProvider['inner']> {
  return {
    portalPage: async (id) => portalPage(await subscriptionIn(parts, id)),
    async pressPortal(id, fields) {
      const renewals = v.safeParse(PRESSES.renewals, fields.get('press'))
      if (!renewals.success) throw noSuchButton()
      await setRenewals(parts, id, renewals.output)
      await deliverNotices(parts)
    },
    async press(id, fields) {
      const chosen = v.safeParse(pressed, Object.fromEntries(fields))
      if (!chosen.success) throw noSuchButton()
      await takePress(parts, id, chosen.output)
      await deliverNotices(parts)
    },
    async tick() {
      for (const due of await listDue(parts, AT_ONCE)) await bringUpToClock(parts, due)
      await deliverNotices(parts)
    },
  }
}

async function refundPayment(
  parts: NoticeParts,
  id: string,
  asked: { readonly amountCents: number; readonly key: string },
): Promise<void> {
  const newId = parts.newId()
  const refunded = await changePayment(parts, id, (payment) => {
    const after = refundByKey(payment, { ...asked, newId })
    if (after === null)
      throw new Problem('payments/not-withdrawable', 'So much is not left of this payment.')
    return after
  })
  found(refunded)
}

async function takePress(parts: NoticeParts, id: string, pressed: Pressed): Promise<void> {
  const { press, delivery } = pressed
  if (v.is(PRESSES.session, press)) await pressOnSession(parts, id, { ...pressed, press })
  else if (v.is(PRESSES.money, press)) await pressOnMoney(parts, id, press, delivery)
  else await setRenewals(parts, subscriptionIdOf({ id }), press)
}

async function setRenewals(
  parts: NoticeParts,
  id: string,
  press: v.InferOutput<typeof PRESSES.renewals>,
): Promise<void> {
  const renewals = press === 'renewals-succeed' ? 'succeed' : 'fail'
  await subscriptionIn(parts, id, (one) => ({ ...one, renewals }))
}

function noSuchButton(): Problem {
  return new Problem('request/invalid', 'Choose one of the buttons of the test page.')
}

async function pressOnSession(
  parts: NoticeParts,
  id: string,
  { press, delivery, card }: Pressed & { readonly press: SessionPress },
): Promise<void> {
  const session = await changeSession(parts, id, (before, now) => {
    const after = pressSession(before, press, now)
    if (after === before) return before
    return { ...after, delivery, ...(card === 'new' ? {} : { card }) }
  })
  if (session === undefined) throw notFound('payments/session-not-found')
}

async function pressOnMoney(
  parts: NoticeParts,
  id: string,
  press: MoneyPress,
  delivery: Delivery,
): Promise<void> {
  const paymentId = await lastPaymentOf(parts, await sessionOf(parts, id))
  if (paymentId === null) return
  const newId = parts.newId()
  await changePayment(parts, paymentId, (before) => {
    const after = pressPayment(before, press, newId)
    return after === before ? before : { ...after, delivery }
  })
}

/** The payment of a paid session: of a subscription, that of its last paid month. */
async function lastPaymentOf(parts: NoticeParts, session: TestSession): Promise<string | null> {
  if (session.stage.name !== 'paid') return null
  if (session.product === 'tokens') return paymentIdOf(session)
  const { invoices } = await subscriptionIn(parts, subscriptionIdOf(session))
  const last = invoices.findLast((one) => one.paidAt !== null)
  return last === undefined ? null : monthPaymentIdOf(last)
}

function found(payment: TestPayment | undefined): TestPayment {
  if (payment === undefined) throw notFound('payments/not-found')
  return payment
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
  const fields = [
    'reference',
    'customer',
    'product',
    'amountCents',
    'description',
    'expiresAt',
  ] as const
  if (fields.some((field) => stored[field] !== asked[field]))
    throw new Problem(
      'request/idempotency-conflict',
      'This key was already used for another payment. Start again with a new key.',
    )
}
