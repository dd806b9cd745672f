import { and, eq, isNull } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import type { ReferralCodeRow } from '#server/db/rows.ts'
import { referralCodes, users } from '#server/db/schema.ts'
import { referralCodeProblem } from '#spec/referral-code.ts'

/**
 * A code as people type it, or undefined, also when the account of its owner was deleted or is
 * locked: a code is of a person in good standing. Case and spaces around it do not matter.
 */
export async function findCode(
  ctx: Pick<ReadCtx, 'db'>,
  { code }: { readonly code: string },
): Promise<ReferralCodeRow | undefined> {
  const wanted = code.trim().toUpperCase()
  if (referralCodeProblem(wanted) !== null) return undefined
  const [found] = await ctx.db
    .select({ row: referralCodes })
    .from(referralCodes)
    .innerJoin(users, eq(users.id, referralCodes.userId))
    .where(and(eq(referralCodes.code, wanted), isNull(users.deletedAt), isNull(users.lockedAt)))
  return found?.row
}
