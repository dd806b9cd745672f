import { describe, expect, it } from 'vitest'
import { problemAnswer, problemToWire } from '#server/http/problem-answer.ts'
import { createLog } from '#server/log.ts'
import { Problem, type ProblemCode } from '#server/problems.ts'

describe('refusals on the wire', () => {
  it.each<[ProblemCode, number]>([
    ['auth/redirect-not-allowed', 400],
    ['request/malformed-json', 400],
    ['auth/signed-out', 401],
    ['auth/other-user', 401],
    ['payments/insufficient-tokens', 402],
    ['auth/permission-missing', 403],
    ['auth/xsrf', 403],
    ['parts/signature-invalid', 403],
    ['orders/not-found', 404],
    ['request/method-not-allowed', 405],
    ['request/too-slow', 408],
    ['request/idempotency-conflict', 409],
    ['uploads/aborted', 409],
    ['parts/length-required', 411],
    ['request/too-large', 413],
    ['request/unsupported-media-type', 415],
    ['request/range-not-satisfiable', 416],
    ['request/invalid', 422],
    ['auth/code-wrong', 422],
    ['request/too-many', 429],
    ['parts/not-stored', 503],
    ['system/not-built', 501],
    ['parts/superseded', 503],
    ['uploads/no-space', 507],
  ])('%s is %i under its own code', (code, status) => {
    expect(problemToWire(new Problem(code, 'Words.'))).toEqual({
      status,
      body: { error: { message: 'Words.', code } },
      headers: {},
    })
  })

  it.each<[ProblemCode, number, string]>([
    ['parts/damaged', 400, 'BadDigest'],
    ['parts/upload-ended', 404, 'NoSuchUpload'],
  ])('%s goes by the name that it has in S3', (code, status, wireCode) => {
    expect(problemToWire(new Problem(code, 'Words.'))).toMatchObject({
      status,
      body: { error: { code: wireCode } },
    })
  })

  it('fields, missing parts and the time to wait go along, in whole seconds', () => {
    const problem = new Problem('uploads/parts-missing', 'Two are missing.', {
      fields: { 'upload.parts': 'incomplete' },
      missingPartNumbers: [2, 5],
      retryAfterS: 1.2,
    })
    expect(problemToWire(problem)).toEqual({
      status: 409,
      body: {
        error: {
          message: 'Two are missing.',
          code: 'uploads/parts-missing',
          fields: { 'upload.parts': 'incomplete' },
          missingPartNumbers: [2, 5],
        },
      },
      headers: { 'retry-after': '2' },
    })
  })

  it('a bug is a 500 that says nothing of itself and is logged with the request', async () => {
    const lines: string[] = []
    const answer = problemAnswer(
      new Error('secret'),
      'request-1',
      createLog((line) => lines.push(line)),
    )
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).not.toContain('secret')
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'system/unexpected' } })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'request/unexpected',
      requestId: 'request-1',
    })
  })

  it.each([
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') }),
  ])(
    'SCL-04 a call whose connection to the database breaks may be made again, and that is logged',
    async (error) => {
      const lines: string[] = []
      const answer = problemAnswer(
        error,
        'request-1',
        createLog((line) => lines.push(line)),
      )
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await answer.json()).toMatchObject({ error: { code: 'system/unavailable' } })
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 'warn',
        event: 'request/broken-off',
        requestId: 'request-1',
      })
    },
  )
})
