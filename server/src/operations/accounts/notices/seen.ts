import { and, eq, isNull } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import { notices } from '#server/db/schema.ts'

/** The user has looked at what they were told of. Repeating is harmless. */
export async function markNoticesSeen(ctx: UserCtx): Promise<void> {
  await ctx.db
    .update(notices)
    .set({ seenAt: ctx.clock() })
    .where(and(eq(notices.userId, ctx.user.id), isNull(notices.seenAt)))
}
