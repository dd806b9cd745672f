import { beforeEach, describe, expect, it } from 'vitest'
import type { PaymentProvider, SessionAsk } from '#server/payments/port.ts'

/** A signed notice as a provider posts it. */
export interface PostedNotice {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** A provider with the hands of the person who pays, and its world. */
export interface ProviderUnderTest {
  readonly provider: PaymentProvider
  readonly clock: () => Date
  /** Moves the provider's clock on. */
  pass(ms: number): Promise<void>
  pay(providerSessionId: string): Promise<void>
  decline(providerSessionId: string): Promise<void>
  /** Pays by a way whose money arrives later. */
  payLate(providerSessionId: string): Promise<void>
  /** Whether the bills of a paid session's subscription are paid from now on. */
  setRenewals(providerSessionId: string, renewals: 'succeed' | 'fail'): Promise<void>
  /** Gives all the money of a paid session back, at the provider's own pages. */
  refundAll(providerSessionId: string): Promise<void>
  /** The refund of a paid session comes back, so that the person does not get it. */
  failRefund(providerSessionId: string): Promise<void>
  /** The bank of a paid session takes its money back. */
  dispute(providerSessionId: string): Promise<void>
  decideDispute(providerSessionId: string, state: 'won' | 'lost'): Promise<void>
  /** Every notice posted until now, oldest first. */
  posted(): readonly PostedNotice[]
}

const HOUR_MS = 3_600_000
/** A provider may bill a month up to this long after it began. */
const BILLED_WITHIN_MS = 2 * HOUR_MS
const DAY_MS = 24 * HOUR_MS

/** What every payment provider does. */
export function describePaymentProvider(
  name: string,
  create: () => Promise<ProviderUnderTest>,
): void {
  describe(`payment provider: ${name}`, () => {
    let world: ProviderUnderTest
    let provider: PaymentProvider
    beforeEach(async () => {
      world = await create()
      provider = world.provider
    })

    const ask = (change: Partial<SessionAsk> = {}): SessionAsk => ({
      reference: crypto.randomUUID(),
      customer: crypto.randomUUID(),
      kind: 'tokens',
      amountCents: 2000,
      description: 'Tokens',
      expiresAt: new Date(world.clock().getTime() + DAY_MS),
      ...change,
    })
    const open = async (asked: SessionAsk): Promise<string> =>
      (await provider.openSession(asked, `session:${asked.reference}`)).providerSessionId
    const subscribe = async () => {
      const asked = ask({ kind: 'subscription', amountCents: 1900 })
      const sessionId = await open(asked)
      await world.pay(sessionId)
      const { subscriptionId } = await provider.readSession(sessionId)
      return { asked, sessionId, subscriptionId: subscriptionId ?? '' }
    }

    it('opens one session for one key, and refuses another ask under it', async () => {
      const asked = ask()
      const id = await open(asked)
      expect(await open(asked)).toBe(id)
      expect(await provider.readSession(id)).toEqual({
        providerSessionId: id,
        reference: asked.reference,
        status: 'open',
        payment: 'unpaid',
        paid: null,
        subscriptionId: null,
      })
      await expect(open({ ...asked, amountCents: 2001 })).rejects.toMatchObject({
        code: 'request/idempotency-conflict',
      })
    })

    it('says of an id that it does not know that there is none', async () => {
      await expect(provider.readSession('cs_nothing')).rejects.toMatchObject({
        code: 'payments/session-not-found',
      })
      await expect(provider.readSubscription('sub_nothing')).rejects.toMatchObject({
        code: 'subscriptions/not-found',
      })
    })

    it('reads a payment the same at every time', async () => {
      const id = await open(ask())
      await world.pay(id)
      const facts = await provider.readSession(id)
      expect(facts).toMatchObject({
        status: 'complete',
        payment: 'paid',
        paid: { amountCents: 2000, currency: 'usd', paidAt: world.clock() },
      })
      await world.pay(id)
      await world.pass(2 * DAY_MS)
      expect(await provider.readSession(id)).toEqual(facts)
    })

    it('stays open after a declined card, and expires when it is left', async () => {
      const id = await open(ask())
      await world.decline(id)
      expect(await provider.readSession(id)).toMatchObject({ status: 'open', payment: 'unpaid' })
      await world.pass(DAY_MS)
      expect(await provider.readSession(id)).toMatchObject({ status: 'expired', payment: 'unpaid' })
      await world.pay(id)
      expect(await provider.readSession(id)).toMatchObject({ status: 'expired', paid: null })
    })

    it('is complete and not paid while the money is on its way', async () => {
      const id = await open(ask())
      await world.payLate(id)
      expect(await provider.readSession(id)).toMatchObject({
        status: 'complete',
        payment: 'pending',
        paid: null,
      })
      await world.pass(5 * DAY_MS)
      expect(await provider.readSession(id)).toMatchObject({ status: 'complete', payment: 'paid' })
    })

    it('bills each month, by the same day of the month', async () => {
      const { asked, subscriptionId } = await subscribe()
      const first = await provider.readSubscription(subscriptionId)
      expect(first).toMatchObject({
        reference: asked.reference,
        state: 'active',
        cancelsAt: null,
        invoices: [{ reason: 'first-month', planCents: 1900, isPaid: true }],
        method: { methodId: expect.any(String), card: expect.any(String) },
      })
      await world.pass(70 * DAY_MS)
      const later = await provider.readSubscription(subscriptionId)
      expect(later.method).toEqual(first.method)
      expect(later.invoices.map(({ reason, isPaid }) => [reason, isPaid])).toEqual([
        ['first-month', true],
        ['next-month', true],
        ['next-month', true],
      ])
      expect(new Set(later.invoices.map(({ invoiceId }) => invoiceId)).size).toBe(3)
      expect(new Set(later.invoices.map(({ paid }) => paid?.paymentId)).size).toBe(3)
      expect(later.invoices[0]).toEqual(first.invoices[0])
      expect(later.periodEndsAt).toEqual(later.invoices[2]?.periodEndsAt)
    })

    it('moves the period on before a failed month is paid', async () => {
      const { sessionId, subscriptionId } = await subscribe()
      const { periodEndsAt } = await provider.readSubscription(subscriptionId)
      await world.setRenewals(sessionId, 'fail')
      await world.pass(periodEndsAt.getTime() - world.clock().getTime() + BILLED_WITHIN_MS)
      const failed = await provider.readSubscription(subscriptionId)
      expect(failed).toMatchObject({
        state: 'past-due',
        invoices: [{ isPaid: true }, { isPaid: false, paid: null }],
      })
      expect(failed.periodEndsAt > periodEndsAt).toBe(true)
      await world.pass(50 * HOUR_MS)
      await world.setRenewals(sessionId, 'succeed')
      expect(await provider.readSubscription(subscriptionId)).toMatchObject({
        state: 'active',
        invoices: [{ isPaid: true }, { isPaid: true }],
      })
    })

    it('cancels at the end of the period, unless that is taken back before', async () => {
      const { subscriptionId } = await subscribe()
      await provider.cancelAtPeriodEnd(subscriptionId)
      await provider.cancelAtPeriodEnd(subscriptionId)
      const canceling = await provider.readSubscription(subscriptionId)
      expect(canceling).toMatchObject({ state: 'active', cancelsAt: canceling.periodEndsAt })
      await provider.resume(subscriptionId)
      expect(await provider.readSubscription(subscriptionId)).toMatchObject({ cancelsAt: null })
      await provider.cancelAtPeriodEnd(subscriptionId)
      await world.pass(40 * DAY_MS)
      expect(await provider.readSubscription(subscriptionId)).toMatchObject({
        state: 'ended',
        endedAt: canceling.periodEndsAt,
        invoices: [{ isPaid: true }],
      })
    })

    it('ends at once, and collects nothing that was billed before', async () => {
      const { sessionId, subscriptionId } = await subscribe()
      const { periodEndsAt } = await provider.readSubscription(subscriptionId)
      await world.setRenewals(sessionId, 'fail')
      await world.pass(periodEndsAt.getTime() - world.clock().getTime() + BILLED_WITHIN_MS)
      await provider.endNow(subscriptionId)
      await provider.endNow(subscriptionId)
      const ended = await provider.readSubscription(subscriptionId)
      expect(ended).toMatchObject({
        state: 'ended',
        endedAt: world.clock(),
        invoices: [{ isPaid: true }, { isPaid: false }],
      })
      await world.setRenewals(sessionId, 'succeed')
      await world.pass(40 * DAY_MS)
      expect(await provider.readSubscription(subscriptionId)).toEqual(ended)
      await expect(provider.endNow('sub_nothing')).rejects.toMatchObject({
        code: 'subscriptions/not-found',
      })
    })

    it('leads to a page where the card of a subscription is changed', async () => {
      const { subscriptionId } = await subscribe()
      const url = await provider.manageUrl(subscriptionId, 'https://edits.example/subscriptions')
      expect(url).toMatch(/^(?:https:\/)?\/\S+$/)
      await expect(provider.manageUrl('sub_nothing', 'https://x.example/')).rejects.toMatchObject({
        code: 'subscriptions/not-found',
      })
    })

    const buy = async () => {
      const sessionId = await open(ask())
      await world.pay(sessionId)
      const { paid } = await provider.readSession(sessionId)
      return { sessionId, paymentId: paid?.paymentId ?? '' }
    }

    it('gives a part of a payment back once for one key, and never more than is left', async () => {
      const { paymentId } = await buy()
      expect(await provider.readPayment(paymentId)).toEqual({
        paymentId,
        refunds: [],
        failedRefundIds: [],
        dispute: null,
      })
      await provider.refund(paymentId, 1500, 'one')
      await provider.refund(paymentId, 1500, 'one')
      const refused = { code: 'payments/not-withdrawable' }
      await expect(provider.refund(paymentId, 501, 'two')).rejects.toMatchObject(refused)
      await provider.refund(paymentId, 500, 'three')
      const { refunds } = await provider.readPayment(paymentId)
      expect(refunds.map(({ amountCents, key }) => [amountCents, key])).toEqual([
        [1500, 'one'],
        [500, 'three'],
      ])
      expect(new Set(refunds.map(({ refundId }) => refundId)).size).toBe(2)
      await expect(provider.readPayment('pay_nothing')).rejects.toMatchObject({
        code: 'payments/not-found',
      })
    })

    it('says of a refund that came back that it failed, and gives its money back again', async () => {
      const { sessionId, paymentId } = await buy()
      await world.refundAll(sessionId)
      const [failed] = (await provider.readPayment(paymentId)).refunds
      await world.failRefund(sessionId)
      expect(await provider.readPayment(paymentId)).toMatchObject({
        refunds: [],
        failedRefundIds: [failed?.refundId],
      })
      await provider.refund(paymentId, 2000, 'again')
      expect(await provider.readPayment(paymentId)).toMatchObject({
        refunds: [{ amountCents: 2000, key: 'again' }],
        failedRefundIds: [failed?.refundId],
      })
    })

    it('says of a month of a subscription what went back of it', async () => {
      const { sessionId, subscriptionId } = await subscribe()
      const { invoices } = await provider.readSubscription(subscriptionId)
      await world.refundAll(sessionId)
      expect(await provider.readPayment(invoices[0]?.paid?.paymentId ?? '')).toMatchObject({
        refunds: [{ amountCents: 1900, key: null }],
      })
    })

    it.each(['won', 'lost'] as const)(
      'shows a dispute from the day the bank takes the money, and when it is %s',
      async (state) => {
        const { sessionId, paymentId } = await buy()
        await world.dispute(sessionId)
        const { dispute } = await provider.readPayment(paymentId)
        expect(dispute).toMatchObject({ amountCents: 2000, state: 'open' })
        await world.decideDispute(sessionId, state)
        expect(await provider.readPayment(paymentId)).toMatchObject({
          dispute: { ...dispute, state },
        })
      },
    )

    it('posts signed notices that name what to read again', async () => {
      const { sessionId, subscriptionId } = await subscribe()
      const bought = await buy()
      await world.dispute(bought.sessionId)
      const events = await Promise.all(
        world.posted().map(({ body, headers }) => provider.readEvent(body, headers)),
      )
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
      expect(events.map(({ about }) => about)).toEqual(
        expect.arrayContaining([
          { kind: 'session', id: sessionId },
          { kind: 'subscription', id: subscriptionId },
          { kind: 'payment', id: bought.paymentId },
        ]),
      )
    })

    it('refuses a notice that was changed, is not signed, or is old', async () => {
      await subscribe()
      const [notice] = world.posted()
      if (notice === undefined) throw new Error('No notice was posted')
      const refused = { code: 'payments/signature-invalid' }
      const changed = new TextEncoder().encode(`${new TextDecoder().decode(notice.body)} `)
      await expect(provider.readEvent(changed, notice.headers)).rejects.toMatchObject(refused)
      await expect(provider.readEvent(notice.body, {})).rejects.toMatchObject(refused)
      await world.pass(10 * 60_000)
      await expect(provider.readEvent(notice.body, notice.headers)).rejects.toMatchObject(refused)
    })
  })
}
