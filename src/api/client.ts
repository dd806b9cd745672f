import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '#openapi/schema.gen.ts'
import { API_BASE, USER_HEADER, XSRF_HEADER } from '#src/config/paths.ts'
import { READ_TIMEOUT_MS, WRITE_TIMEOUT_MS } from '#src/config/limits.ts'

export type ApiClient = Client<paths>

export interface ApiDeps {
  /**
   * Origin before `/editors/api`: empty in the page; workers and tests give `self.location.origin`
   * or a server's address.
   */
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The value for `X-XSRF-TOKEN`, asked for at each write; null when there is none (the server then
   * refuses).
   */
  readonly xsrfToken: () => Promise<string | null>
  /**
   * Whom the calls are for; null while signed out. The server refuses them in another
   * user's session: cookies are shared by all tabs, and another person may have signed in.
   */
  readonly userId?: () => string | null
  /** Called at each 401, before the caller sees it. Must not throw. */
  readonly onSessionEnded: () => void
}

/**
 * The typed client of the editor API. Works in page and workers. Reads end after 15 s, writes after
 * 30 s (`AbortSignal.timeout`, joined with the caller's signal). Use through `send`, which turns
 * every end into a `Result`.
 */
export function createApiClient(deps: ApiDeps): ApiClient {
  const client = createFetchClient<paths>({
    baseUrl: `${deps.origin}${API_BASE}`,
    credentials: 'same-origin',
    fetch: deps.fetch,
  })
  client.use(forgeryProtection(deps), sessionOfUser(deps), timeLimits(), sessionWatch(deps))
  return client
}

function forgeryProtection(deps: ApiDeps): Middleware {
  return {
    onRequest: async ({ request }) => {
      if (isRead(request)) return undefined
      const token = await deps.xsrfToken()
      if (token !== null) request.headers.set(XSRF_HEADER, token)
      return request
    },
  }
}

function sessionOfUser(deps: ApiDeps): Middleware {
  return {
    onRequest: ({ request }) => {
      const userId = deps.userId?.() ?? null
      if (userId !== null) request.headers.set(USER_HEADER, userId)
      return request
    },
  }
}

function timeLimits(): Middleware {
  return {
    onRequest: ({ request }) => {
      const limit = AbortSignal.timeout(isRead(request) ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS)
      return new Request(request, { signal: AbortSignal.any([request.signal, limit]) })
    },
  }
}

function sessionWatch(deps: ApiDeps): Middleware {
  return {
    onResponse: ({ response }) => {
      if (response.status === 401) deps.onSessionEnded()
      return undefined
    },
  }
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}
