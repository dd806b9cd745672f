import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { discounted, priceOf, REDO_DISCOUNT_PERCENT, type Price } from '#recipes/pricing.ts'
import type { TxCtx } from '#server/context.ts'
import type { NewLineItem } from '#server/db/rows.ts'
import { mediaJobTasks, presets } from '#server/db/schema.ts'
import { presetPrices } from '#server/operations/core/presets/stored.ts'
import { Problem } from '#server/problems.ts'

/** What a stored line item says of its price; frozen at ordering. */
interface FrozenPricing {
  readonly pricingStrategySlug: Price['pricingStrategy']['pricingStrategySlug']
  readonly quantity: number
  readonly usage: number | null
  readonly pricingStrategy: Price['pricingStrategy']
  readonly discountPercent: number
}

/**
 * Line items for the tasks of a job that are not cancelled, at today's prices, a redo at half of
 * it. `durationMs` is the
 * measured length of the source; null refuses prices that depend on it with
 * `orders/metadata-pending`. Refuses with `orders/canceled` when every task is cancelled.
 */
export async function priceTasks(
  ctx: TxCtx,
  {
    orderId,
    mediaJobId,
    durationMs,
  }: {
    readonly orderId: string
    readonly mediaJobId: string
    readonly durationMs: number | null
  },
): Promise<readonly NewLineItem[]> {
  const tasks = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), ne(mediaJobTasks.status, 'canceled')))
    .orderBy(asc(mediaJobTasks.position))
  if (tasks.length === 0)
    throw new Problem(
      'orders/canceled',
      'These edits were cancelled. Please choose your edits again.',
    )
  const slugs = tasks.map((task) => task.presetSlug)
  const rows = await ctx.db.select().from(presets).where(inArray(presets.slug, slugs))
  const presetsBySlug = new Map(rows.map((row) => [row.slug, row]))
  return tasks.map((task, position) => {
    const preset = presetsBySlug.get(task.presetSlug)
    if (preset === undefined) throw new Error(`No preset ${task.presetSlug}`)
    const strategies = presetPrices(ctx, preset.pricingStrategies)
    const { coinAmount, ...price } = priceOrRefuse(strategies, durationMs)
    // Which task may be a redo was decided when it was asked for (media-jobs/redo.ts).
    const discountPercent = task.redoOfTaskId === null ? 0 : REDO_DISCOUNT_PERCENT
    return {
      id: ctx.newId(),
      orderId,
      taskId: task.id,
      position,
      productSlug: 'media-job-task' as const,
      description: preset.name,
      presetSlug: preset.slug,
      pricing: { ...price, discountPercent } satisfies FrozenPricing,
      coinAmount: discounted(coinAmount, discountPercent),
    }
  })
}

function priceOrRefuse(
  strategies: Parameters<typeof priceOf>[0],
  durationMs: number | null,
): Omit<FrozenPricing, 'discountPercent'> & { coinAmount: number } {
  const price = priceOf(strategies, durationMs)
  if (!price.ok && price.error.code === 'pricing/duration-unknown')
    throw new Problem(
      'orders/metadata-pending',
      'Your video is still being measured. The price depends on its length; please try again in a moment.',
      { retryAfterS: 3 },
    )
  if (!price.ok) throw new Error(`No price: ${price.error.code}`)
  const { pricingStrategy, quantity, usage, coinAmount } = price.value
  return {
    pricingStrategySlug: pricingStrategy.pricingStrategySlug,
    quantity,
    usage,
    pricingStrategy,
    coinAmount,
  }
}
