import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

type Deps = { readonly api: ApiClient }

/** Which devices to sign out: one, by the id of its session, or all but this one. */
export type SignOutOf = { readonly sessionId: string } | 'others'

/**
 * Signs other devices of the account out. Needs the network; repeating is harmless, also when the
 * device has gone by itself.
 */
export async function signOutDevices(
  { api }: Deps,
  which: SignOutOf,
): Promise<Result<null, ApiFailure>> {
  const answer =
    which === 'others'
      ? await send(api.DELETE('/v1/users/me/sessions'))
      : await send(
          api.DELETE('/v1/users/me/sessions/{id}', { params: { path: { id: which.sessionId } } }),
        )
  return answer.ok || statusOf(answer.error) === 404 ? ok(null) : answer
}

/**
 * Asks the server to delete the account. Needs the network. After success every session is over:
 * wipe the device next (`PageLocal.signOut`).
 * @param email the address as the person typed it; another one is refused on the field `email`
 */
export async function deleteAccount(
  { api }: Deps,
  email: string,
): Promise<Result<components['schemas']['AccountDeletion'], ApiFailure>> {
  const answer = await send(api.POST('/v1/users/me/deletion', { body: { email } }))
  return answer.ok ? ok(answer.value.deletion) : answer
}
