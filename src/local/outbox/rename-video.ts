import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import { statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { jobTables, putJobs } from '#src/local/db/media-jobs.ts'
import type { RenameVideoIntent } from '#src/local/db/rows.ts'

/**
 * Gives a video its new name at the server; repeated until it knows. All jobs of the video on this
 * device get the name with the answer. A video that is gone ends the intention.
 */
export async function stepRenameVideo(
  deps: StepDeps,
  row: RowOf<RenameVideoIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { db } = deps
  const { mediaJobId, uploadRequestId } = row.intent
  const answer = await send(
    deps.api.PATCH('/v1/media-jobs/{id}', {
      params: { path: { id: mediaJobId } },
      body: { mediaJob: { name: row.intent.name } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok && statusOf(answer.error) !== 404) return { kind: 'failed', failure: answer.error }
  await db.transaction('rw', [db.outbox, ...jobTables(db)], async () => {
    if (answer.ok) {
      const { name } = answer.value.mediaJob
      const jobs = await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
      await putJobs(
        db,
        jobs.map((job) => ({ ...job, name, value: { ...job.value, name } })),
      )
    }
    await db.outbox.delete(row.id)
  })
  return { kind: 'done' }
}
