import { expect, test, vi } from 'vitest'
import { createCallLimits } from '#src/api/call-limits.ts'
import { createApiClient } from '#src/api/client.ts'
import { mayHaveHappened } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'

const OWN = { error: { code: 'request/too-many', message: 'Too many reports.' } }

function setUp(answer: () => Response) {
  const clock = createFakeClock(1_000)
  const limits = createCallLimits(clock)
  const api = createApiClient({
    origin: 'http://127.0.0.1:1',
    fetch: () => Promise.resolve(answer()),
    xsrfToken: () => Promise.resolve(null),
    onSessionEnded: () => undefined,
    onTooMany: limits.note,
  })
  const params = { path: { id: 'order-1' } }
  return { limits, cancel: () => send(api.POST('/v1/orders/{id}/cancel', { params })) }
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
