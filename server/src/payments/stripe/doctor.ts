import Stripe from 'stripe'
import { PLAN_PRICE_DOLLARS_PER_MONTH } from '#spec/numbers.ts'
import { API_VERSION, createStripeClient, type Transport } from './client.ts'
import { NEEDED_EVENTS } from './events.ts'

/** One thing that was looked at, in a sentence that also says how to mend it. */
interface Finding {
  readonly isRight: boolean
  readonly text: string
}

interface Patient {
  readonly secretKey: string
  readonly priceId: string
  /** Where people open this server, and Stripe its webhook route. */
  readonly publicOrigin: string
  readonly transport?: Transport
}

const right = (text: string): Finding => ({ isRight: true, text })
const wrong = (text: string): Finding => ({ isRight: false, text })

/**
 * Looks at the settings of an account that this server depends on, and changes nothing. What cannot
 * be read is wrong too, with Stripe's words.
 */
export async function examineStripe(patient: Patient): Promise<readonly Finding[]> {
  const stripe = createStripeClient(patient.secretKey, patient.transport)
  const found = await Promise.all([
    examine('The account', async () => accountFindings(await stripe.accounts.retrieveCurrent())),
    examine(`The price ${patient.priceId}`, async () => [
      priceFinding(await stripe.prices.retrieve(patient.priceId)),
    ]),
    examine('The webhook endpoint', async () => {
      const { data } = await stripe.webhookEndpoints.list({ limit: 100 })
      return endpointFindings(data, patient.publicOrigin)
    }),
    examine('The customer portal', async () => {
      const { data } = await stripe.billingPortal.configurations.list({ is_default: true })
      return portalFindings(data[0])
    }),
  ])
  return found.flat()
}

async function examine(
  what: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [wrong(`${what} cannot be read: ${reasonOf(error)}`)]
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return 'Stripe refuses STRIPE_SECRET_KEY.'
  return error instanceof Error ? error.message : String(error)
}

function accountFindings({ country, charges_enabled }: Stripe.Account): readonly Finding[] {
  const place = `The account of ${country ?? 'an unknown country'}`
  return [
    charges_enabled
      ? right(`${place} can take payments.`)
      : wrong(`${place} cannot take payments yet: complete its details at Stripe.`),
  ]
}

function priceFinding(price: Stripe.Price): Finding {
  const { id, active, unit_amount: cents, currency, recurring } = price
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1
  const isOfPlan = cents === PLAN_PRICE_DOLLARS_PER_MONTH * 100 && currency === 'usd'
  const hasTrial = (recurring?.trial_period_days ?? 0) > 0
  if (active && isMonthly && isOfPlan && !hasTrial)
    return right(`The price ${id} is $${PLAN_PRICE_DOLLARS_PER_MONTH}.00 each month.`)
  return wrong(
    `The price ${id} must be active, $${PLAN_PRICE_DOLLARS_PER_MONTH}.00 in US dollars, monthly, and without a trial: make such a price and set STRIPE_PRICE_ID.`,
  )
}

function endpointFindings(
  endpoints: readonly Stripe.WebhookEndpoint[],
  publicOrigin: string,
): readonly Finding[] {
  const url = `${publicOrigin}/editors/api/v1/payments/webhooks/stripe`
  const endpoint = endpoints.find((one) => one.url === url && one.status === 'enabled')
  if (endpoint === undefined) return [wrong(`No webhook endpoint is enabled for ${url}: add one.`)]
  const { api_version: version, enabled_events: enabled } = endpoint
  const missing = enabled.includes('*')
    ? []
    : NEEDED_EVENTS.filter((type) => !enabled.includes(type))
  return [
    version === API_VERSION
      ? right(`The webhook endpoint speaks ${API_VERSION}.`)
      : wrong(
          `The webhook endpoint speaks ${version ?? "the account's version"}, whose events are ignored: add one with ${API_VERSION}.`,
        ),
    missing.length === 0
      ? right('The webhook endpoint gets every event that is needed.')
      : wrong(`The webhook endpoint does not get ${missing.join(', ')}: add them.`),
  ]
}

function portalFindings(
  configuration: Stripe.BillingPortal.Configuration | undefined,
): readonly Finding[] {
  if (configuration === undefined)
    return [wrong('The customer portal is not set up: save its settings at Stripe once.')]
  const { payment_method_update, subscription_update, subscription_cancel } = configuration.features
  return [
    payment_method_update.enabled
      ? right('The customer portal lets people change their card.')
      : wrong('The customer portal lets no card be changed: switch that on.'),
    subscription_update.enabled
      ? wrong('The customer portal lets people change their plan, and there is one: switch it off.')
      : right('The customer portal lets no plan be changed.'),
    subscription_cancel.enabled && subscription_cancel.mode !== 'at_period_end'
      ? wrong('The customer portal cancels at once: let it cancel at the end of the period.')
      : right('The customer portal cancels at the end of the period, or not at all.'),
  ]
}
