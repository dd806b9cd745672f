import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { LINKS_PER_HOUR } from '#server/budgets.ts'
import { rateEvents, uploadImports } from '#server/db/schema.ts'
import { enqueueDueImports } from '#server/operations/processing/imports/enqueue.ts'
import { runImport } from '#server/operations/processing/imports/run.ts'
import { noSpace } from '#server/operations/media/storage/limit.ts'
import { unavailable } from '#server/problems.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { linkedFile, startLinkHost, type LinkHost } from '#tests/fakes/link-host.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type UploadRequest = components['schemas']['UploadRequest']
interface Answer {
  readonly uploadRequest: UploadRequest
  readonly error?: { readonly code: string; readonly message: string }
}

const MIB = 1024 ** 2
const MINUTE_MS = 60_000
const SECRET = 'the-key-of-this-link'
const body = new Uint8Array(randomBytes(12 * MIB))
let host: LinkHost
let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  host = await startLinkHost()
  server = await startTestServer({
    clock: () => new Date(now),
    reach: host.reach,
    env: {
      ONECUT_IMPORT_HOSTS: `share.example:${host.port},dropboxusercontent.com`,
      DROPBOX_APP_KEY: 'abc123def456',
      ONECUT_PART_SIZE_BYTES: String(5 * MIB),
    },
  })
})
beforeEach(async () => {
  // A person for each test, since one import of an account runs at a time, and few mails an hour.
  now += 5 * MINUTE_MS
  me = await server.signUp()
  host.troubles.length = 0
  host.asked.length = 0
  host.files.clear()
  host.files.set('/scene.mp4', linkedFile(body))
})
afterAll(async () => {
  await server.stop()
  await host.stop()
})

const paste = async (link = `${host.origin}/scene.mp4?key=${SECRET}`) =>
  await me.client.post<Answer>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: { provider: 'link', link },
    },
  })
const begin = async (): Promise<string> => {
  const answer = await paste()
  expect(answer.status).toBe(201)
  return answer.body.uploadRequest._id
}
const run = async (id: string, { signal } = new AbortController()): Promise<void> => {
  await runImport(server.deps, { uploadRequestId: id, signal })
}
const read = async (id: string): Promise<UploadRequest> =>
  (await me.client.get<Answer>(`/v1/upload-requests/${id}`)).body.uploadRequest
const stored = async (id: string): Promise<string> =>
  sha(await buffer(await server.deps.store.read(`uploads/${id}`)))
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const rowOf = async (id: string) =>
  (
    await server.deps.db.select().from(uploadImports).where(eq(uploadImports.uploadRequestId, id))
  )[0]

describe('pasting a link', () => {
  it('UPL-01 begins an upload with the name and size that the host says', async () => {
    host.files.set(
      '/scene.mp4',
      linkedFile(body, {
        disposition: `attachment; filename="x.mp4"; filename*=UTF-8''beach%20day.mp4`,
      }),
    )
    const { status, body: answer } = await paste()
    expect(status).toBe(201)
    expect(answer.uploadRequest).toMatchObject({
      state: 'open',
      receivedBytes: 0,
      import: { host: 'files.share.example', waitsFor: 'turn', nextAttemptInSeconds: null },
      upload: {
        provider: 'link',
        parts: [],
        partCount: 0,
        metadata: { clientFilename: 'beach day.mp4', clientFileSize: body.length },
      },
    })
  })

  it('UPL-01 the same key gives the same import and asks the host once', async () => {
    const request = {
      uploadRequest: {
        idempotencyKey: 'key-of-one-link',
        upload: { provider: 'link', link: `${host.origin}/scene.mp4` },
      },
    }
    const first = await me.client.post<Answer>('/v2/upload-requests', request)
    const second = await me.client.post<Answer>('/v2/upload-requests', request)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.uploadRequest._id).toBe(first.body.uploadRequest._id)
    expect(host.asked).toEqual(['bytes=0-65535'])
  })

  it.each([
    ['no address', 'my video', 'uploads/link-refused', 422],
    ['another host', 'https://example.org/a.mp4', 'uploads/host-not-allowed', 422],
    ['a file that is gone', '/gone.mp4', 'uploads/link-expired', 422],
    ['a page', '/page', 'uploads/link-refused', 422],
    ['a document by its name', '/notes.pdf', 'request/invalid', 422],
    ['an empty file', '/empty.mp4', 'request/invalid', 422],
  ])('UPL-11 refuses %s and says what to do', async (_name, link, code, status) => {
    host.files.set('/page', linkedFile(body, { contentType: 'text/html; charset=utf-8' }))
    host.files.set('/notes.pdf', linkedFile(body))
    host.files.set('/empty.mp4', linkedFile(new Uint8Array(), { takesRanges: false }))
    const answer = await paste(link.startsWith('/') ? host.origin + link : link)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    expect(answer.body.error?.message).toMatch(/\w{3} \w/)
  })

  it.each([
    [{ kind: 'status', status: 410 }, 'uploads/link-expired'],
    [{ kind: 'status', status: 401 }, 'uploads/link-refused'],
    [{ kind: 'status', status: 403 }, 'uploads/link-refused'],
    [{ kind: 'headers', headers: { 'content-encoding': 'gzip' } }, 'uploads/link-refused'],
    [{ kind: 'status', status: 429, retryAfter: '7' }, 'uploads/link-away'],
    [{ kind: 'status', status: 500 }, 'uploads/link-away'],
    [{ kind: 'silent' }, 'uploads/link-away'],
    [{ kind: 'redirect', to: 'https://169.254.169.254/latest' }, 'uploads/host-not-allowed'],
  ] as const)('UPL-11 says what %j of the host means', async (trouble, code) => {
    host.troubles.push(trouble)
    expect((await paste()).body.error?.code).toBe(code)
  })

  it('UPL-11 tells how many links may be tried in an hour', async () => {
    // As if all but one had been tried: a busy machine is too slow for 61 connections at once.
    const tried = { key: `links-looked-at:${me.userId}`, at: new Date(now) }
    await server.deps.db.insert(rateEvents).values(Array(LINKS_PER_HOUR - 1).fill(tried))
    const tries = [1, 2].map(async () => (await paste(`${host.origin}/gone.mp4`)).status)
    expect((await Promise.all(tries)).toSorted()).toEqual([422, 429])
  })
})

/** An answer from the first byte that ends after so many, all of which arrive. */
const endAfter = (bytes: number) =>
  ({ kind: 'headers', headers: { 'content-length': String(bytes) }, from: 0 }) as const

describe('fetching', () => {
  it('UPL-09 brings every byte, completes the upload and forgets the link after its check', async () => {
    const id = await begin()
    await run(id)
    const upload = await read(id)
    expect(upload).toMatchObject({ state: 'completed', receivedBytes: body.length, import: null })
    expect(upload.uploadEndedAt).not.toBeNull()
    expect(await stored(id)).toBe(sha(body))
    // Two connections, one of them for two parts.
    expect(host.asked.slice(1).toSorted()).toEqual([
      `bytes=0-${10 * MIB - 1}`,
      `bytes=${10 * MIB}-${12 * MIB - 1}`,
    ])
    expect(await rowOf(id)).toBeDefined()
    await validateUpload(server.deps, { uploadRequestId: id, signal: new AbortController().signal })
    // Noise is no video.
    expect((await read(id)).failureCode).toBe('unreadable')
    expect(await rowOf(id)).toBeUndefined()
  })

  it('UPL-09 goes on from the byte at which a connection broke', async () => {
    const id = await begin()
    const before = host.sentBytes()
    for (const afterBytes of [3 * MIB, MIB, 2 * MIB, 700_000])
      host.troubles.push({ kind: 'cut', afterBytes })
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
    // What a broken connection still had on its way is sent again, and no more.
    expect(host.sentBytes() - before).toBeLessThan(body.length + 4 * MIB)
  })

  it('UPL-09 rests when the host asks for it, keeps its parts, and goes on', async () => {
    const id = await begin()
    const cut = { kind: 'cut', afterBytes: 0 } as const
    const busy = { kind: 'status', status: 429, retryAfter: '600' } as const
    host.troubles.push(busy, cut, cut, busy)
    await run(id)
    expect(await read(id)).toMatchObject({
      state: 'open',
      import: { waitsFor: 'host', nextAttemptInSeconds: 600 },
    })
    const asked = host.asked.length
    await run(id)
    expect(host.asked).toHaveLength(asked)
    now += 11 * MINUTE_MS
    host.troubles.length = 0
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
  })

  it('UPL-09 goes on in the middle of a part after a try that ended', async () => {
    const id = await begin()
    const busy = { kind: 'status', status: 429, retryAfter: '600' } as const
    const silent = { kind: 'hold', afterBytes: 0, from: 10 * MIB } as const
    host.troubles.push(endAfter(3 * MIB), { ...busy, from: 3 * MIB }, silent)
    await run(id)
    host.troubles.length = 0
    expect(await read(id)).toMatchObject({ state: 'open', import: { waitsFor: 'host' } })
    now += 11 * MINUTE_MS
    host.asked.length = 0
    await run(id)
    expect(host.asked).toContain(`bytes=${3 * MIB}-${10 * MIB - 1}`)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
  })

  it('UPL-11 counts three refusals in a row as a link that has expired', async () => {
    const id = await begin()
    for (let refusal = 1; refusal <= 3; refusal += 1) {
      const refused = { kind: 'status', status: 403 } as const
      host.troubles.push(refused, refused)
      await run(id)
      host.troubles.length = 0
      expect((await read(id)).import?.waitsFor).toBe(refusal < 3 ? 'host' : 'link')
      now += 11 * MINUTE_MS
    }
  })

  it('UPL-11 takes a changed file from its first byte, once', async () => {
    const id = await begin()
    const other = new Uint8Array(randomBytes(body.length))
    host.files.set('/scene.mp4', linkedFile(other, { etag: '"v2"' }))
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(other))
  })

  it.each([
    ['changes twice', body.length, 1],
    ['has another size', body.length + 1, 0],
  ])('UPL-11 gives up a file that %s', async (_name, sizeBytes, changes) => {
    const id = await begin()
    await server.deps.db
      .update(uploadImports)
      .set({ changes })
      .where(eq(uploadImports.uploadRequestId, id))
    const other = new Uint8Array(sizeBytes)
    host.files.set('/scene.mp4', linkedFile(other, { etag: '"v2"' }))
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'failed', failureCode: 'import-failed' })
    expect((await read(id)).failureReason).toMatch(/^The file changed while it was copied\./)
  })

  it('UPL-09 takes a file in one go from a host without pieces, three times at most', async () => {
    host.files.set('/scene.mp4', linkedFile(body, { takesRanges: false }))
    const id = await begin()
    host.troubles.push({ kind: 'cut', afterBytes: 7 * MIB })
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'open', import: { waitsFor: 'host' } })
    now += 11 * MINUTE_MS
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))

    const second = await begin()
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      host.troubles.push({ kind: 'cut', afterBytes: 7 * MIB })
      await run(second)
      now += 11 * MINUTE_MS
    }
    expect((await read(second)).failureReason).toMatch(/cannot go on with a copy that broke off/)
  })

  it('SCL-04 a store that is away costs a host without pieces none of its tries', async () => {
    host.files.set('/scene.mp4', linkedFile(body, { takesRanges: false }))
    const id = await begin()
    const away = vi.spyOn(server.deps.store, 'writePart').mockRejectedValue(unavailable())
    for (let attempt = 1; attempt <= 4; attempt += 1) await expect(run(id)).rejects.toThrow(/busy/)
    away.mockRestore()
    await run(id)
    expect((await read(id)).state).toBe('completed')
  })

  it('UPL-09 notices that a host stops to give pieces', async () => {
    const id = await begin()
    host.files.set('/scene.mp4', linkedFile(body, { takesRanges: false }))
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
  })

  it('UPL-09 never stores another piece than it asked for', async () => {
    const id = await begin()
    host.troubles.push({ kind: 'wrong-piece' }, { kind: 'wrong-piece' })
    await run(id)
    expect((await read(id)).state).toBe('open')
    // The first one may have ended the other request before it came.
    host.troubles.length = 0
    now += 11 * MINUTE_MS
    await run(id)
    expect(await stored(id)).toBe(sha(body))
  })

  it.each([
    { name: 'too long', kind: 'headers', headers: { 'content-length': String(6 * MIB) } },
    { name: 'too short', kind: 'headers', headers: { 'content-length': '700000' } },
    { name: 'missing, for bytes without an end', kind: 'endless' },
  ] as const)('UPL-09 stores exactly the file where a length is $name', async (trouble) => {
    const id = await begin()
    host.troubles.push(trouble)
    await run(id)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
  })

  it.each([
    ['compresses it', { kind: 'headers', headers: { 'content-encoding': 'gzip' } }],
    ['asks to log in', { kind: 'headers', headers: { 'content-type': 'text/html' } }],
    ['does not know us', { kind: 'status', status: 401 }],
  ] as const)(
    'UPL-09 takes no byte from a host that %s, and tries again',
    async (_name, trouble) => {
      const id = await begin()
      host.troubles.push(trouble, trouble)
      await run(id)
      expect(await read(id)).toMatchObject({ state: 'open', import: { waitsFor: 'host' } })
      host.troubles.length = 0
      now += 11 * MINUTE_MS
      await run(id)
      expect(await stored(id)).toBe(sha(body))
    },
  )

  it('UPL-09 waits while the disk is full, keeps what is here, and goes on when there is room', async () => {
    const id = await begin()
    const { store } = server.deps
    const full: typeof store = {
      ...store,
      writePart: async (...part) => {
        if (part[2] > 1) throw noSpace()
        await store.writePart(...part)
      },
    }
    await runImport(
      { ...server.deps, store: full },
      { uploadRequestId: id, signal: new AbortController().signal },
    )
    const waiting = await read(id)
    expect(waiting).toMatchObject({ state: 'open', import: { waitsFor: 'space' } })
    expect(waiting.import?.nextAttemptInSeconds).toBeGreaterThan(0)
    now += 11 * MINUTE_MS
    await run(id)
    expect(await stored(id)).toBe(sha(body))
  })

  it('UPL-09 is fetched by one worker at a time', async () => {
    const id = await begin()
    const held = { kind: 'hold', afterBytes: MIB } as const
    host.troubles.push(held, held)
    const worker = new AbortController()
    const first = run(id, worker)
    await expect.poll(() => host.asked.length).toBe(3)
    await run(id)
    expect(host.asked).toHaveLength(3)
    worker.abort(new Error('the worker stops'))
    await expect(first).rejects.toThrow('the worker stops')
    await run(id)
    expect(await stored(id)).toBe(sha(body))
  })

  it('UPL-11 gives up after 24 hours without a byte', async () => {
    const id = await begin()
    const silent = { kind: 'status', status: 503 } as const
    host.troubles.push(silent, silent)
    await run(id)
    now += 25 * 60 * MINUTE_MS
    host.troubles.push(silent, silent)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'failed', failureCode: 'import-failed' })
    expect((await read(id)).failureReason).toMatch(/^Nothing came from files\.share\.example/)
  })

  it('UPL-09 ends when it is discarded, from any device', async () => {
    const id = await begin()
    const answer = await me.client.delete(`/v1/upload-requests/${id}`)
    expect(answer.status).toBe(204)
    const asked = host.asked.length
    await run(id)
    expect(host.asked).toHaveLength(asked)
    expect(await rowOf(id)).toBeUndefined()
    expect((await read(id)).state).toBe('aborted')
  })

  it('UPL-09 a device gets no place to write into an import', async () => {
    const id = await begin()
    const answer = await me.client.post<Answer>(`/v1/upload-requests/${id}/part-urls`, {
      partNumbers: [1],
    })
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'uploads/not-open'])
  })
})

it('CLD-01 fetches what was chosen in Dropbox, by the name and size of its host, and goes on with a new link', async () => {
  const direct = (path: string) => ({
    provider: 'dropbox-chooser-single-file',
    metadata: { clientFilename: 'other.mp4', clientFileSize: 7 },
    dropboxFileId: 'id:abc',
    directLink: host.origin + path,
  })
  const begun = await me.client.post<Answer>('/v2/upload-requests', {
    uploadRequest: { idempotencyKey: crypto.randomUUID(), upload: direct('/scene.mp4') },
  })
  expect(begun.status).toBe(201)
  expect(begun.body.uploadRequest).toMatchObject({
    import: { host: 'Dropbox' },
    upload: { metadata: { clientFilename: 'scene.mp4', clientFileSize: body.length } },
  })
  const { _id: id } = begun.body.uploadRequest
  host.troubles.push(
    endAfter(5 * MIB),
    { kind: 'hold', afterBytes: MIB, from: 10 * MIB },
    { kind: 'status', status: 410, from: 5 * MIB },
  )
  await run(id)
  host.troubles.length = 0
  expect((await read(id)).import?.waitsFor).toBe('link')
  host.files.set('/again/scene.mp4', linkedFile(body, { etag: '"v9"' }))
  host.asked.length = 0
  const again = await me.client.post<Answer>(`/v1/upload-requests/${id}/import`, {
    upload: direct('/again/scene.mp4'),
  })
  expect(again.status).toBe(200)
  await run(id)
  expect(host.asked).toHaveLength(3)
  expect(await stored(id)).toBe(sha(body))
})

describe('a link that has expired', () => {
  const renew = async (id: string, link: string) =>
    await me.client.post<Answer>(`/v1/upload-requests/${id}/import`, {
      upload: { provider: 'link', link },
    })
  /** An import that has some of its file and whose link is dead. */
  const beginAndLose = async (): Promise<string> => {
    const id = await begin()
    const gone = { kind: 'status', status: 410, from: 5 * MIB } as const
    const silent = { kind: 'hold', afterBytes: MIB, from: 10 * MIB } as const
    host.troubles.push(endAfter(5 * MIB), silent, gone)
    await run(id)
    host.troubles.length = 0
    host.files.delete('/scene.mp4')
    return id
  }

  it('UPL-11 keeps what is here, asks nothing, and says that it waits for the file', async () => {
    const id = await beginAndLose()
    expect(await read(id)).toMatchObject({
      state: 'open',
      receivedBytes: 5 * MIB,
      import: { waitsFor: 'link', nextAttemptInSeconds: null },
    })
    const asked = host.asked.length
    now += 25 * 60 * MINUTE_MS
    await enqueueDueImports(server.deps, { userId: me.userId })
    await run(id)
    expect(host.asked).toHaveLength(asked)
    expect((await read(id)).import?.waitsFor).toBe('link')
  })

  it('UPL-11 goes on from the stored parts with another link to the same file', async () => {
    const id = await beginAndLose()
    // A share that was made again names another version and is at another place.
    host.files.set('/again.mp4', linkedFile(body, { etag: '"another"' }))
    const again = await renew(id, `${host.origin}/again.mp4`)
    expect([again.status, again.body.uploadRequest.import?.waitsFor]).toEqual([200, 'turn'])
    expect((await renew(id, `${host.origin}/again.mp4`)).status).toBe(200)
    host.asked.length = 0
    await run(id)
    expect(host.asked).toHaveLength(2)
    expect((await read(id)).state).toBe('completed')
    expect(await stored(id)).toBe(sha(body))
  })

  it.each([
    ['another file of the same size', new Uint8Array(randomBytes(body.length))],
    ['a file of another size', body.subarray(0, 7 * MIB)],
  ])('UPL-11 refuses %s, and says so', async (_name, bytes) => {
    const id = await beginAndLose()
    host.files.set('/other.mp4', linkedFile(bytes, { etag: '"v2"' }))
    const { status, body: answer } = await renew(id, `${host.origin}/other.mp4`)
    expect([status, answer.error?.code]).toEqual([422, 'uploads/link-refused'])
    expect(answer.error?.message).toMatch(/^This is another file than scene\.mp4, /)
    expect((await read(id)).import?.waitsFor).toBe('link')
  })

  it('UPL-11 takes another link only where the old one is dead, and of its own person', async () => {
    const id = await begin()
    const answer = await renew(id, `${host.origin}/scene.mp4?another`)
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'uploads/not-open'])
    now += 5 * MINUTE_MS
    const other = await server.signUp()
    const foreign = await other.client.post<Answer>(`/v1/upload-requests/${id}/import`, {
      upload: { provider: 'link', link: `${host.origin}/scene.mp4` },
    })
    expect(foreign.status).toBe(404)
  })
})

it('UPL-11 shows the link neither in the database nor in the log', async () => {
  const id = await begin()
  host.troubles.push({ kind: 'status', status: 500 })
  await run(id)
  const { rows } = await server.deps.db.execute(
    `select table_schema || '."' || table_name || '"' as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'pgboss')`,
  )
  for (const { name } of rows) {
    const found = await server.deps.db.execute(
      `select 1 from ${String(name)} as row where row::text like '%${SECRET}%'`,
    )
    expect([name, found.rowCount]).toEqual([name, 0])
  }
  expect(JSON.stringify(server.logged)).not.toContain(SECRET)
})
