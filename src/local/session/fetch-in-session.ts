import type { Session } from './session.ts'
import { USER_HEADER } from '#src/config/paths.ts'

/**
 * `fetch` that follows the session. The cookie is read before a call too: a call in a user's name
 * without the user's cookie is not sent, and ends with the 401 that the server would give. The
 * server reissues the readable cookie when permissions changed, so it is read after each answer.
 */
export function fetchInSession(
  session: Pick<Session, 'current' | 'refresh'>,
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    session.refresh()
    if (request.headers.has(USER_HEADER) && session.current().kind !== 'signed-in')
      return signedOut()
    const response = await fetch(request)
    session.refresh()
    return response
  }
}

function signedOut(): Response {
  return Response.json(
    { error: { code: 'auth/signed-out', message: 'Please log in.' } },
    { status: 401 },
  )
}
