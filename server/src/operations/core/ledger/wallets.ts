import { and, asc, eq } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { WalletRow } from '#server/db/rows.ts'
import { wallets } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'
import { readWalletStates } from './book.ts'
import type { WalletState } from './lots.ts'

/** A wallet and what it holds now. */
export interface WalletFacts {
  readonly wallet: WalletRow
  readonly state: WalletState
}

/** The user's wallets, oldest first. */
export async function listWallets(ctx: ReadCtx & WithUser): Promise<WalletFacts[]> {
  const rows = await ctx.db
    .select()
    .from(wallets)
    .where(eq(wallets.userId, ctx.user.id))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
  return await readWallets(ctx, rows)
}

/** One of the user's wallets, or `wallets/not-found`. */
export async function getWallet(
  ctx: ReadCtx & WithUser,
  { walletId }: { readonly walletId: string },
): Promise<WalletFacts> {
  const [row] = await ctx.db
    .select()
    .from(wallets)
    .where(and(eq(wallets.id, walletId), eq(wallets.userId, ctx.user.id)))
  const [facts] = row === undefined ? [] : await readWallets(ctx, [row])
  if (facts === undefined) throw notFound('wallets/not-found')
  return facts
}

async function readWallets(ctx: ReadCtx, rows: readonly WalletRow[]): Promise<WalletFacts[]> {
  const states = await readWalletStates(ctx, { rows })
  return rows.flatMap((wallet) => {
    const state = states.get(wallet.id)
    return state === undefined ? [] : [{ wallet, state }]
  })
}
