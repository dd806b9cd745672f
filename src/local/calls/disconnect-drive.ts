import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** Disconnects a drive. Needs the network; repeating is harmless. */
export async function disconnectDrive(
  { api }: Pick<CallDeps, 'api'>,
  externalAuthId: string,
): Promise<Result<null, ApiFailure>> {
  const path = { id: externalAuthId }
  const answer = await send(api.DELETE('/v1/external-auths/{id}', { params: { path } }))
  return answer.ok ? ok(null) : answer
}
