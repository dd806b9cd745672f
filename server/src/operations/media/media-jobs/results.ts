import { createHash } from 'node:crypto'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { plainFileName } from '#recipes/naming.ts'
import { plainName } from '#recipes/plain-names.ts'
import { singleFiles } from '#recipes/single-files.ts'
import { ARCHIVES_PER_HOUR } from '#server/budgets.ts'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { storedArchive, type StoredArchive } from '#server/media/stored-archive.ts'
import type { InclusiveRange } from '#server/object-store/port.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { isDiscreet } from '#server/operations/accounts/users/discreet.ts'
import { notFound } from '#server/problems.ts'
import { getMediaJob } from './find.ts'

/** All files of a job's finished edits as one archive, made while it is read. */
export interface JobResults extends StoredArchive {
  readonly fileName: string
  /** Changes with the files, and with nothing else. */
  readonly version: string
}

/**
 * The files of the finished edits of one of the user's jobs, each once, in the order of the edits.
 * Each download counts, also the rest of one that broke off: an edit that is older than checksums
 * of results is read again for it.
 * Refuses: `media-jobs/not-found`, `outputs/not-found` when there is none, `request/too-many`.
 */
export async function openJobResults(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<JobResults> {
  const { job } = await getMediaJob(ctx, { id })
  const isPlain = await isDiscreet(ctx, { userId: ctx.user.id })
  const rows = await ctx.db
    .select({ output: taskOutputs, endedAt: mediaJobTasks.endedAt })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(eq(mediaJobs.id, id), isNotNull(taskOutputs.objectKey)))
    .orderBy(asc(mediaJobTasks.position), asc(taskOutputs.position))
  const outputs = singleFiles(rows.map(({ output }) => output))
  const files = outputs.flatMap(({ fileName, objectKey, sizeBytes, crc32 }) =>
    objectKey === null
      ? []
      : [
          {
            name: fileName ?? 'file',
            sizeBytes: sizeBytes ?? 0,
            crc32,
            read: (range?: InclusiveRange) => ctx.store.read(objectKey, range),
          },
        ],
  )
  if (files.length === 0) throw notFound('outputs/not-found')
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `results:${ctx.user.id}`,
      limit: ARCHIVES_PER_HOUR,
      what: 'archives were requested',
    })
  })
  const madeAt = new Date(Math.max(...rows.map(({ endedAt }) => endedAt?.getTime() ?? 0)))
  const ids = outputs.map((output) => output.id).join(' ')
  return {
    ...storedArchive(files, madeAt),
    fileName: plainFileName(isPlain ? plainName(job.id) : job.name, '.zip'),
    version: createHash('sha256').update(ids).digest('hex').slice(0, 32),
  }
}
