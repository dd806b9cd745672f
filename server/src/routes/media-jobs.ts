import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import { createMediaJob } from '#server/operations/media-jobs/create.ts'
import { findMediaJob, listMediaJobsPage } from '#server/operations/media-jobs/list.ts'
import { retryTask } from '#server/operations/tasks/retry.ts'
import { viewMediaJobs, viewTasks } from './media-job-view.ts'

/** Jobs and their tasks. */
export function createMediaJobRoutes(deps: Deps) {
  return {
    createMediaJob: async ({ body, context }) => {
      const { job, isNew } = await createMediaJob(deps, requireUser(context), body.mediaJob)
      const [mediaJob] = await viewMediaJobs(deps, [job])
      return { status: isNew ? 201 : 200, body: { mediaJob: mediaJob! } } // one row in, one view out
    },
    listMediaJobsPage: async ({ query, context }) => {
      const { rows, nextCursor } = await listMediaJobsPage(deps, requireUser(context).id, {
        ...query,
        limit: query.limit ?? 10,
        sortBy: query.sortBy ?? 'createdAt',
        sortDirection: query.sortDirection ?? 'desc',
      })
      return {
        status: 200,
        body: { mediaJobs: await viewMediaJobs(deps, rows), pagination: { nextCursor } },
      }
    },
    getMediaJob: async ({ params, context }) => {
      const [mediaJob] = await viewMediaJobs(deps, [
        await findMediaJob(deps, requireUser(context).id, params.id),
      ])
      return { status: 200, body: { mediaJob: mediaJob! } } // one row in, one view out
    },
    retryMediaJobTask: async ({ params, context }) => {
      const [mediaJobTask] = await viewTasks(deps, [
        await retryTask(deps, requireUser(context), params.id),
      ])
      return { status: 200, body: { mediaJobTask: mediaJobTask! } } // one row in, one view out
    },
  } satisfies Partial<Handlers>
}
