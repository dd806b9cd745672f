import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

type Schemas = components['schemas']
type Deps = { readonly api: ApiClient }

/** What the device needs to make a passkey for this account; works once, for 10 minutes. */
export async function beginAddingPasskey({
  api,
}: Deps): Promise<Result<Schemas['PasskeyCreationOptions'], ApiFailure>> {
  const answer = await send(api.POST('/v1/users/me/passkeys/options'))
  return answer.ok ? ok(answer.value.options) : answer
}

/** Hands the passkey that the device made to the server. Sends a mail. */
export async function addPasskey(
  { api }: Deps,
  body: Schemas['AddPasskeyBody'],
): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.POST('/v1/users/me/passkeys', { body }))
  return answer.ok ? ok(null) : answer
}

/** Removes a passkey; repeating is harmless, also when another device has removed it. */
export async function removePasskey({ api }: Deps, id: string): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.DELETE('/v1/users/me/passkeys/{id}', { params: { path: { id } } }))
  return answer.ok || statusOf(answer.error) === 404 ? ok(null) : answer
}
