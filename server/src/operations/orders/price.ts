import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { priceOf, type Price } from '#recipes/pricing.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobTasks, presets, type orderLineItems } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { parsePricingStrategies } from '#server/operations/presets.ts'

/** What a stored line item says of its price; frozen at ordering. */
export interface FrozenPricing {
  readonly pricingStrategySlug: Price['pricingStrategy']['pricingStrategySlug']
  readonly quantity: number
  readonly usage: number | null
  readonly pricingStrategy: Price['pricingStrategy']
}

type NewLineItem = typeof orderLineItems.$inferInsert

/**
 * Line items for the tasks of a job that are not cancelled, at today's prices.
 * @param durationMs the measured length of the source; null refuses usage-based prices with 409
 * `orders/metadata-pending`
 */
export async function priceTasks(
  tx: Tx,
  deps: Pick<Deps, 'newId'>,
  orderId: string,
  mediaJobId: string,
  durationMs: number | null,
): Promise<readonly NewLineItem[]> {
  const tasks = await tx
    .select()
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), ne(mediaJobTasks.status, 'canceled')))
    .orderBy(asc(mediaJobTasks.position))
  if (tasks.length === 0)
    throw new Problem(
      'orders/canceled',
      'These edits were cancelled. Please choose your edits again.',
    )
  const rows = await tx
    .select()
    .from(presets)
    .where(
      inArray(
        presets.slug,
        tasks.map((task) => task.presetSlug),
      ),
    )
  const presetsBySlug = new Map(rows.map((row) => [row.slug, row]))
  return tasks.map((task, position) => {
    const preset = presetsBySlug.get(task.presetSlug)
    if (preset === undefined) throw new Error(`No preset ${task.presetSlug}`)
    const { coinAmount, ...pricing } = priceOrRefuse(
      parsePricingStrategies(preset.pricingStrategies),
      durationMs,
    )
    return {
      id: deps.newId(),
      orderId,
      taskId: task.id,
      position,
      productSlug: 'media-job-task' as const,
      description: preset.name,
      presetSlug: preset.slug,
      pricing,
      coinAmount,
    }
  })
}

function priceOrRefuse(
  strategies: Parameters<typeof priceOf>[0],
  durationMs: number | null,
): FrozenPricing & { coinAmount: number } {
  const price = priceOf(strategies, durationMs)
  if (!price.ok && price.error.code === 'pricing/duration-unknown') {
    throw new Problem(
      'orders/metadata-pending',
      'Your video is still being measured. The price depends on its length; please try again in a moment.',
      { retryAfterS: 3 },
    )
  }
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

/**
 * The length of an upload for prices: of the whole file once it is checked, else as measured early;
 * null while nobody knows.
 */
export function lengthOf(upload: {
  readonly probe: unknown
  readonly earlyDurationMs: number | null
}): number | null {
  const parsed = v.safeParse(v.object({ durationMs: v.number() }), upload.probe)
  return parsed.success ? parsed.output.durationMs : upload.earlyDurationMs
}
