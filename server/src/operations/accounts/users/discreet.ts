import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { users } from '#server/db/schema.ts'

/** Whether the account chose plain words and names ([Note: discreet] in mail/discreet.ts). */
export async function isDiscreet(
  { db }: Pick<Ctx, 'db'>,
  { userId }: { readonly userId: string },
): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), users.discreet))) > 0
}
