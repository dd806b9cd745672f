import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { singleFiles } from '#recipes/single-files.ts'
import { LINKED_RESULTS_PER_HOUR } from '#server/budgets.ts'
import { inTransaction, type Ctx, type UserCtx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import type { Key } from '#server/db/secrets.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'
import { findOutputById, type FoundOutput } from './find-output.ts'

/** Where the addresses of results are that need no session. */
export const RESULT_LINK_PREFIX = '/editors/results'
/** A person chooses a folder meanwhile, and Dropbox may take its time before it fetches. */
const RESULT_LINK_LIFE_S = 60 * 60

/** A finished file and where anyone may fetch it from for an hour. */
export interface LinkedResult {
  readonly fileName: string
  readonly url: string
}

/**
 * Addresses of the files of finished edits of one job, for a service that fetches them by itself:
 * each gives one file, for an hour. Who has one needs nothing else, so that it is never logged or
 * kept. Refuses with `outputs/not-found` where there is no file, and `uploads/held`.
 */
export async function linkResults(
  ctx: UserCtx,
  { mediaJobId, taskIds }: { readonly mediaJobId: string; readonly taskIds: readonly string[] },
): Promise<readonly LinkedResult[]> {
  const outputs = await ctx.db
    .select({
      id: taskOutputs.id,
      contentType: taskOutputs.contentType,
      fileName: taskOutputs.fileName,
      heldAt: uploadRequests.heldAt,
    })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(
      and(
        eq(mediaJobs.id, mediaJobId),
        eq(mediaJobs.userId, ctx.user.id),
        eq(mediaJobTasks.status, 'succeeded'),
        isNotNull(taskOutputs.objectKey),
        inArray(mediaJobTasks.id, [...taskIds]),
      ),
    )
    .orderBy(asc(mediaJobTasks.position), asc(taskOutputs.position))
  const files = singleFiles(outputs)
  if (files.length === 0) throw notFound('outputs/not-found')
  const expiresAtEpochS = Math.floor(ctx.clock().getTime() / 1000) + RESULT_LINK_LIFE_S
  return files.map(({ id, fileName, heldAt }) => {
    refuseHeld({ heldAt })
    const query = new URLSearchParams({
      e: String(expiresAtEpochS),
      s: signature(ctx.secrets.resultLink.signing, { outputId: id, expiresAtEpochS }),
    })
    const path = `${RESULT_LINK_PREFIX}/${id}?${query}`
    return { fileName: fileName ?? 'download', url: ctx.settings.publicOrigin + path }
  })
}

/** What an address of a result says. */
interface AskedResult {
  readonly outputId: string
  readonly expiresAt: string | undefined
  readonly signature: string | undefined
}

/**
 * The file of such an address. Refuses with `outputs/not-found` what was not signed here, is over,
 * or has no file any more, with `uploads/held`, and with `request/too-many`.
 */
export async function findLinkedResult(ctx: Ctx, asked: AskedResult): Promise<FoundOutput> {
  const { outputId } = asked
  if (!isGranted(ctx.secrets.resultLink, asked, ctx.clock())) throw notFound('outputs/not-found')
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `result-link:${outputId}`,
      limit: LINKED_RESULTS_PER_HOUR,
      what: 'requests for this file came',
    })
  })
  return await findOutputById(ctx, { outputId })
}

function isGranted(
  key: Pick<Key, 'accepted'>,
  { outputId, expiresAt = '', signature: given = '' }: AskedResult,
  now: Date,
): boolean {
  if (!/^\d{1,15}$/.test(expiresAt)) return false
  const expiresAtEpochS = Number(expiresAt)
  const isOurs = key.accepted.some((each) => {
    const [one, other] = [
      Buffer.from(given),
      Buffer.from(signature(each, { outputId, expiresAtEpochS })),
    ]
    return one.length === other.length && timingSafeEqual(one, other)
  })
  return isOurs && now.getTime() <= expiresAtEpochS * 1000
}

function signature(
  key: Uint8Array,
  { outputId, expiresAtEpochS }: { readonly outputId: string; readonly expiresAtEpochS: number },
): string {
  return createHmac('sha256', key).update(`${outputId}.${expiresAtEpochS}`).digest('base64url')
}
