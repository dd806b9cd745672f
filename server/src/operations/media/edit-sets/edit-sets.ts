import { and, count, desc, eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { inTransaction, type ReadCtx, type UserCtx, type WithUser } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { EditSetRow } from '#server/db/rows.ts'
import { editSets, users } from '#server/db/schema.ts'
import { refuseDoubled } from '#server/operations/media/media-jobs/refuse-doubled.ts'
import { notFound, Problem } from '#server/problems.ts'

/** They stand in one row above the formats. */
const SETS_AT_MOST = 20

/** The user's sets of edits, the newest first. */
export async function listEditSets(ctx: ReadCtx & WithUser): Promise<EditSetRow[]> {
  return await ctx.db
    .select()
    .from(editSets)
    .where(eq(editSets.userId, ctx.user.id))
    .orderBy(desc(editSets.createdAt), desc(editSets.id))
}

/**
 * Saves a set under the id that the client made, or replaces the one that has it; repeating changes
 * nothing. What a set holds is checked when it is ordered, because catalogue and assets change.
 * Refuses: `presets/doubled`, `edit-sets/too-many`, `edit-sets/not-found` when the id is of another
 * account.
 */
export async function saveEditSet(
  ctx: UserCtx,
  input: { readonly id: string } & components['schemas']['SaveEditSetBody']['editSet'],
): Promise<EditSetRow> {
  refuseDoubled(input.mediaJobTaskRequests, 'editSet.mediaJobTaskRequests')
  return await inTransaction(ctx, async (ctx) => {
    const userId = ctx.user.id
    // The lock makes two devices wait for each other, so that the count holds.
    await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const values = { name: input.name.trim(), requests: input.mediaJobTaskRequests }
    const [present] = await ctx.db.select().from(editSets).where(eq(editSets.id, input.id))
    if (present !== undefined) {
      if (present.userId !== userId) throw notFound('edit-sets/not-found')
      await ctx.db.update(editSets).set(values).where(eq(editSets.id, present.id))
      return { ...present, ...values }
    }
    const [found] = await ctx.db
      .select({ sets: count() })
      .from(editSets)
      .where(eq(editSets.userId, userId))
    if ((found?.sets ?? 0) >= SETS_AT_MOST)
      throw new Problem(
        'edit-sets/too-many',
        `You have ${SETS_AT_MOST} sets. Delete one to save another.`,
      )
    return onlyRow(
      await ctx.db
        .insert(editSets)
        .values({ id: input.id, userId, ...values, createdAt: ctx.clock() })
        .returning(),
    )
  })
}

/** Deletes a set; repeating changes nothing, also for an id that no set of the user has. */
export async function deleteEditSet(ctx: UserCtx, { id }: { readonly id: string }): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.delete(editSets).where(and(eq(editSets.id, id), eq(editSets.userId, ctx.user.id)))
  })
}
