import { eq } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import type { ReferralCodeRow } from '#server/db/rows.ts'
import { referralCodes } from '#server/db/schema.ts'
import { referralCodeProblem } from '#spec/referral-code.ts'

/** A code as people type it, or undefined; case and spaces around it do not matter. */
export async function findCode(
  ctx: Pick<ReadCtx, 'db'>,
  { code }: { readonly code: string },
): Promise<ReferralCodeRow | undefined> {
  const wanted = code.trim().toUpperCase()
  if (referralCodeProblem(wanted) !== null) return undefined
  const [row] = await ctx.db.select().from(referralCodes).where(eq(referralCodes.code, wanted))
  return row
}
