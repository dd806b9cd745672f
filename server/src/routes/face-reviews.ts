import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import {
  finishFaceReview,
  getFaceReview,
  saveFaceReview,
} from '#server/operations/processing/faces/review.ts'
import { viewFaceReview } from '#server/views/face-review.ts'
import { viewTask } from '#server/views/media-job.ts'

/** What owners decide of the faces that their edits cover. */
export function createFaceReviewRoutes(deps: Deps) {
  return {
    getFaceReview: async ({ params, context }) => {
      const review = await getFaceReview(asUser(deps, context), { taskId: params.id })
      return { status: 200, body: { faceReview: viewFaceReview(review) } }
    },
    saveFaceReview: async ({ params, body, context }) => {
      const input = { taskId: params.id, ...body.faceReview }
      const review = await saveFaceReview(asUser(deps, context), input)
      return { status: 200, body: { faceReview: viewFaceReview(review) } }
    },
    finishFaceReview: async ({ params, body, context }) => {
      const input = { taskId: params.id, ...body.faceReview }
      const task = await finishFaceReview(asUser(deps, context), input)
      return { status: 200, body: { mediaJobTask: viewTask(task) } }
    },
  } satisfies Partial<Handlers>
}
