import { definePull } from './pull.ts'

/**
 * What the server's pre-checks found in an upload of this device, kept in its row for later and for
 * offline. Writes that one field only, so it may run while the upload does; an upload that has gone
 * meanwhile is left gone.
 */
export const pullUploadFindings = definePull({
  ask: (api, init, uploadRequestId: string) =>
    api.GET('/v1/upload-requests/{id}', { params: { path: { id: uploadRequestId } }, ...init }),
  keep: async ({ db }, { uploadRequest: { findings } }, _pulledAtEpochMs, uploadRequestId) => {
    if (findings !== null)
      await db.uploads
        .where('uploadRequestId')
        .equals(uploadRequestId)
        .modify({ arrivalFindings: findings })
    return null
  },
})
