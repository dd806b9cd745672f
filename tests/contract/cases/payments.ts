import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { walletIdOf } from '#tests/contract/cases/wallets.ts'
import { payer } from '#tests/setup/payments.ts'

const planBody = { stripeCheckoutSession: { planSlug: 'standard' } }

/** A person of their own, whose subscription is paid. */
async function subscribed(world: World) {
  const { client } = await world.newPerson()
  const person = payer(client)
  const session = await person.subscribe()
  await person.press(session, 'pay')
  await person.look(session)
  return { client, id: (await person.subscriptions())[0]?._id ?? '' }
}

/** A payment of the person of a world. */
async function paid({ me }: World): Promise<string> {
  const person = payer(me.client)
  const session = await person.buy(2000)
  await person.press(session, 'pay')
  await person.look(session)
  const { body } = await me.client.get<{ payments: { _id: string }[] }>('/v1/payments')
  return body.payments[0]?._id ?? ''
}

export const paymentCases: OperationCases = {
  createTokenCheckoutSession: {
    valid: async (world) => ({
      body: { walletId: await walletIdOf(world), stripeCheckoutSession: { coinAmount: 5000 } },
      status: 201,
    }),
    isOwned: true,
    invalid: [
      {
        body: { walletId: 'x', stripeCheckoutSession: { coinAmount: 5000 } },
        field: 'walletId',
      },
      {
        body: {
          walletId: '0197a3f2-7c1e-7b90-a111-5d2c8e4f0aff',
          stripeCheckoutSession: { coinAmount: 1999 },
        },
        field: 'stripeCheckoutSession.coinAmount',
      },
    ],
  },
  getTokenCheckoutSession: {
    valid: async ({ me }) => ({
      params: { id: (await payer(me.client).buy(2000))._id },
      status: 200,
    }),
  },
  createSubscriptionCheckoutSession: {
    valid: async (world) => ({
      client: (await world.newPerson()).client,
      body: planBody,
      status: 201,
    }),
    invalid: [
      {
        body: { stripeCheckoutSession: { planSlug: 'gold' } },
        field: 'stripeCheckoutSession.planSlug',
      },
    ],
  },
  getSubscriptionCheckoutSession: {
    valid: async ({ me }) => ({
      params: { id: (await payer(me.client).subscribe())._id },
      status: 200,
    }),
  },
  createPortalSession: {
    valid: async (world) => ({ client: (await subscribed(world)).client, status: 201 }),
  },
  listStoredPaymentMethods: { valid: async () => ({ status: 200 }) },
  listWalletSubscriptions: { valid: async () => ({ status: 200 }) },
  getWalletSubscription: {
    valid: async (world) => {
      const { client, id } = await subscribed(world)
      return { client, params: { walletSubscriptionId: id }, status: 200 }
    },
  },
  cancelWalletSubscription: {
    valid: async (world) => {
      const { client, id } = await subscribed(world)
      return { client, params: { id }, status: 200 }
    },
  },
  resumeWalletSubscription: {
    valid: async (world) => {
      const { client, id } = await subscribed(world)
      return { client, params: { id }, status: 200 }
    },
  },
  listPayments: { valid: async () => ({ status: 200 }) },
  getPaymentReceipt: {
    valid: async (world) => ({ params: { id: await paid(world) }, status: 200 }),
  },
  withdrawPayment: {
    valid: async (world) => ({ params: { id: await paid(world) }, status: 200 }),
  },
}
