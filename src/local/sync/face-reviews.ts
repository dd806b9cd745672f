import { definePull } from './pull.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'

/** The faces of one edit and what was decided of them. A review that is gone is forgotten. */
export const pullFaceReview = definePull({
  ask: (api, init, taskId: string) =>
    api.GET('/v1/media-job-tasks/{id}/faces', { params: { path: { id: taskId } }, ...init }),
  keep: async ({ db }, { faceReview: value }, pulledAtEpochMs) => {
    await db.transaction('rw', db.faceReviews, () =>
      putUnlessNewer(db.faceReviews, [{ _id: value.taskId, value, pulledAtEpochMs }]),
    )
    return null
  },
  forget: ({ db }, taskId) => db.faceReviews.delete(taskId),
  hold: ({ db }, taskId) => db.faceReviews.delete(taskId),
})
