import { desc, eq } from 'drizzle-orm'
import { v5 } from 'uuid'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { TransactionRow } from '#server/db/rows.ts'
import { walletTransactions } from '#server/db/schema.ts'
import { isLive, type Lot } from './lots.ts'
import { readLotsLeft } from './records.ts'
import { getWallet } from './wallets.ts'

/** One movement of tokens: booked, or the end of what was left of a lot, which is not booked. */
export type HistoryLine =
  | { readonly kind: 'booked'; readonly at: Date; readonly row: TransactionRow }
  | { readonly kind: 'expiry'; readonly at: Date; readonly expiry: Expiry }

/** Tokens that were not used in time. The id is always the same for a lot. */
interface Expiry {
  readonly id: string
  readonly walletId: string
  readonly lotId: string
  readonly coinAmount: number
}

/** The history shows this many lines, the newest. */
const HISTORY_LIMIT = 1000

/**
 * The history of a wallet, newest first, with a line for each lot that expired with tokens left; or
 * `wallets/not-found`. All lines of a wallet together are its balance.
 */
export async function listHistory(
  ctx: ReadCtx & WithUser,
  { walletId }: { readonly walletId: string },
): Promise<readonly HistoryLine[]> {
  const { wallet } = await getWallet(ctx, { walletId })
  const rows = await ctx.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.walletId, wallet.id))
    .orderBy(desc(walletTransactions.createdAt), desc(walletTransactions.id))
    .limit(HISTORY_LIMIT)
  const lots = await readLotsLeft(ctx, wallet.id)
  const booked = rows.map((row) => ({ kind: 'booked' as const, at: row.createdAt, row }))
  return [...expiriesOf(wallet.id, lots, ctx.clock()), ...booked]
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, HISTORY_LIMIT)
}

function expiriesOf(walletId: string, lots: readonly Lot[], now: Date): readonly HistoryLine[] {
  return lots.flatMap((lot) =>
    lot.expiresAt === null || isLive(lot, now)
      ? []
      : [
          {
            kind: 'expiry',
            at: lot.expiresAt,
            expiry: {
              id: v5('expiry', lot.id),
              walletId,
              lotId: lot.id,
              coinAmount: -lot.remaining,
            },
          },
        ],
  )
}
