import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examineStripe } from '#server/payments/stripe/doctor.ts'
import { NEEDED_EVENTS } from '#server/payments/stripe/events.ts'
import { PLAN_PRICE, type FakeAccount } from '#tests/fakes/stripe/account.ts'
import { SECRET_KEY, startFakeStripe, type FakeStripe } from '#tests/fakes/stripe/server.ts'

const ORIGIN = 'https://edits.example.com'

let stripe: FakeStripe
beforeEach(async () => {
  stripe = await startFakeStripe()
  stripe.account.addEndpoint(`${ORIGIN}/editors/api/v1/payments/webhooks/stripe`)
})
afterEach(async () => {
  await stripe.stop()
})

async function wrongOf(change: { readonly secretKey?: string; readonly priceId?: string } = {}) {
  const { secretKey = SECRET_KEY, priceId = PLAN_PRICE } = change
  const { transport } = stripe
  const found = await examineStripe({ secretKey, priceId, publicOrigin: ORIGIN, transport })
  return found.filter(({ isRight }) => !isRight).map(({ text }) => text)
}

function priceOf({ objects }: FakeAccount) {
  const price = objects.prices.get(PLAN_PRICE)
  if (price === undefined) throw new Error('There is no price')
  return price
}

describe('the doctor', () => {
  it('finds nothing wrong with an account as it should be, and writes nothing', async () => {
    expect(await wrongOf()).toEqual([])
    expect(stripe.seen.filter(({ call }) => !call.startsWith('GET '))).toEqual([])
  })

  it.each<[string, (account: FakeAccount) => unknown, RegExp]>([
    [
      'another amount',
      (account) => (priceOf(account).unit_amount = 2000),
      /price_plan must be active, \$19\.00/,
    ],
    [
      'a yearly price',
      (account) => Object.assign(priceOf(account).recurring ?? {}, { interval: 'year' }),
      /monthly/,
    ],
    [
      'a price with a trial',
      (account) => Object.assign(priceOf(account).recurring ?? {}, { trial_period_days: 7 }),
      /without a trial/,
    ],
    [
      'an account that takes no payments',
      ({ settings }) => (settings.account.charges_enabled = false),
      /account of US cannot take payments yet/,
    ],
    [
      'no webhook endpoint',
      ({ settings }) => settings.endpoints.pop(),
      /No webhook endpoint is enabled for https:\/\/edits\.example\.com/,
    ],
    [
      'a webhook endpoint that is switched off',
      ({ settings }) => Object.assign(settings.endpoints[0] ?? {}, { status: 'disabled' }),
      /No webhook endpoint is enabled/,
    ],
    [
      'a webhook endpoint of another version',
      ({ settings }) => Object.assign(settings.endpoints[0] ?? {}, { api_version: null }),
      /whose events are ignored/,
    ],
    [
      'a webhook endpoint that hears of no disputes',
      ({ settings }) =>
        Object.assign(settings.endpoints[0] ?? {}, {
          enabled_events: NEEDED_EVENTS.filter((type) => !type.startsWith('charge.dispute')),
        }),
      /does not get charge\.dispute\.created, charge\.dispute\.updated, charge\.dispute\.closed:/,
    ],
    [
      'a portal that changes no card',
      ({ settings }) => (settings.portal.features.payment_method_update.enabled = false),
      /lets no card be changed/,
    ],
    [
      'a portal that changes plans',
      ({ settings }) => (settings.portal.features.subscription_update.enabled = true),
      /lets people change their plan/,
    ],
    [
      'a portal that cancels at once',
      ({ settings }) => (settings.portal.features.subscription_cancel.mode = 'immediately'),
      /cancels at once/,
    ],
    [
      'no portal',
      ({ settings }) => (settings.portal.is_default = false),
      /customer portal is not set up/,
    ],
  ])('finds %s', async (_name, change, words) => {
    change(stripe.account)
    expect(await wrongOf()).toEqual([expect.stringMatching(words)])
  })

  it('says what Stripe does not know, and looks at the rest', async () => {
    expect(await wrongOf({ priceId: 'price_none' })).toEqual([
      expect.stringMatching(/^The price price_none cannot be read: No such/),
    ])
  })

  it('says that a key is refused, and not which', async () => {
    const texts = await wrongOf({ secretKey: 'sk_test_wrong' })
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).toMatch(/Stripe refuses STRIPE_SECRET_KEY\.$/)
    expect(texts.join()).not.toContain('sk_test')
  })
})
