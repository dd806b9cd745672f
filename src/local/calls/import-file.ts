import type { components } from '#openapi/schema.gen.ts'
import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** Where a file is that the server is to fetch. */
export type RemoteFile = components['schemas']['RenewImportBody']['upload']

/**
 * A file that a person chose. `key` is made once for it, so that a repeat is the same import;
 * `renews` is the upload that goes on with it, or null for a new one.
 */
export interface ChosenRemoteFile {
  readonly file: RemoteFile
  readonly key: string
  readonly renews: string | null
}

/**
 * Has the server fetch a video; resolves with the id of its upload. Needs the network; repeating is
 * harmless. 422 `uploads/link-refused`, `uploads/host-not-allowed`, `uploads/link-expired`; 503
 * `uploads/link-away`; 409 `uploads/not-open` where nothing is to be renewed. The file's place is
 * kept nowhere on this device.
 */
export async function importFile(
  { api }: Pick<CallDeps, 'api'>,
  { file: upload, key, renews }: ChosenRemoteFile,
): Promise<Result<{ readonly uploadRequestId: string }, ApiFailure>> {
  const answer = await send(
    renews === null
      ? api.POST('/v2/upload-requests', {
          body: { uploadRequest: { idempotencyKey: key, upload } },
        })
      : api.POST('/v1/upload-requests/{id}/import', {
          params: { path: { id: renews } },
          body: { upload },
        }),
  )
  return answer.ok ? ok({ uploadRequestId: answer.value.uploadRequest._id }) : answer
}
