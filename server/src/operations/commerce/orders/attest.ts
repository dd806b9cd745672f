import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { JobRow } from '#server/db/rows.ts'
import { attestations } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { ATTESTATION } from '#spec/attestation.ts'

/**
 * Stores that the person attests for the video of a job, once for each video. Refuses with
 * `orders/attestation-missing` when it is not and the version is not that of today's text.
 */
export async function attestOnce(
  ctx: Pick<TxCtx, 'db' | 'clock'>,
  { job, version }: { readonly job: JobRow; readonly version: string | null },
): Promise<void> {
  const { uploadRequestId, userId } = job
  const [earlier] = await ctx.db
    .select({ uploadRequestId: attestations.uploadRequestId })
    .from(attestations)
    .where(eq(attestations.uploadRequestId, uploadRequestId))
  if (earlier !== undefined) return
  if (version !== ATTESTATION.version)
    throw new Problem(
      'orders/attestation-missing',
      'Please confirm that everyone shown in this video agreed, then order again.',
      { fields: { 'order.attestation': 'Please confirm this first.' } },
    )
  await ctx.db
    .insert(attestations)
    .values({
      uploadRequestId,
      userId,
      mediaJobId: job.id,
      version,
      textSha256: createHash('sha256').update(ATTESTATION.text).digest('hex'),
      attestedAt: ctx.clock(),
    })
    .onConflictDoNothing()
}
