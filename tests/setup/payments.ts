import type { components } from '#openapi/schema.gen.ts'
import { listUnsettledEvents, settleEvent } from '#server/operations/commerce/payments/events.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import type { TestServer } from '#tests/setup/server.ts'

type Schemas = components['schemas']
export type Checkout = Schemas['StripeCheckoutSession']
export type Subscription = Schemas['WalletSubscription']

const TOKENS = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'
const PLAN = '/v1/payments/wallet-subscriptions/stripe/checkout-sessions'

/** The calls of a person who pays. */
export function payer(client: TestClient) {
  return {
    /** Begins a subscription. */
    async subscribe(): Promise<Checkout> {
      const answer = await client.post<{ stripeCheckoutSession: Checkout }>(PLAN, {
        stripeCheckoutSession: { planSlug: 'standard' },
      })
      return sessionIn(answer)
    },
    /** Begins the purchase of tokens for the first wallet. */
    async buy(
      coinAmount: number,
      orderId: string | null = null,
      walletCoinAmount = 0,
    ): Promise<Checkout> {
      const { wallets } = (await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
      const answer = await client.post<{ stripeCheckoutSession: Checkout }>(TOKENS, {
        walletId: wallets[0]?._id,
        orderId,
        stripeCheckoutSession: { coinAmount, walletCoinAmount },
      })
      return sessionIn(answer)
    },
    /** Presses a button of the test page; `delivery` is how its notices come. */
    async press(
      { payUrl }: Checkout,
      press: string,
      delivery = 'never',
      card = 'new',
    ): Promise<void> {
      const answer = await client.post(payUrl, new URLSearchParams({ press, delivery, card }), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      if (answer.status !== 303)
        throw new Error(`Pressing ${press} answered ${answer.status}: ${text(answer)}`)
    },
    /** Asks for a session as the page that waits does. */
    async look({ _id, planSlug }: Checkout): Promise<Checkout> {
      const path = planSlug === null ? TOKENS : PLAN
      return sessionIn(await client.get(`${path}/${_id}`))
    },
    async subscriptions(): Promise<Subscription[]> {
      const answer = await client.get<{ walletSubscriptions: Subscription[] }>(
        '/v1/wallet-subscriptions',
      )
      return answer.body.walletSubscriptions
    },
  }
}

/** Does what the queue does with the notices that have arrived. */
export async function settleNotices({ deps }: Pick<TestServer, 'deps'>): Promise<void> {
  const before = new Date(deps.clock().getTime() + 1)
  for (const name of await listUnsettledEvents(deps, { before, limit: 1000 }))
    await settleEvent(deps, name)
}

function sessionIn(answer: TestAnswer<{ stripeCheckoutSession: Checkout }>): Checkout {
  if (answer.status >= 300) throw new Error(`A checkout answered ${answer.status}: ${text(answer)}`)
  return answer.body.stripeCheckoutSession
}

function text({ bytes }: TestAnswer): string {
  return new TextDecoder().decode(bytes)
}
