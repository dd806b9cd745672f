import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '#openapi/schema.gen.ts'
import { httpFailure, refusedForMs, statusOf } from './errors.ts'
import { ForeignAnswer, jsonOf, readAnswer } from './foreign-answer.ts'
import { send } from './send.ts'
import { API_BASE, USER_HEADER, XSRF_HEADER } from '#src/config/paths.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import { READ_TIMEOUT_MS, WRITE_TIMEOUT_MS } from '#spec/numbers.ts'

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
  /**
   * Called when the server said 401, and said it again when it was asked again, before the caller
   * sees it. Must not throw.
   */
  readonly onSessionEnded: () => void
  /**
   * Called with the contract's name of a call that came too often (`POST /v1/reports`), before the
   * caller sees it. Must not throw.
   */
  readonly onTooMany?: (call: string, refusedForMs: number) => void
}

/**
 * The typed client of the editor API. Works in page and workers. Reads end after 15 s, writes after
 * 30 s (`AbortSignal.timeout`, joined with the caller's signal). No answer comes from the HTTP
 * cache, where a captive portal's page would outlive the portal. Use through `send`, which turns
 * every end into a `Result`.
 */
export function createApiClient(deps: ApiDeps): ApiClient {
  const client = createPlainClient(deps)
  client.use(sessionWatch(deps, isSessionOver(createPlainClient(deps))))
  return client
}

/** The client without the session watch, which asks through it. */
function createPlainClient(deps: ApiDeps): ApiClient {
  const client = createFetchClient<paths>({
    baseUrl: `${deps.origin}${API_BASE}`,
    credentials: 'same-origin',
    cache: 'no-store',
    // The API redirects none of these calls, so a redirect is not the server's.
    redirect: 'manual',
    fetch: deps.fetch,
  })
  client.use(
    forgeryProtection(deps),
    sessionOfUser(deps),
    timeLimits(),
    limitWatch(deps),
    // The last one sees an answer first.
    foreignAnswers(),
  )
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

function foreignAnswers(): Middleware {
  return {
    onResponse: ({ request, schemaPath, response }) =>
      readAnswer(`${request.method} ${schemaPath}`, response),
  }
}

/** Tells of the server's own limits. What a gateway refuses says nothing of the next call. */
function limitWatch({ onTooMany }: ApiDeps): Middleware {
  return {
    onResponse: async ({ request, schemaPath, response }) => {
      if (response.status !== 429 || onTooMany === undefined) return undefined
      const retryAfterMs = retryAfterToMs(response.headers.get('Retry-After'), Date.now())
      const failure = httpFailure(429, jsonOf(await response.clone().text()), retryAfterMs)
      const forMs = refusedForMs(failure)
      if (forMs !== null) onTooMany(`${request.method} ${schemaPath}`, forMs)
      return undefined
    },
  }
}

/**
 * Of two 401 answers the second one counts: a gateway gives a stray one, which then is no answer of
 * the server.
 */
function sessionWatch(deps: ApiDeps, isOver: () => Promise<boolean>): Middleware {
  return {
    onResponse: async ({ response }) => {
      if (response.status !== 401) return undefined
      if (!(await isOver()))
        throw new ForeignAnswer({ code: 'api/foreign', status: 401, looksLikePortal: false })
      deps.onSessionEnded()
      return undefined
    },
  }
}

/** Asks the server whether it refuses the session; callers that ask meanwhile share the answer. */
function isSessionOver(client: ApiClient): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null
  return () => {
    asking ??= send(client.GET('/v1/users/me'))
      .then((answer) => !answer.ok && statusOf(answer.error) === 401)
      .finally(() => {
        asking = null
      })
    return asking
  }
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}
