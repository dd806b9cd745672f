import { inTransaction, type UserCtx } from '#server/context.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import type { FramePage, FramePlace } from '#server/framed.ts'
import { findCheckout, type CheckoutName } from './find.ts'

/** Each may read the provider. */
const PAGES_PER_HOUR = 60

/**
 * The document in which the person pays one of their sessions. One that is settled is shown as our
 * row has it. Refuses: `payments/session-not-found`, `request/too-many`, `payments/provider-away`.
 */
export async function showPayPage(
  ctx: UserCtx,
  { place, ...name }: CheckoutName & { readonly place: FramePlace },
): Promise<FramePage> {
  const { providerSessionId, status, settledAt } = await findCheckout(ctx, name)
  if (settledAt !== null) return await ctx.payments.page(providerSessionId, place, status)
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `pay-page:${ctx.user.id}`,
      limit: PAGES_PER_HOUR,
      what: 'pages to pay on were opened',
    })
  })
  return await ctx.payments.page(providerSessionId, place)
}
