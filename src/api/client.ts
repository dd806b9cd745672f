import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '#openapi/schema.gen.ts'
import type { CallLimits, CallName, RefusedUntil } from './call-limits.ts'
import { httpFailure, refusedForMs, statusOf } from './errors.ts'
import { ForeignAnswer, jsonOf, readAnswer } from './foreign-answer.ts'
import { send } from './send.ts'
import { API_BASE, USER_HEADER, XSRF_HEADER } from '#src/config/paths.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import { notYetWords } from '#src/lib/time-words.ts'
import { SECOND_MS } from '#src/lib/time.ts'
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
   * Learns which calls came too often, and keeps them from being sent until it is time. Without it
   * each call is sent.
   */
  readonly limits?: Pick<CallLimits, 'note' | 'refusal'>
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
    // Before all others: what is refused here needs nothing of theirs.
    ...(deps.limits === undefined ? [] : [limitWatch(deps.limits)]),
    forgeryProtection(deps),
    sessionOfUser(deps),
    timeLimits(),
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

/** Asks whether the line reaches the server, which only a call can tell. */
const REACHABILITY: CallName = 'GET /v1/capabilities'

/**
 * The one door of the server's limits: notes which call came too often, and answers it in the
 * server's place until it is time. So no control has to know of limits to send nothing: a switch
 * and a list hear at once from when on a press helps. What a gateway refuses says nothing of the
 * next call.
 */
function limitWatch(limits: Pick<CallLimits, 'note' | 'refusal'>): Middleware {
  return {
    onRequest: ({ request, schemaPath }) => {
      const call = `${request.method} ${schemaPath}`
      const refusal = call === REACHABILITY ? null : limits.refusal(call)
      return refusal === null ? undefined : tooSoon(refusal)
    },
    onResponse: async ({ request, schemaPath, response }) => {
      if (response.status !== 429) return undefined
      const retryAfterMs = retryAfterToMs(response.headers.get('Retry-After'), Date.now())
      const failure = httpFailure(429, jsonOf(await response.clone().text()), retryAfterMs)
      const forMs = refusedForMs(failure)
      if (forMs !== null) limits.note(`${request.method} ${schemaPath}`, forMs)
      return undefined
    },
  }
}

/** The time of the day stands in the place of the server's 'in 1 hour', which was of its answer. */
function tooSoon(refusal: RefusedUntil): Response {
  const message = `This came too often. ${notYetWords(refusal)}`
  const leftS = Math.ceil((refusal.untilEpochMs - refusal.nowEpochMs) / SECOND_MS)
  return Response.json(
    { error: { code: 'request/too-many', message } },
    { status: 429, headers: { 'Retry-After': String(leftS) } },
  )
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
