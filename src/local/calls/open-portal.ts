import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { ok, type Result } from '#src/lib/result.ts'

/**
 * The address of the payment provider's page where the person changes their card; good for minutes,
 * so that it is opened at once and kept nowhere. 409 `payments/no-portal`, 503
 * `payments/provider-away`.
 */
export async function openPortal({
  api,
}: Pick<CallDeps, 'api'>): Promise<Result<string, ApiFailure>> {
  const answer = await send(api.POST('/v1/payments/portal-sessions'))
  return answer.ok ? ok(answer.value.portalSession.url) : answer
}
