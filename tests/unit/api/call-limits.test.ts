import { expect, test, vi } from 'vitest'
import { createCallLimits } from '#src/api/call-limits.ts'
import { createApiClient } from '#src/api/client.ts'
import { mayHaveHappened } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'

const OWN = { error: { code: 'request/too-many', message: 'Too many reports.' } }

function setUp(answer: (request: Request) => Response) {
  const clock = createFakeClock(1_000)
  const limits = createCallLimits(clock)
  const api = createApiClient({
    origin: 'http://127.0.0.1:1',
    fetch: (request) => Promise.resolve(answer(request)),
    xsrfToken: () => Promise.resolve(null),
    onSessionEnded: () => undefined,
    limits,
  })
  const cancel = (id = 'order-1') =>
    send(api.POST('/v1/orders/{id}/cancel', { params: { path: { id } } }))
  return { api, clock, limits, cancel }
}

test('a call that came too often is known by its name until its time, and its failure as before', async () => {
  const answer = () => Response.json(OWN, { status: 429, headers: { 'retry-after': '90' } })
  const { limits, cancel } = setUp(answer)
  const heard = vi.fn()
  limits.subscribe(heard)
  const failed = await cancel()
  expect([...limits.current()]).toEqual([['POST /v1/orders/{id}/cancel', 91_000]])
  expect(heard).toHaveBeenCalledOnce()
  expect(failed).toMatchObject({
    ok: false,
    error: { serverCode: 'request/too-many', retryAfterMs: 90_000 },
  })
  // Refused before anything was done, unlike what else passes with time.
  expect(!failed.ok && mayHaveHappened(failed.error)).toBe(false)
  expect(mayHaveHappened({ code: 'api/timeout' })).toBe(true)
})

test('until its time a call that came too often is not sent, and hears from when on it is', async () => {
  const sent: string[] = []
  const { api, clock, limits, cancel } = setUp((request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return Response.json(OWN, { status: 429, headers: { 'retry-after': '90' } })
  })
  await cancel()
  await clock.advance(30_500)
  const again = await cancel('order-2')
  expect(sent).toEqual(['POST /editors/api/v1/orders/order-1/cancel'])
  expect(again).toMatchObject({
    ok: false,
    error: {
      serverCode: 'request/too-many',
      serverMessage: expect.stringMatching(
        /^This came too often\. You can try again in less than /,
      ),
      retryAfterMs: 60_000,
    },
  })
  // What was answered here makes the limit no longer.
  expect(limits.refusal('POST /v1/orders/{id}/cancel')?.untilEpochMs).toBe(91_000)
  await send(api.GET('/v1/users/me'))
  await clock.advance(59_500)
  await cancel()
  expect(sent).toHaveLength(3)
})

test('whether the line reaches the server is asked of the line', async () => {
  const fetched = vi.fn(() => Response.json(OWN, { status: 429, headers: { 'retry-after': '90' } }))
  const { api } = setUp(fetched)
  await send(api.GET('/v1/capabilities'))
  await send(api.GET('/v1/capabilities'))
  expect(fetched).toHaveBeenCalledTimes(2)
})

test.each([
  ['a gateway refuses', () => new Response('Slow down', { status: 429 })],
  [
    'a gateway refuses with a time',
    () => new Response('{}', { status: 429, headers: { 'retry-after': '90' } }),
  ],
  ['the server names no time', () => Response.json(OWN, { status: 429 })],
  [
    'another refusal has a time',
    () =>
      Response.json(
        { error: { code: 'system/unavailable', message: 'Away.' } },
        { status: 503, headers: { 'retry-after': '90' } },
      ),
  ],
])('no call has a limit where %s', async (_, answer) => {
  const { limits, cancel } = setUp(answer)
  await cancel()
  expect(limits.current().size).toBe(0)
})

test('a limit ends for another thing to send, and all end with the session', async () => {
  const limits = createCallLimits(createFakeClock(0))
  limits.note('POST /v1/reports', 1_000)
  limits.note('POST /v1/auth/magic-link/login', 2_000)
  limits.forget('POST /v1/reports')
  expect([...limits.current().keys()]).toEqual(['POST /v1/auth/magic-link/login'])
  limits.forgetAll()
  expect(limits.current().size).toBe(0)
})
