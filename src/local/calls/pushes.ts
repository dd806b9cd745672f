import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

type Deps = { readonly api: ApiClient }

/** Has pushes sent to this device while this session lasts. Repeating is harmless. */
export async function savePushSubscription(
  { api }: Deps,
  body: components['schemas']['PushSubscriptionBody'],
): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.PUT('/v1/users/me/push-subscription', { body }))
  return answer.ok ? ok(null) : answer
}

/** Has no more pushes sent to this device. Repeating is harmless. */
export async function endPushSubscription({ api }: Deps): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.DELETE('/v1/users/me/push-subscription'))
  return answer.ok ? ok(null) : answer
}

/** The user has seen what they were told of. Repeating is harmless. */
export async function markNoticesSeen({ api }: Deps): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.POST('/v1/users/me/notices/seen'))
  return answer.ok ? ok(null) : answer
}
