import { read, withSignal, type Pull } from './pull.ts'
import { send } from '#src/api/send.ts'
import { ok } from '#src/lib/result.ts'

/**
 * What the server's pre-checks said of an upload of this device, kept in its row for later and for
 * offline. Writes that one field only, so it may run beside the upload; an upload that has gone
 * meanwhile is left gone.
 */
export const pullUploadFindings: Pull<[uploadRequestId: string]> = async (
  deps,
  uploadRequestId,
  signal,
) => {
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/upload-requests/{id}', {
          params: { path: { id: uploadRequestId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) return answer
  const { findings } = answer.value.uploadRequest
  if (findings !== null)
    await deps.db.uploads
      .where('uploadRequestId')
      .equals(uploadRequestId)
      .modify({ arrivalFindings: findings })
  return ok(null)
}
