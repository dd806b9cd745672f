import { createApiClient, type ApiDeps } from '#src/api/client.ts'
import { send } from '#src/api/send.ts'

/**
 * Asks the server for the operator's address for questions, where this device can keep nothing.
 * Null when none is set, undefined when the server did not say.
 */
export async function askSupportMail(
  ports: Pick<ApiDeps, 'fetch'>,
): Promise<string | null | undefined> {
  const api = createApiClient({
    ...ports,
    origin: '',
    xsrfToken: () => Promise.resolve(null),
    onSessionEnded: () => undefined,
  })
  const answer = await send(api.GET('/v1/capabilities'))
  return answer.ok ? answer.value.capabilities.supportMail : undefined
}
