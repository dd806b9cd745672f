import { eq } from 'drizzle-orm'
import { faceFindings, mediaJobTasks } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { fakeFinding } from '#tests/fakes/face-search.ts'
import { storeJob } from './stored-job.ts'

/** A task that waits for the review of its faces. */
export interface StoredReview {
  readonly id: string
  readonly jobId: string
  readonly uploadId: string
}

/** Stores such a task with `fakeFinding`; nothing was searched, and there are no files. */
export async function storeReview(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string,
): Promise<StoredReview> {
  const {
    jobId,
    uploadId,
    taskIds: [id = ''],
  } = await storeJob(deps, userId, ['face-blurred-full-scene'])
  const at = deps.clock()
  await deps.db
    .update(mediaJobTasks)
    .set({ reviewState: 'waiting', reviewAskedAt: at, progressRatio: 0.5 })
    .where(eq(mediaJobTasks.id, id))
  await deps.db
    .insert(faceFindings)
    .values({ uploadRequestId: uploadId, finding: fakeFinding, sizeBytes: 10, foundAt: at })
  return { id, jobId, uploadId }
}
