import { v7 } from 'uuid'
import { eq } from 'drizzle-orm'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { storeObject } from '#tests/contract/cases/stored-object.ts'
import { storeJob, type StoredJob } from '#tests/integration/orders/stored-job.ts'

const newJob = ({ server, me }: World): Promise<StoredJob> =>
  storeJob(server.deps, me.userId, ['still-pack'])
const ask = (uploadRequestId: string, ...slugs: string[]) => ({
  mediaJob: {
    uploadRequestId,
    mediaJobTaskRequests: slugs.map((mediaJobTaskPresetSlug) => ({ mediaJobTaskPresetSlug })),
  },
})

/** A file among the results of a job. */
async function storeOutput(
  world: World,
  { taskIds: [taskId = ''] }: StoredJob,
): Promise<{ taskId: string; outputId: string }> {
  const outputId = v7()
  await world.server.deps.db.insert(taskOutputs).values({
    id: outputId,
    taskId,
    position: 0,
    kind: 'download-button',
    buttonText: 'Picture',
    fileName: 'a.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 5,
    objectKey: await storeObject(world),
  })
  return { taskId, outputId }
}

export const mediaJobCases: OperationCases = {
  createMediaJob: {
    valid: async (world) => {
      const job = await newJob(world)
      await world.server.deps.db.delete(mediaJobs).where(eq(mediaJobs.id, job.jobId))
      return { body: ask(job.uploadId, 'still-pack', 'teaser-15s'), status: 201 }
    },
    isOwned: true,
    invalid: [
      { body: ask('x', 'still-pack'), field: 'mediaJob.uploadRequestId' },
      { body: ask(v7()), field: 'mediaJob.mediaJobTaskRequests' },
    ],
  },
  listMediaJobsPage: {
    valid: async (world) => {
      await newJob(world)
      return { query: { limit: '1', sortBy: 'name', sortDirection: 'asc' }, status: 200 }
    },
  },
  getMediaJob: {
    valid: async (world) => ({ params: { id: (await newJob(world)).jobId }, status: 200 }),
  },
  getMediaJobForecast: {
    valid: async (world) => ({ params: { id: (await newJob(world)).jobId }, status: 200 }),
  },
  renameMediaJob: {
    valid: async (world) => ({
      params: { id: (await newJob(world)).jobId },
      body: { mediaJob: { name: 'Pool at night' } },
      status: 200,
    }),
    invalid: [
      { body: { mediaJob: { name: ' ' } }, field: 'mediaJob.name' },
      { body: { mediaJob: { name: 'x'.repeat(201) } }, field: 'mediaJob.name' },
    ],
  },
  downloadJobResults: {
    valid: async (world) => {
      const job = await newJob(world)
      await storeOutput(world, job)
      return { params: { id: job.jobId }, headers: { range: 'bytes=1-2' }, status: 206 }
    },
  },
  getMediaJobThumbnail: {
    valid: async (world) => {
      const job = await newJob(world)
      await world.server.deps.db
        .update(uploadRequests)
        .set({ thumbnailKey: await storeObject(world) })
        .where(eq(uploadRequests.id, job.uploadId))
      return { params: { id: job.jobId }, status: 200 }
    },
  },
  retryMediaJobTask: {
    valid: async (world) => {
      const {
        jobId,
        taskIds: [id = ''],
      } = await newJob(world)
      const { db, clock } = world.server.deps
      await db.update(mediaJobs).set({ workflowStartedAt: clock() }).where(eq(mediaJobs.id, jobId))
      await db
        .update(mediaJobTasks)
        .set({ status: 'failed', errorMessage: 'It did not work.', endedAt: clock() })
        .where(eq(mediaJobTasks.id, id))
      return { params: { id }, status: 200 }
    },
  },
  downloadOutput: {
    valid: async (world) => {
      const { taskId, outputId } = await storeOutput(world, await newJob(world))
      return { params: { taskId, outputId }, headers: { range: 'bytes=1-2' }, status: 206 }
    },
  },
}
