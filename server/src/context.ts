import type { Db, Tx } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'

/**
 * What operations work with.
 *
 * [Note: contexts] Every operation is `(ctx, input)`. `ctx` holds the parts of the server, the
 * database as `ctx.db` and, where the operation needs it, the signed-in user. The type says what
 * `ctx.db` is, so that code inside a transaction cannot reach the pool: a call that waits for a
 * second connection while it holds one stops the server as soon as all of them do.
 */

/** Outside a transaction: `ctx.db` is the pool. */
export type Ctx = Deps

/** Inside a transaction, which `ctx.db` is. The caller commits. */
export interface TxCtx extends Omit<Deps, 'db'> {
  readonly db: Tx
}

/** For operations that only read: both of the above. */
export interface ReadCtx extends Omit<Deps, 'db'> {
  readonly db: Db | Tx
}

/** What a context of a signed-in user has as well. */
export interface WithUser {
  readonly user: CurrentUser
}
/** A signed-in user's call, outside a transaction. */
export type UserCtx = Ctx & WithUser

/**
 * Runs `work` in a transaction and returns what it returns; a throw rolls back. Name the inner
 * context `ctx` as well, so that it hides the outer one.
 */
export async function inTransaction<C extends { readonly db: Db }, T>(
  ctx: C,
  work: (ctx: Omit<C, 'db'> & { readonly db: Tx }) => Promise<T>,
): Promise<T> {
  return await ctx.db.transaction(async (tx) => {
    const { db: _pool, ...rest } = ctx
    return await work({ ...rest, db: tx })
  })
}
