import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { forecastJob } from '#server/operations/processing/forecast/forecast.ts'
import { chooseEdits } from '#server/operations/workflows/choices.ts'
import { getMediaJob } from '#server/operations/media/media-jobs/find.ts'
import { listMediaJobsPage } from '#server/operations/media/media-jobs/list.ts'
import { renameMediaJob } from '#server/operations/media/media-jobs/rename.ts'
import { retryTask } from '#server/operations/processing/tasks/retry.ts'
import { viewMediaJob, viewTask } from '#server/views/media-job.ts'

/** Jobs and their tasks. */
export function createMediaJobRoutes(deps: Deps) {
  return {
    createMediaJob: async ({ body, context }) => {
      const { isNew, ...job } = await chooseEdits(asUser(deps, context), body.mediaJob)
      return { status: isNew ? 201 : 200, body: { mediaJob: viewMediaJob(job) } }
    },
    listMediaJobsPage: async ({ query, context }) => {
      const { rows, nextCursor } = await listMediaJobsPage(asUser(deps, context), {
        ...query,
        limit: query.limit ?? 10,
        sortBy: query.sortBy ?? 'createdAt',
        sortDirection: query.sortDirection ?? 'desc',
      })
      return {
        status: 200,
        body: { mediaJobs: rows.map(viewMediaJob), pagination: { nextCursor } },
      }
    },
    getMediaJob: async ({ params, context }) => ({
      status: 200,
      body: { mediaJob: viewMediaJob(await getMediaJob(asUser(deps, context), params)) },
    }),
    getMediaJobForecast: async ({ params, context }) => ({
      status: 200,
      body: { forecast: await forecastJob(asUser(deps, context), params) },
    }),
    renameMediaJob: async ({ params, body, context }) => ({
      status: 200,
      body: {
        mediaJob: viewMediaJob(
          await renameMediaJob(asUser(deps, context), { ...params, name: body.mediaJob.name }),
        ),
      },
    }),
    retryMediaJobTask: async ({ params, context }) => ({
      status: 200,
      body: {
        mediaJobTask: viewTask(await retryTask(asUser(deps, context), { taskId: params.id })),
      },
    }),
  } satisfies Partial<Handlers>
}
