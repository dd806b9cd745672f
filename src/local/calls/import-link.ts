import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** A link as a person pasted it. `key` is made once for it, so that a repeat is the same import. */
export interface PastedLink {
  readonly link: string
  readonly key: string
}

/**
 * Has the server fetch a video from a link; resolves with the id of its upload. Needs the network;
 * repeating is harmless. 422 `uploads/link-refused`, `uploads/host-not-allowed`,
 * `uploads/link-expired`; 503 `uploads/link-away`. The link is kept nowhere on this device.
 */
export async function importLink(
  { api }: Pick<CallDeps, 'api'>,
  { link, key }: PastedLink,
): Promise<Result<{ readonly uploadRequestId: string }, ApiFailure>> {
  const upload = { provider: 'link', link } as const
  const answer = await send(
    api.POST('/v2/upload-requests', { body: { uploadRequest: { idempotencyKey: key, upload } } }),
  )
  return answer.ok ? ok({ uploadRequestId: answer.value.uploadRequest._id }) : answer
}
