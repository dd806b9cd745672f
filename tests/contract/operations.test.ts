import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { loadContract, type ContractOperation } from '#server/http/contract.ts'
import { allCases } from '#tests/contract/cases/all-cases.ts'
import type { CaseCall, OperationCase, World } from '#tests/contract/cases/operation-case.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type ErrorBody = components['schemas']['Error']

const contract = await loadContract()
// Parts are raw bytes on a route of its own beside the contract; tests/suites/object-store.ts and
// the part tests check it.
const operations = contract.operations.filter(({ path }) => !path.startsWith('/v1/parts/'))
const cases = new Map<string, OperationCase>(Object.entries(allCases))

let server: TestServer
let me: SignedUp
let other: SignedUp
// Everybody comes from one address, so each new person comes in an hour of their own.
let now = Date.parse('2026-11-21T12:00:00Z')
const newPerson = (): Promise<SignedUp> => {
  now += 3_700_000
  return server.signUp()
}
const worldOf = (person: SignedUp): World => ({ server, me: person, newPerson })

beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    // Only the address of the login is made: nothing is asked.
    env: { GOOGLE_CLIENT_ID: 'contract', GOOGLE_CLIENT_SECRET: 'contract' },
  })
  me = await newPerson()
  other = await newPerson()
})
afterAll(async () => {
  await server.stop()
})

function send(
  client: TestClient,
  operation: ContractOperation,
  call: Omit<CaseCall, 'status'>,
  headers: Record<string, string | null> = {},
): Promise<TestAnswer<ErrorBody>> {
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => call.params?.[name] ?? '0197a3f2-7c1e-7b90-a111-5d2c8e4f0aff',
  )
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`
  return client.call<ErrorBody>(operation.method.toUpperCase(), `${path}${query}`, {
    headers: { ...call.headers, ...headers },
    ...(call.body === undefined ? {} : { body: call.body }),
  })
}

function expectRefusal(answer: TestAnswer<ErrorBody>, status: number, code?: string): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    {
      error: expect.objectContaining({
        message: expect.stringMatching(/\w/) as unknown,
        code: code ?? (expect.stringMatching(/^[a-z-]+\/[a-z-]+$/) as unknown),
      }) as unknown,
    },
  ])
  expect(answer.headers.get('cache-control')).toBe('no-store')
}

/** The same for everyone until the next start, so browsers may keep them and ask each time. */
const ASKED_FOR_AGAIN = new Set(['getCapabilities', 'getFrontPage'])

const isWrite = ({ method }: ContractOperation): boolean => method !== 'get'
const takesJson = ({ mediaTypes }: ContractOperation): boolean =>
  mediaTypes.includes('application/json')
const hasIdInPath = ({ path }: ContractOperation): boolean => path.includes('{')

describe.each(
  operations.map(
    (operation) =>
      [`${operation.id}: ${operation.method.toUpperCase()} ${operation.path}`, operation] as const,
  ),
)('%s', (_, operation) => {
  const known = cases.get(operation.id)

  if (operation.needsSession)
    it('is 401 signed out', async () => {
      expectRefusal(await send(server.createClient(), operation, {}), 401, 'auth/signed-out')
    })

  if (operation.needsSession && isWrite(operation))
    it('is 403 without the XSRF value, with that of another session, and from another site', async () => {
      expectRefusal(
        await send(me.client, operation, {}, { 'x-xsrf-token': null }),
        403,
        'auth/xsrf',
      )
      expectRefusal(
        await send(
          me.client,
          operation,
          {},
          { 'x-xsrf-token': other.client.cookies.get('XSRF-TOKEN') ?? 'none' },
        ),
        403,
        'auth/xsrf',
      )
      expectRefusal(
        await send(
          me.client,
          operation,
          {},
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        ),
        403,
        'auth/xsrf',
      )
    })

  if (known === undefined)
    it('says 501 while it is not built', async () => {
      expectRefusal(await send(me.client, operation, {}), 501, 'system/not-built')
    })

  if (known === undefined) return

  it('SAF-07 gives the declared answer, which no cache may keep', async () => {
    const call = await known.valid(worldOf(me))
    const answer = await send(call.client ?? me.client, operation, call)
    expect([answer.status, answer.status >= 400 ? answer.body : undefined]).toEqual([
      call.status,
      undefined,
    ])
    expect(answer.headers.get('cache-control')).toBe(
      ASKED_FOR_AGAIN.has(operation.id) ? 'private, no-cache' : 'no-store',
    )
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    if (isJson) expect(contract.answerErrors(operation.id, answer.status, answer.body)).toEqual([])
  })

  if (operation.needsSession && (known.isOwned ?? hasIdInPath(operation)))
    it('is 404 for what belongs to another user, as for what does not exist', async () => {
      const theirs = await known.valid(worldOf(other))
      const answer = await send(me.client, operation, theirs)
      expectRefusal(answer, 404)
      const nobodys = await send(me.client, operation, {
        ...theirs,
        params: Object.fromEntries(
          Object.keys(theirs.params ?? {}).map((name) => [name, crypto.randomUUID()]),
        ),
      })
      expect(nobodys.body).toEqual(answer.body)
    })

  if (takesJson(operation))
    it('names what is wrong with a body', async () => {
      const { status: _status, body: _body, ...call } = await known.valid(worldOf(me))
      for (const body of [{ unexpected: true }, [], 'null', '7']) {
        const answer = await send(call.client ?? me.client, operation, { ...call, body })
        expectRefusal(answer, 422, 'request/invalid')
        expect(Object.keys(answer.body.error.fields ?? {})).not.toEqual([])
      }
      expectRefusal(
        await send(call.client ?? me.client, operation, { ...call, body: '{"' }),
        400,
        'request/malformed-json',
      )
      expectRefusal(
        await send(
          call.client ?? me.client,
          operation,
          { ...call, body: 'x' },
          { 'content-type': 'text/plain' },
        ),
        415,
        'request/unsupported-media-type',
      )
      for (const { body, field, status = 422 } of known.invalid ?? []) {
        const answer = await send(call.client ?? me.client, operation, { ...call, body })
        expect([answer.status, Object.keys(answer.body.error.fields ?? {})]).toEqual([
          status,
          expect.arrayContaining([field]),
        ])
      }
    })
})

it('a path id that is none names nothing, so it is 404 everywhere', async () => {
  const answered: unknown[] = []
  const wanted: unknown[] = []
  for (const operation of operations.filter(
    (one) => cases.has(one.id) && one.needsSession && hasIdInPath(one) && !takesJson(one),
  )) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    for (const id of ['x', '%00', "'--", '1'.repeat(300)]) {
      answered.push([
        operation.id,
        id,
        (
          await send(me.client, operation, {
            params: Object.fromEntries(names.map((name) => [name, id])),
          })
        ).status,
      ])
      wanted.push([operation.id, id, 404])
    }
  }
  expect(answered).toEqual(wanted)
})

it('no call of this suite ended in an unexpected failure', () => {
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
