import { desc, eq } from 'drizzle-orm'
import type { ReadCtx, UserCtx, WithUser } from '#server/context.ts'
import type { ExternalAuthRow } from '#server/db/rows.ts'
import { externalAuths } from '#server/db/schema.ts'
import { grantsDownload, grantsSaving } from '#server/drives/google.ts'
import { Problem, type ProblemCode } from '#server/problems.ts'
import { freshToken } from './tokens.ts'

/** A drive that was connected. */
export interface ExternalAuthFacts {
  readonly row: ExternalAuthRow
  readonly hasDownloadPermission: boolean
  readonly hasSavePermission: boolean
  /** The drive takes the refresh token no more, so that it must be connected again. */
  readonly isExpired: boolean
}

/** The drives of a person, newest first; those that are disconnected too. */
export async function listExternalAuths(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
): Promise<readonly ExternalAuthFacts[]> {
  const rows = await ctx.db
    .select()
    .from(externalAuths)
    .where(eq(externalAuths.userId, ctx.user.id))
    .orderBy(desc(externalAuths.createdAt), desc(externalAuths.id))
  return rows.map((row) => ({
    row,
    hasDownloadPermission: grantsDownload(row.scopes),
    hasSavePermission: grantsSaving(row.scopes),
    isExpired:
      row.disconnectedAt === null && (row.refreshCipher === null || row.refreshBrokenAt !== null),
  }))
}

/**
 * The same after each drive was asked whether it still lets us in. A drive that does not answer
 * stays as it was, and so do those after it: nothing is known of them, and a person waits.
 */
export async function refreshExternalAuths(ctx: UserCtx): Promise<readonly ExternalAuthFacts[]> {
  for (const { row, hasDownloadPermission } of await listExternalAuths(ctx)) {
    if (row.disconnectedAt !== null || !hasDownloadPermission) continue
    const question = { externalAuthId: row.id, userId: ctx.user.id }
    const refusal = await freshToken(ctx, question).then(() => null, refusalOf)
    if (refusal === 'external-auths/away') break
  }
  return await listExternalAuths(ctx)
}

function refusalOf(error: unknown): ProblemCode {
  if (error instanceof Problem) return error.code
  throw error
}
