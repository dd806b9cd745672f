import { definePull } from './pull.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'

/** The sounds of one video between which its owner chooses. Those of a gone video go too. */
export const pullUploadSounds = definePull({
  ask: (api, init, uploadRequestId: string) =>
    api.GET('/v1/upload-requests/{id}/sounds', {
      params: { path: { id: uploadRequestId } },
      ...init,
    }),
  keep: async ({ db }, { uploadSounds: value }, pulledAtEpochMs) => {
    await db.transaction('rw', db.uploadSounds, () =>
      putUnlessNewer(db.uploadSounds, [{ _id: value._id, value, pulledAtEpochMs }]),
    )
    return null
  },
  forget: ({ db }, uploadRequestId) => db.uploadSounds.delete(uploadRequestId),
  hold: ({ db }, uploadRequestId) => db.uploadSounds.delete(uploadRequestId),
})
