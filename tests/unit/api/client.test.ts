import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { createApiClient } from '#src/api/client.ts'
import { send, sendRetrying } from '#src/api/send.ts'
import { READ_TIMEOUT_MS, WRITE_TIMEOUT_MS } from '#src/config/limits.ts'

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
    fetch: (request) => fetch(request),
    xsrfToken: () => Promise.resolve('token-1'),
    userId: () => 'user-1',
    onSessionEnded: ended,
  })
  return { api, seen, ended }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body))
  }
const reset: Answer = (request) => void request.socket.resetAndDestroy()
const never: Answer = () => undefined
const wallets = json(200, { wallets: [] })

function retryDeps() {
  const waits: number[] = []
  return {
    waits,
    random: () => 0.999,
    clock: { now: () => 0, sleep: (delayMs: number) => Promise.resolve(void waits.push(delayMs)) },
  }
}

it('APP-17 calls go to /editors/api and name their user; writes carry the anti-forgery header, reads do not', async () => {
  const { api, seen } = await serve(wallets, json(204, null))
  await send(api.GET('/v1/wallets'))
  await send(api.DELETE('/v1/auth/logout'))
  expect(seen).toEqual([
    { line: 'GET /editors/api/v1/wallets', xsrf: undefined, userId: 'user-1' },
    { line: 'DELETE /editors/api/v1/auth/logout', xsrf: 'token-1', userId: 'user-1' },
  ])
})

it('APP-17 the generic helper tries 3 more times after resets, 429 and 5xx, and honours Retry-After', async () => {
  const busy = json(429, { error: { message: 'slow down' } }, { 'Retry-After': '7' })
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

it('APP-17 it gives up after 3 retries and never repeats a refusal', async () => {
  const failing = await serve(json(500, {}))
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

it('a 401 tells the session before the caller sees it', async () => {
  const { api, ended } = await serve(
    json(401, { error: { message: 'Please log in.', code: 'auth/no-session' } }),
  )
  expect(await send(api.GET('/v1/wallets'))).toMatchObject({ ok: false, error: { status: 401 } })
  expect(ended).toHaveBeenCalledOnce()
})

it('an answer that is not JSON is a failure with the status, never a throw', async () => {
  const page: Answer = (_request, response) =>
    void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>bad gateway')
  const { api } = await serve(
    page,
    (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html>sign in to the hotel'),
  )
  expect(await send(api.GET('/v1/wallets'))).toMatchObject({
    ok: false,
    error: { code: 'api/http', status: 502, serverMessage: null },
  })
  expect(await send(api.GET('/v1/wallets'))).toEqual({
    ok: false,
    error: { code: 'api/unexpected' },
  })
})
