import { sql } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { receiptCounters } from '#server/db/schema.ts'

/** Of payments `2026-000123`, of orders `O-2026-000123`. */
const PREFIXES = { payment: '', order: 'O-' } as const

/**
 * The next receipt number of the year of a date, in UTC. Numbers have no gaps: the counter's row is
 * locked until the transaction ends, and a rollback gives the number back. Because everybody waits
 * for that row, a transaction takes its number last, after all other locks.
 */
export async function nextReceiptNumber(
  ctx: Pick<TxCtx, 'db'>,
  { series, at }: { readonly series: keyof typeof PREFIXES; readonly at: Date },
): Promise<string> {
  const year = at.getUTCFullYear()
  const counted = await ctx.db
    .insert(receiptCounters)
    .values({ series, year, last: 1 })
    .onConflictDoUpdate({
      target: [receiptCounters.series, receiptCounters.year],
      set: { last: sql`${receiptCounters.last} + 1` },
    })
    .returning()
  return `${PREFIXES[series]}${year}-${String(onlyRow(counted).last).padStart(6, '0')}`
}
