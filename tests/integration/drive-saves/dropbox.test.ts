import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rateEvents, uploadRequests } from '#server/db/schema.ts'
import { storeResults } from '#tests/setup/saved-results.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const MINUTE_MS = 60_000
let server: TestServer
let me: SignedUp
let job: Awaited<ReturnType<typeof storeResults>>
let now = Date.parse('2026-11-23T12:00:00Z')

beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    env: { DROPBOX_APP_KEY: 'abc123def456' },
  })
  me = await server.signUp()
  job = await storeResults(server.deps, me.userId, [300_000, 200_000])
})
afterAll(async () => await server.stop())

interface Given {
  readonly files?: readonly { readonly url: string; readonly filename: string }[]
  readonly refusal?: string
}
const open = async (results = job.results, client = me.client, mediaJobId = job.jobId) => {
  const query = new URLSearchParams([
    ['mediaJobId', mediaJobId],
    ...results.map(({ taskId }) => ['taskId', taskId]),
  ])
  const answer = await client.get(`/editors/connect/dropbox-saver?${query}`)
  const html = new TextDecoder().decode(answer.bytes)
  const given = /<script id="given" type="application\/json">([^<]*)</.exec(html)?.[1] ?? '{}'
  return { ...answer, html, given: JSON.parse(given) as Given }
}
/** As Dropbox does it: without a cookie, by the address alone. */
const fetchFile = async (url: string, headers = {}, method = 'GET') =>
  await fetch(url, { headers, method })
const firstUrl = async (): Promise<string> => (await open()).given.files?.[0]?.url ?? ''

it('LIF-09 gives Dropbox the chosen files by addresses that need no session, byte for byte', async () => {
  const { given, headers, html } = await open()
  expect(given.files?.map(({ filename }) => filename)).toEqual(
    job.results.map(({ fileName }) => fileName),
  )
  for (const [at, { url, filename }] of (given.files ?? []).entries()) {
    const answer = await fetchFile(url)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.results[at]?.sha256)
    expect(answer.headers.get('content-disposition')).toContain(filename)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
  const rest = await fetchFile(given.files?.[0]?.url ?? '', { range: 'bytes=299990-' })
  expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, 10])
  const head = await fetchFile(given.files?.[0]?.url ?? '', {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])

  const policy = headers.get('content-security-policy') ?? ''
  const script = /<script>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(policy).toContain('; connect-src https://www.dropbox.com/dropins/job_status;')
  expect(policy).toContain("frame-ancestors 'self'")
  expect(headers.get('cache-control')).toBe('no-store')
})

it('LIF-09 an address of a result gives one file for an hour, sixty times, and nothing else', async () => {
  const link = new URL(await firstUrl())
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(link)
    change(url)
    return url.href
  }
  const other = job.results[1]?.outputId ?? ''
  const forged = [
    changed((url) => (url.pathname = `/editors/results/${other}`)),
    changed((url) => url.searchParams.set('e', String(Number(url.searchParams.get('e')) + 1))),
    changed((url) => url.searchParams.set('s', 'A'.repeat(43))),
    changed((url) => url.searchParams.delete('s')),
    changed((url) => (url.pathname = '/editors/results/no-id')),
  ]
  for (const url of forged) expect((await fetchFile(url)).status).toBe(404)
  const key = `result-link:${job.results[0]?.outputId ?? ''}`
  const counted = await server.deps.db.$count(rateEvents, eq(rateEvents.key, key))
  await server.deps.db
    .insert(rateEvents)
    .values(Array.from({ length: 59 - counted }, () => ({ key, at: new Date(now) })))
  expect((await fetchFile(link.href)).status).toBe(200)
  expect((await fetchFile(link.href)).status).toBe(429)
  now += 61 * MINUTE_MS
  expect((await fetchFile(link.href)).status).toBe(404)
  expect((await fetchFile(await firstUrl())).status).toBe(200)
})

it('LIF-09 gives no address of what is not there, of other people, or without a session or a key', async () => {
  expect((await open([])).status).toBe(404)
  expect((await open(job.results, server.createClient())).status).toBe(401)
  const stranger = await server.signUp()
  const nothing = { refusal: expect.stringMatching(/\w/) as string }
  expect((await open(job.results, stranger.client)).given).toEqual(nothing)
  expect((await open(job.results, me.client, randomUUID())).given).toEqual(nothing)
})

it('LIF-09 a video that is held is neither offered to Dropbox nor given to it', async () => {
  const url = await firstUrl()
  const set = async (heldAt: Date | null) =>
    await server.deps.db
      .update(uploadRequests)
      .set({ heldAt })
      .where(eq(uploadRequests.id, job.uploadId))
  await set(new Date(now))
  expect((await fetchFile(url)).status).toBe(451)
  expect((await open()).given.files).toBeUndefined()
  await set(null)
  expect((await fetchFile(url)).status).toBe(200)
})
