import { inTransaction, type ReadCtx, type UserCtx, type WithUser } from '#server/context.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { notFound, Problem } from '#server/problems.ts'
import { listSubscriptions } from './manage.ts'

/** Each costs a call to the provider. */
const PORTALS_PER_HOUR = 60

/**
 * Where the person changes what their running subscription, else the newest one, is billed by.
 * Needs no permission: those end when a payment fails for days. Refuses: `payments/no-portal`,
 * `request/too-many`, `payments/provider-away`.
 */
export async function openPortal(ctx: UserCtx): Promise<string> {
  const mine = await listOfProvider(ctx)
  const one = mine.find(({ status }) => status !== 'expired') ?? mine[0]
  if (one === undefined)
    throw new Problem(
      'payments/no-portal',
      'Nothing is billed to you, so there is no card to change.',
    )
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `portal:${ctx.user.id}`,
      limit: PORTALS_PER_HOUR,
      what: 'pages of the payment provider were opened',
    })
  })
  const { publicOrigin } = ctx.settings
  const returnTo = new URL('/subscriptions', publicOrigin).href
  const url = await ctx.payments.manageUrl(one.providerSubscriptionId, returnTo)
  return new URL(url, publicOrigin).href
}

/** One of the user's subscriptions by the provider's id, or `subscriptions/not-found`. */
export async function findByProvider(
  ctx: ReadCtx & WithUser,
  { subscriptionId }: { readonly subscriptionId: string },
): Promise<SubscriptionRow> {
  const mine = await listOfProvider(ctx)
  const found = mine.find((one) => one.providerSubscriptionId === subscriptionId)
  if (found === undefined) throw notFound('subscriptions/not-found')
  return found
}

async function listOfProvider(ctx: ReadCtx & WithUser): Promise<SubscriptionRow[]> {
  const all = await listSubscriptions(ctx)
  return all.filter(({ provider }) => provider === ctx.payments.name)
}
