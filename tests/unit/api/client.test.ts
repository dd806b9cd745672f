import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApiClient, type ApiClient } from '#src/api/client.ts'
import { send, sendRetrying } from '#src/api/send.ts'
import { READ_TIMEOUT_MS, WRITE_TIMEOUT_MS } from '#spec/numbers.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const open: Server[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A real HTTP server that answers in turn; the last answer repeats. */
async function serve(...answers: readonly Answer[]) {
  const seen: { readonly line: string; readonly xsrf: unknown; readonly userId: unknown }[] = []
  const requests: Request[] = []
  const server = createServer((request, response) => {
    seen.push({
      line: `${request.method} ${request.url}`,
      xsrf: request.headers['x-xsrf-token'],
      userId: request.headers['x-user-id'],
    })
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response)
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ended = vi.fn()
  const api = createApiClient({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch: (request) => {
      requests.push(request)
      return fetch(request)
    },
    xsrfToken: () => Promise.resolve('token-1'),
    userId: () => 'user-1',
    onSessionEnded: ended,
  })
  return { api, seen, ended, requests }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body))
  }
const page =
  (status: number, html: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(html)
const nothing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end()
/** What the server itself gives where there is nothing to say, as at a log-out. */
const EMPTY = nothing(200)
const reset: Answer = (request) => void request.socket.resetAndDestroy()
const never: Answer = () => undefined
const wallets = json(200, { wallets: [] })
const refusal = (code: string) => ({ error: { message: 'No.', code } })
const signedOut = json(401, refusal('auth/signed-out'))
const me = json(200, { user: {}, userProfile: {}, flags: {} })

function retryDeps() {
  const waits: number[] = []
  return {
    waits,
    random: () => 0.999,
    clock: { now: () => 0, sleep: (delayMs: number) => Promise.resolve(void waits.push(delayMs)) },
  }
}

it('APP-17 calls go to /editors/api and name their user; writes carry the anti-forgery header, reads do not', async () => {
  const { api, seen } = await serve(wallets, nothing(204))
  await send(api.GET('/v1/wallets'))
  await send(api.DELETE('/v1/auth/logout'))
  expect(seen).toEqual([
    { line: 'GET /editors/api/v1/wallets', xsrf: undefined, userId: 'user-1' },
    { line: 'DELETE /editors/api/v1/auth/logout', xsrf: 'token-1', userId: 'user-1' },
  ])
})

it('APP-17 the generic helper tries 3 more times after resets, 429 and 5xx, and honours Retry-After', async () => {
  const busy = json(429, refusal('request/too-many'), { 'Retry-After': '7' })
  const { api, seen } = await serve(reset, busy, json(503, {}), wallets)
  const deps = retryDeps()
  expect(await sendRetrying(deps, () => send(api.GET('/v1/wallets')))).toEqual({
    ok: true,
    value: { wallets: [] },
  })
  expect(seen).toHaveLength(4)
  expect(deps.waits[1]).toBe(7000)
  expect(deps.waits[2]).toBeGreaterThan(deps.waits[0] ?? Infinity)
})

it('APP-17 where the server asks to wait long, the screen learns of it at once', async () => {
  const limit = json(429, refusal('request/too-many'), { 'Retry-After': '36000' })
  const { api, seen } = await serve(limit, wallets)
  expect(await sendRetrying(retryDeps(), () => send(api.GET('/v1/wallets')))).toMatchObject({
    error: { serverCode: 'request/too-many', retryAfterMs: 36_000_000 },
  })
  expect(seen).toHaveLength(1)
})

it('APP-17 it gives up after 3 retries and never repeats a refusal', async () => {
  const failing = await serve(json(500, refusal('system/unexpected')))
  expect(await sendRetrying(retryDeps(), () => send(failing.api.GET('/v1/wallets')))).toMatchObject(
    { ok: false, error: { status: 500 } },
  )
  expect(failing.seen).toHaveLength(4)
  const refusing = await serve(json(404, { error: { message: 'no', code: 'wallets/not-found' } }))
  expect(
    await sendRetrying(retryDeps(), () => send(refusing.api.GET('/v1/wallets'))),
  ).toMatchObject({ error: { serverCode: 'wallets/not-found' } })
  expect(refusing.seen).toHaveLength(1)
})

it('reads end after 15 s and writes after 30 s without an answer', async () => {
  const limits: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((delayMs) => {
    limits.push(delayMs)
    return AbortSignal.abort(new DOMException('too late', 'TimeoutError'))
  })
  const { api } = await serve(never)
  expect(await send(api.GET('/v1/wallets'))).toEqual({ ok: false, error: { code: 'api/timeout' } })
  expect(await send(api.DELETE('/v1/auth/logout'))).toEqual({
    ok: false,
    error: { code: 'api/timeout' },
  })
  expect(limits).toEqual([READ_TIMEOUT_MS, WRITE_TIMEOUT_MS])
  expect([READ_TIMEOUT_MS, WRITE_TIMEOUT_MS]).toEqual([15_000, 30_000])
})

it('a stop by the caller is an abort, not a failure of the network', async () => {
  const { api } = await serve(never)
  const caller = new AbortController()
  const call = send(api.GET('/v1/wallets', { signal: caller.signal }))
  caller.abort()
  expect(await call).toEqual({ ok: false, error: { code: 'api/aborted' } })
})

it('SAF-07 no call uses the HTTP cache, so that what a portal answered ends with the portal', async () => {
  const { api, requests } = await serve(
    page(200, '<html>hotel', { 'Cache-Control': 'max-age=600' }),
    wallets,
    nothing(204),
    signedOut,
    me,
  )
  await send(api.GET('/v1/wallets'))
  expect(await send(api.GET('/v1/wallets'))).toMatchObject({ ok: true })
  await send(api.DELETE('/v1/auth/logout'))
  await send(api.GET('/v1/wallets'))
  expect(requests.map(({ cache }) => cache)).toEqual(Array(5).fill('no-store'))
})

it('SAF-07 a session ends only when the server refuses it twice in its own words', async () => {
  const { api, seen, ended } = await serve(signedOut)
  expect(await send(api.GET('/v1/wallets'))).toMatchObject({ ok: false, error: { status: 401 } })
  expect(ended).toHaveBeenCalledOnce()
  expect(seen.map(({ line }) => line)).toEqual([
    'GET /editors/api/v1/wallets',
    'GET /editors/api/v1/users/me',
  ])
})

it.each([
  ['a refusal that the server takes back', [signedOut, me]],
  ['a refusal that is not confirmed', [signedOut, reset]],
  ['the 401 of a gateway', [page(401, '<h1>Unauthorized')]],
  ['the 401 of a gateway in JSON', [json(401, { message: 'no token' })]],
])('SAF-07 %s ends no session and passes with time', async (_what, answers) => {
  const { api, ended } = await serve(...answers)
  expect(await send(api.GET('/v1/wallets'))).toEqual({
    ok: false,
    error: { code: 'api/foreign', status: 401, looksLikePortal: false },
  })
  expect(ended).not.toHaveBeenCalled()
})

it('SAF-07 calls that are refused at the same time ask the server once', async () => {
  const { api, seen, ended } = await serve((request, response) =>
    (request.url?.endsWith('/me') === true ? me : signedOut)(request, response),
  )
  await Promise.all(Array.from({ length: 5 }, () => send(api.GET('/v1/wallets'))))
  expect(seen.filter(({ line }) => line.endsWith('/me'))).toHaveLength(1)
  expect(ended).not.toHaveBeenCalled()
})

it.each([200, 503])(
  'SAF-07 an answer of %s without an end is not held, and is none of the server',
  async (status) => {
    const { api } = await serve((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      const words = Buffer.alloc(1_048_576, ' ')
      const more = (): void => {
        while (!response.destroyed && response.write(words));
      }
      response.on('drain', more)
      more()
    })
    expect(await send(api.GET('/v1/wallets'))).toEqual({
      ok: false,
      error: { code: 'api/foreign', status, looksLikePortal: false },
    })
  },
)

describe('SAF-01 only the coded JSON of the server counts as its answer', () => {
  // Without 407, which fetch itself takes for a failure of the network.
  const statuses = Array.from({ length: 112 }, (_, at) => 400 + at).filter((at) => at !== 407)
  // The client or a browser may treat these otherwise; each other one gets one foreign answer.
  const special = new Set([
    400, 401, 403, 404, 408, 409, 410, 413, 422, 425, 429, 500, 502, 503, 504, 511,
  ])
  const reads = (api: ApiClient) => send(api.GET('/v1/wallets'))
  const writes = (api: ApiClient) =>
    send(
      api.PATCH('/v1/upload-requests/{id}', {
        params: { path: { id: 'u' } },
        body: { uploadRequest: { upload: { parts: [] } } },
      }),
    )

  it.each([
    ['reads', reads],
    ['writes', writes],
  ])('for every error status, of %s', async (_kind, call) => {
    for (const status of statuses) {
      const own = await serve(json(status, refusal('uploads/not-found')))
      expect(await call(own.api), `own ${status}`).toMatchObject({
        error: { code: 'api/http', status, serverCode: 'uploads/not-found' },
      })
      const foreign = [
        json(status, { message: 'gone', code: 404 }),
        page(status, '<html>not found'),
        nothing(status),
        json(status, {}),
      ]
      for (const answer of special.has(status)
        ? foreign
        : [foreign[status % 4] ?? page(status, '')]) {
        const { api, ended } = await serve(answer)
        expect(await call(api), `foreign ${status}`).toEqual({
          ok: false,
          error: { code: 'api/foreign', status, looksLikePortal: status === 511 },
        })
        expect(ended).not.toHaveBeenCalled()
      }
    }
  })

  it.each([
    ['the page of a portal', page(200, '<html>sign in to the hotel'), true],
    ['a redirect', nothing(302, { Location: 'http://portal.example/' }), true],
    ['a redirect on the same host', nothing(307, { Location: '/login' }), true],
    ['JSON of another program', json(200, { status: 'ok' }), false],
    ['an empty answer', EMPTY, false],
    ['a text', json(200, 'ok'), false],
    [
      'half an answer',
      (_request, response) => void response.writeHead(200).end('{"wallets"'),
      false,
    ],
  ] satisfies [string, Answer, boolean][])(
    'for a success: not %s',
    async (_what, answer, isPortal) => {
      const { api } = await serve(answer)
      for (const call of [reads, writes])
        expect(await call(api)).toMatchObject({
          ok: false,
          error: { code: 'api/foreign', looksLikePortal: isPortal },
        })
      expect(await send(api.DELETE('/v1/auth/logout'))).toMatchObject({
        ok: answer === EMPTY,
      })
    },
  )
})
