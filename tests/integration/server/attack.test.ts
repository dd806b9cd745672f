import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { STRANGER_CALLS_AT_ONCE } from '#server/budgets.ts'
import { loadContract } from '#server/http/contract.ts'
import { listPresets } from '#server/operations/core/presets/list.ts'
import { attackByRequests } from '#tests/faults/attack/attack.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let mara: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
  })
  mara = await server.signUp()
})
afterAll(async () => {
  await server.stop()
})

it('SAF-07 hundreds of hostile requests get refusals, and nothing of another account', async () => {
  const report = await attackByRequests(server, {
    requests: 300,
    seed: 20_261_122,
    pass: (ms) => {
      now += ms
    },
  })
  expect(report.complaints).toEqual([])
  expect(report.operations).toBeGreaterThan(40)
  expect(report.victimRows).toBeGreaterThan(40)
  // Neither is all refused nor all taken.
  for (const status of [200, 401, 404, 422])
    expect(report.answers.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(3)
})

interface ErrorBody {
  error: { message: string; code: string; fields?: Record<string, string> }
}
/** More than any refusal has. */
const MOST_ANSWER_BYTES = 20 * 1024
const keys = (count: number, name = 'k'): string =>
  Array.from({ length: count }, (_, at) => `"${name}${at}":1`).join()

const { operations } = await loadContract()

describe('TRU-10 what is refused costs little and is answered in few bytes', () => {
  const withBody = operations.filter(({ mediaTypes }) => mediaTypes.includes('application/json'))

  // No JSON, so that an answer of the parser would be 400.
  it.each([
    ['more bytes than the operation takes', (bytes: number) => 'x'.repeat(bytes + 1), 413],
    ['more values', (_: number, values: number) => `[${'1,'.repeat(values)}`, 413],
    ['more keys in an object', () => `{${keys(201)}`, [413, 422]],
    ['more levels', () => '['.repeat(17), 422],
  ] as const)('%s are refused before they are parsed', async (_, bodyOf, wanted) => {
    for (const { id, method, path, bodyLimits } of withBody) {
      const answer = await mara.client.call<ErrorBody>(
        method.toUpperCase(),
        path.replace('{userId}', mara.userId).replaceAll(/\{\w+\}/g, crypto.randomUUID()),
        { body: bodyOf(bodyLimits.bytes, bodyLimits.values) },
      )
      expect([wanted].flat(), id).toContain(answer.status)
      expect(answer.bytes.length, id).toBeLessThan(1_000)
      expect(answer.body.error.code).toMatch(/^request\/(too-large|invalid)$/)
    }
  })

  it.each([
    ['unknown keys', `{${keys(190)}}`],
    ['an unknown key of any length', `{"${'k'.repeat(15_000)}":1}`],
    ['keys that objects have already', '{"__proto__":1,"constructor":1,"toString":1}'],
    ['a text of any length', `{"user":{"email":"${'a'.repeat(15_000)}"}}`],
    ['a list of lists', `[${'[],'.repeat(90)}1]`],
  ])('%s are named 20 times at most', async (_, body) => {
    const answer = await server.createClient().post<ErrorBody>('/v1/auth/magic-link/login', body)
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'request/invalid' } } })
    expect(answer.bytes.length).toBeLessThan(MOST_ANSWER_BYTES)
    const fields = Object.keys(answer.body.error.fields ?? {})
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.length).toBeLessThanOrEqual(20)
  })

  it('a large body with a wrong value is told its first error, in the variant that was meant', async () => {
    const requests = Array.from({ length: 19 }, () => ({
      mediaJobTaskPresetSlug: 'tube-cut',
      payload: {
        targetDuration: 0,
        introMediaAssetIds: Array.from({ length: 20 }, () => 'none'),
        outroMediaAssetIds: [],
      },
    }))
    const answer = await mara.client.post<ErrorBody>('/v2/media-jobs', {
      mediaJob: { uploadRequestId: crypto.randomUUID(), mediaJobTaskRequests: requests },
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.error.fields ?? {})).toEqual([
      expect.stringMatching(/^mediaJob\.mediaJobTaskRequests\.0\.payload\./),
    ])
  })

  it.each([
    ['names', Array.from({ length: 2_500 }, (_, at) => `a${at}`).join('&')],
    ['repetitions', 'token=&'.repeat(2_000)],
  ])('thousands of %s in a query are refused by the first that is wrong', async (_, query) => {
    const answer = await server
      .createClient()
      .get<ErrorBody>(`/v1/auth/magic-link/callback?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.bytes.length).toBeLessThan(1_000)
  })

  it('paths of any length and shape are not found, and not repeated', async () => {
    for (const tail of [
      'a'.repeat(9_000),
      '/'.repeat(9_000),
      'a/'.repeat(4_500),
      '%41'.repeat(3_000),
    ]) {
      const answer = await server.createClient().get(`/v1/x/${tail}`)
      expect(answer.status).toBe(404)
      expect(answer.bytes.length).toBeLessThan(200)
    }
  })
})

it('TRU-10 what a server offers is made once, and not sent to who has it', async () => {
  const client = server.createClient()
  for (const path of ['/v1/capabilities', '/v1/front-page']) {
    const first = await client.get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{16}"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await client.get(path, { headers: { 'if-none-match': known } })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      expect(again.headers.get('etag')).toBe(etag)
    }
    const other = await client.get(path, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, other.bytes]).toEqual([200, first.bytes])
  }
})

it('TRU-10 each format is planned by itself, and calls are answered between two of them', async () => {
  let turn = 0
  const next = (): void => {
    turn += 1
    waiting = setImmediate(next)
  }
  let waiting = setImmediate(next)
  onTestFinished(() => clearImmediate(waiting))
  const planned = new Map<string, number>()
  for (const recipe of Object.values(recipes)) {
    const { plan } = recipe
    const spy = vi.spyOn(recipe, 'plan')
    spy.mockImplementation((...args) => {
      planned.set(recipe.slug, turn)
      return plan.call(recipe, ...args)
    })
    onTestFinished(() => spy.mockRestore())
  }
  const { ffmpeg } = server.deps
  if (ffmpeg === null) throw new Error('This needs ffmpeg')
  // One whose filters are not known yet.
  await listPresets({ ...server.deps, ffmpeg: { ...ffmpeg, filters: new Set(ffmpeg.filters) } })
  expect(planned.size).toBeGreaterThan(5)
  expect(new Set(planned.values()).size).toBe(planned.size)
})

it('TRU-10 who has a network calls without a session up to a limit, and others go on', async () => {
  const from = (address: string) =>
    server.createClient().call<ErrorBody>('HEAD', '/v1/capabilities', {
      headers: { 'x-forwarded-for': address },
    })
  for (let at = 0; at < STRANGER_CALLS_AT_ONCE; at += 1) await from('203.0.113.9')
  const refused = await from('203.0.113.9')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  expect((await from('203.0.113.10')).status).toBe(200)
  expect(
    await mara.client.get('/v1/users/me', { headers: { 'x-forwarded-for': '203.0.113.9' } }),
  ).toMatchObject({ status: 200 })
  now += 1_000
  expect((await from('203.0.113.9')).status).toBe(200)
})
