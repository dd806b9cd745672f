import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { API_MESSAGES, apiFailureMessage, httpFailure, isTransient } from '#src/api/errors.ts'
import { thrownToFailure } from '#src/api/send.ts'

const status = fc.integer({ min: 400, max: 599 })

it('APP-16 an answer with error.message shows exactly that message, any other answer "Request failed"', () => {
  fc.assert(
    fc.property(
      status,
      fc.oneof(
        fc.anything(),
        fc.record({ error: fc.anything() }),
        fc.record({
          error: fc.record({ message: fc.anything(), code: fc.anything(), fields: fc.anything() }),
        }),
      ),
      (code, body) => {
        const message = (body as { error?: { message?: unknown } } | null | undefined)?.error
          ?.message
        const expected =
          typeof message === 'string' && message.trim() !== '' ? message : 'Request failed'
        expect(apiFailureMessage(httpFailure(code, body, null))).toBe(expected)
      },
    ),
  )
})

it('APP-16 no answer, and a request that could not be sent, have one sentence each', () => {
  expect(apiFailureMessage(thrownToFailure(new TypeError('fetch failed')))).toBe(
    'No response received from the server',
  )
  expect(apiFailureMessage(thrownToFailure(new Error('anything else')))).toBe(
    'Error occurred while sending the request',
  )
  expect(apiFailureMessage({ code: 'api/offline' })).toBe(API_MESSAGES.offline)
  expect(apiFailureMessage({ code: 'api/timeout' })).toBe(API_MESSAGES.timeout)
})

it('APP-16 any thrown thing maps to exactly one known sentence', () => {
  const known: ReadonlySet<string> = new Set(Object.values(API_MESSAGES))
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      expect(known.has(apiFailureMessage(thrownToFailure(thrown)))).toBe(true)
    }),
  )
})

it('fields of an answer are kept when they are texts', () => {
  const failure = httpFailure(
    422,
    {
      error: {
        message: 'm',
        code: 'c/d',
        fields: { 'user.email': 'Invalid email address', odd: 1 },
      },
    },
    null,
  )
  expect(failure).toMatchObject({
    serverCode: 'c/d',
    fields: { 'user.email': 'Invalid email address' },
  })
})

it('APP-17 network errors, 429 and 5xx may pass; refusals, "not built" and a full disk do not', () => {
  const passing = [408, 429, 500, 502, 503, 504].map((code) =>
    isTransient(httpFailure(code, null, null)),
  )
  const staying = [400, 401, 402, 403, 404, 409, 413, 422, 501, 507].map((code) =>
    isTransient(httpFailure(code, null, null)),
  )
  expect([passing.every(Boolean), staying.some(Boolean)]).toEqual([true, false])
  expect(isTransient({ code: 'api/no-response' })).toBe(true)
  expect(isTransient({ code: 'api/aborted' })).toBe(false)
})
