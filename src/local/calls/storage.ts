import type { ApiClient } from '#src/api/client.ts'
import { statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** Which files of an upload: its video, or the video with all edits of it. */
export interface StoredFiles {
  readonly uploadRequestId: string
  readonly what: 'source' | 'everything'
}

/**
 * Deletes files of the account from the server. Needs the network; repeating is harmless, also when
 * they are gone already.
 */
export async function deleteStored(
  { api }: { readonly api: ApiClient },
  { uploadRequestId, what }: StoredFiles,
): Promise<Result<null, ApiFailure>> {
  const init = { params: { path: { id: uploadRequestId } } }
  const answer =
    what === 'source'
      ? await send(api.DELETE('/v1/storage/{id}/source', init))
      : await send(api.DELETE('/v1/storage/{id}', init))
  return answer.ok || statusOf(answer.error) === 404 ? ok(null) : answer
}
