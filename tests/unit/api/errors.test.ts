import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  API_MESSAGES,
  apiFailureMessage,
  httpFailure,
  isTransient,
  outageOf,
  statusOf,
} from '#src/api/errors.ts'
import { thrownToFailure } from '#src/api/send.ts'

const status = fc.integer({ min: 400, max: 599 })

it('APP-16 a refusal of the server shows exactly its message, any other answer "Request failed"', () => {
  fc.assert(
    fc.property(status, fc.string(), (code, message) => {
      const failure = httpFailure(code, { error: { code: 'orders/not-found', message } }, null)
      expect(apiFailureMessage(failure)).toBe(message.trim() === '' ? 'Request failed' : message)
    }),
  )
})

it('SAF-01 an error without the code of the server is no answer of the server, whatever it says', () => {
  const foreignBody = fc.oneof(
    fc.anything(),
    fc.record({ error: fc.anything() }),
    fc.record({
      error: fc.record({ message: fc.string(), code: fc.oneof(fc.nat(), fc.string()) }),
    }),
    // Words of other programs, in our shape.
    fc.constantFrom('NoSuchUpload', 'AccessDenied', 'AuthenticationFailed').map((code) => ({
      error: { message: 'Access denied.', code },
    })),
  )
  fc.assert(
    fc.property(status, foreignBody, (code, body) => {
      const failure = httpFailure(code, body, null)
      expect(failure).toEqual({
        code: 'api/foreign',
        status: code,
        looksLikePortal: code === 511,
      })
      expect([isTransient(failure), statusOf(failure)]).toEqual([true, null])
      expect(apiFailureMessage(failure)).toBe(
        code === 511 ? API_MESSAGES.portal : API_MESSAGES.requestFailed,
      )
    }),
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
  const refusal = (code: number) =>
    isTransient(httpFailure(code, { error: { code: 'a/b', message: 'm' } }, null))
  const passing = [408, 429, 500, 502, 503, 504].map(refusal)
  const staying = [400, 401, 402, 403, 404, 409, 413, 422, 501, 507].map(refusal)
  expect([passing.every(Boolean), staying.some(Boolean)]).toEqual([true, false])
  expect(isTransient({ code: 'api/no-response' })).toBe(true)
  expect(isTransient({ code: 'api/aborted' })).toBe(false)
})

it('SAF-07 a captive portal is told from an outage', () => {
  const foreign = { code: 'api/foreign', status: 200 } as const
  expect(outageOf({ ...foreign, looksLikePortal: true })).toBe('portal')
  expect(outageOf({ ...foreign, looksLikePortal: false })).toBe('foreign-answer')
  expect(outageOf({ code: 'api/timeout' })).toBe('no-answer')
  expect(outageOf(httpFailure(503, { error: { code: 'a/b', message: 'm' } }, null))).toBeNull()
})
