import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { httpFailure, type ApiFailure } from '#src/api/errors.ts'
import { serverCodes, serverProblemCopy } from '#src/components/problem/server-copy.ts'

describe('words for failed calls', () => {
  it('has a line for every code of the contract, and for no other', async () => {
    const contract = await readFile(
      new URL('../../../../openapi/openapi.yaml', import.meta.url),
      'utf8',
    )
    const listed = [
      ...contract.matchAll(/^\s*\| ([A-Za-z-]+(?:\/[a-z-]+)?) \| (?:\d{3}|-) \|/gm),
    ].map(([, code]) => code)
    expect(listed.length).toBeGreaterThan(50)
    expect([...serverCodes].sort()).toEqual(listed.sort())
  })

  it("APP-16 shows one sentence for any failure, the first of them the server's own", () => {
    expect(
      serverProblemCopy(
        httpFailure(
          402,
          { error: { message: 'You have 10 tokens.', code: 'payments/insufficient-tokens' } },
          null,
        ),
      ),
    ).toEqual({
      title: 'You have 10 tokens.',
      body: 'Nothing was charged.',
      action: 'Refresh Tokens',
    })
    expect(serverProblemCopy(httpFailure(418, 'tea', null)).title).toBe('Request failed')
    const failures: fc.Arbitrary<ApiFailure> = fc.oneof(
      fc
        .tuple(fc.integer({ min: 400, max: 599 }), fc.jsonValue())
        .map(([status, body]) => httpFailure(status, body, null)),
      fc.constantFrom<ApiFailure>(
        { code: 'api/offline' },
        { code: 'api/no-response' },
        { code: 'api/timeout' },
        { code: 'api/aborted' },
        { code: 'api/unexpected' },
      ),
    )
    fc.assert(
      fc.property(failures, (failure) => {
        expect(serverProblemCopy(failure).title.trim()).not.toBe('')
      }),
    )
  })
})
