import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { enqueueDueImports } from '#server/operations/processing/imports/enqueue.ts'
import { runImport } from '#server/operations/processing/imports/run.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { driveFile, type GoogleTrouble } from '#tests/fakes/google/files.ts'
import { startFakeGoogle, type FakeGoogle } from '#tests/fakes/google/server.ts'
import { connectDrive, goToGoogle } from '#tests/setup/drive.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type UploadRequest = components['schemas']['UploadRequest']
interface Answer {
  readonly uploadRequest: UploadRequest
  readonly error?: { readonly code: string; readonly message: string }
}

const MIB = 1024 ** 2
const MINUTE_MS = 60_000
const FILE = 'drive-file_1'
const body = new Uint8Array(randomBytes(12 * MIB))
let google: FakeGoogle
let server: TestServer
let me: SignedUp
let externalAuthId: string
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  google = await startFakeGoogle()
  server = await startTestServer({
    clock: () => new Date(now),
    google,
    env: { ONECUT_PART_SIZE_BYTES: String(5 * MIB) },
  })
})
beforeEach(async () => {
  // A person for each test, since one import of an account runs at a time, and few mails an hour.
  now += 5 * MINUTE_MS
  google.troubles.length = 0
  google.factTroubles.length = 0
  google.tokenTroubles.length = 0
  google.files.clear()
  google.files.set(FILE, driveFile(body))
  me = await server.signUp()
  externalAuthId = await connectDrive(me.client, google)
  google.ranges.length = 0
  google.asked.length = 0
})
afterAll(async () => {
  await server.stop()
  await google.stop()
})

const choose = async (more: object = {}, client = me.client) =>
  await client.post<Answer>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: {
        provider: 'google-drive-picker-single-file',
        googleDriveFileId: FILE,
        externalAuthId,
        ...more,
      },
    },
  })
const begin = async (): Promise<string> => {
  const answer = await choose()
  expect(answer.status).toBe(201)
  return answer.body.uploadRequest._id
}
const { signal } = new AbortController()
const run = async (id: string): Promise<void> => {
  await runImport(server.deps, { uploadRequestId: id, signal })
}
const read = async (id: string): Promise<UploadRequest> =>
  (await me.client.get<Answer>(`/v1/upload-requests/${id}`)).body.uploadRequest
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const stored = async (id: string): Promise<string> =>
  sha(await buffer(await server.deps.store.read(`uploads/${id}`)))
const arrives = async (id: string, bytes: Uint8Array = body): Promise<void> => {
  await run(id)
  expect((await read(id)).state).toBe('completed')
  expect(await stored(id)).toBe(sha(bytes))
}
const refusal = (status: number, reason: string, retryAfter?: string): GoogleTrouble => ({
  kind: 'error',
  status,
  reason,
  ...(retryAfter === undefined ? {} : { retryAfter }),
})
const refreshes = (): number => google.asked.filter((line) => line === 'POST /token').length

describe('choosing a file in Google Drive', () => {
  it('CLD-02 begins an upload with the name and size that Drive says, and asks no page for them', async () => {
    const metadata = { clientFilename: 'notes.txt', clientFileSize: 3 }
    const answer = await choose({ metadata })
    expect(answer.status).toBe(201)
    expect(answer.body.uploadRequest).toMatchObject({
      state: 'open',
      receivedBytes: 0,
      import: { host: 'Google Drive', waitsFor: 'turn', nextAttemptInSeconds: null },
      upload: {
        provider: 'google-drive-picker-single-file',
        parts: [],
        metadata: { clientFilename: 'beach day.mp4', clientFileSize: body.length },
      },
    })
  })

  it.each([
    ['a document', { mimeType: 'application/pdf' }, 'Only video files are accepted'],
    [
      'a shortcut',
      { mimeType: 'application/vnd.google-apps.shortcut', bytes: null },
      'This is a shortcut to a file.',
    ],
    [
      'a project of Google Vids',
      { mimeType: 'application/vnd.google-apps.vid', bytes: null },
      'A project of Google Vids is no video file.',
    ],
    ['a file in the bin', { trashed: true }, 'This file is in the bin of Google Drive.'],
    [
      'a file whose owner forbids it',
      { canDownload: false },
      'The owner of this file does not allow downloads.',
    ],
    ['an empty file', { bytes: new Uint8Array() }, 'This file is empty.'],
  ])('CLD-02 refuses %s with a sentence', async (_name, more, message) => {
    google.files.set(FILE, driveFile(body, more))
    const answer = await choose()
    expect(answer.status).toBe(422)
    expect(answer.body.error?.message).toContain(message)
    expect(google.ranges).toEqual([])
  })

  it('CLD-02 refuses a file of more than 25 GB before a byte is read', async () => {
    google.files.set(FILE, driveFile(body, { claimedBytes: 25 * 1024 ** 3 + 1 }))
    const answer = await choose()
    expect(answer.body.error).toMatchObject({
      code: 'uploads/too-large',
      message: 'This file is too large. You can import files of up to 25 GB.',
    })
    expect(google.ranges).toEqual([])
  })

  it.each([
    [refusal(404, 'notFound'), 'uploads/link-refused', 'Google Drive has no such file'],
    [refusal(403, 'appNotAuthorizedToFile'), 'uploads/link-refused', 'choose the file again'],
    [refusal(403, 'cannotDownloadFile'), 'uploads/link-refused', 'does not allow downloads'],
    [refusal(403, 'rateLimitExceeded'), 'uploads/link-away', 'right now'],
    [refusal(429, 'rateLimitExceeded', '7'), 'uploads/link-away', 'right now'],
    [refusal(500, 'backendError'), 'uploads/link-away', 'right now'],
    [{ kind: 'silent' }, 'uploads/link-away', 'right now'],
  ] as const)('CLD-02 says what %j of Drive means', async (trouble, code, message) => {
    google.factTroubles.push(trouble)
    const { error } = (await choose()).body
    expect(error?.code).toBe(code)
    expect(error?.message).toContain(message)
  })

  it('CLD-03 says what is wrong with the connection', async () => {
    const stranger = await server.signUp()
    const foreign = await choose({}, stranger.client)
    expect([foreign.status, foreign.body.error]).toMatchObject([
      404,
      {
        code: 'external-auths/not-found',
        message: 'Google Drive authentication required. Please connect your Google account first.',
      },
    ])
    google.tokenTroubles.push(500)
    now += 60 * MINUTE_MS
    expect((await choose()).body.error).toMatchObject({
      code: 'external-auths/away',
      message: 'Could not refresh Google Drive authorization. Please try again.',
    })
    google.removeAccess()
    expect((await choose()).body.error).toMatchObject({
      code: 'external-auths/refresh-expired',
      message: 'Please reconnect your Google account first...',
    })
    await connectDrive(me.client, google, { scopes: 'openid' })
    const limited = (
      await me.client.get<{ externalAuths: { _id: string }[] }>('/v1/external-auths')
    ).body.externalAuths[0]?._id
    expect((await choose({ externalAuthId: limited })).body.error).toMatchObject({
      code: 'external-auths/permission-missing',
      message:
        'Your Google Drive integration is missing download permissions. Please reauthorize...',
    })
  })

  it('CLD-02 lets a person choose a file on the page of Google, and comes back with its id alone', async () => {
    const login = await goToGoogle(me.client, { landing: '/uploads/new', pick: true })
    expect(Object.fromEntries(login.searchParams)).toMatchObject({
      trigger_onepick: 'true',
      allow_multiple: 'false',
      scope: 'https://www.googleapis.com/auth/drive.file',
      mimetypes: expect.stringContaining('video/mp4') as string,
    })
    const back = await google.answer(login.href, { fileId: FILE })
    const landing = (await me.client.get(back.pathname + back.search)).headers.get('location')
    expect(landing).toBe(`/uploads/new?externalAuthId=${externalAuthId}&googleDriveFileId=${FILE}`)
    // A file that this server did not ask for is no choice.
    const plain = await google.answer((await goToGoogle(me.client)).href)
    plain.searchParams.set('picked_file_ids', FILE)
    expect((await me.client.get(plain.pathname + plain.search)).headers.get('location')).toBe(
      `/external-auths?externalAuthId=${externalAuthId}`,
    )
  })
})

describe('fetching from Google Drive', () => {
  it('CLD-02 brings every byte in pieces, compares it with what Drive says, and forgets the place', async () => {
    const id = await begin()
    await arrives(id)
    expect(google.ranges.toSorted()).toEqual([
      `bytes=0-${10 * MIB - 1}`,
      `bytes=${10 * MIB}-${12 * MIB - 1}`,
    ])
    await validateUpload(server.deps, { uploadRequestId: id, signal })
    // Noise is no video; its MD5 was right.
    expect((await read(id)).failureCode).toBe('unreadable')
  })

  it('CLD-02 delivers nothing of a file whose MD5 is not the one that Drive says', async () => {
    google.files.set(FILE, driveFile(body, { md5: '0'.repeat(32) }))
    const id = await begin()
    await arrives(id)
    await validateUpload(server.deps, { uploadRequestId: id, signal })
    expect(await read(id)).toMatchObject({ state: 'failed', failureCode: 'import-failed' })
    expect((await read(id)).failureReason).toMatch(/^What arrived is not the file/)
  })

  it('CLD-02 goes on from the byte at which a connection broke', async () => {
    const id = await begin()
    // Each of them breaks off, whichever connection gets it.
    for (let cut = 1; cut <= 3; cut += 1) google.troubles.push({ kind: 'cut', afterBytes: 600_000 })
    await arrives(id)
    // The three that broke off, and the two at once to their end.
    expect(google.ranges).toHaveLength(5)
  })

  it.each([
    ['the whole file where a piece was asked for', { kind: 'whole' }],
    ['another piece', { kind: 'wrong-piece' }],
    ['no answer', { kind: 'silent' }],
    ['an overload', refusal(503, 'backendError')],
  ] as const)('CLD-02 stores no wrong byte after %s', async (_name, trouble) => {
    const id = await begin()
    google.troubles.push(trouble, trouble)
    await run(id)
    google.troubles.length = 0
    now += 11 * MINUTE_MS
    if ((await read(id)).state === 'open') await run(id)
    expect(await stored(id)).toBe(sha(body))
  })

  it.each([
    [refusal(429, 'rateLimitExceeded', '600'), 600],
    [refusal(403, 'userRateLimitExceeded', '600'), 600],
    [refusal(403, 'downloadQuotaExceeded'), 3600],
  ] as const)(
    'CLD-02 lets Drive rest after %j, keeps its parts, and goes on',
    async (trouble, s) => {
      const id = await begin()
      google.troubles.push({ kind: 'none' }, trouble, trouble)
      await run(id)
      expect(await read(id)).toMatchObject({
        state: 'open',
        import: { waitsFor: 'host', nextAttemptInSeconds: s },
      })
      google.troubles.length = 0
      now += s * 1000
      await arrives(id)
    },
  )

  it('CLD-02 refreshes a token that ends in the middle of a file, once', async () => {
    const id = await begin()
    google.expireAccess()
    await arrives(id)
    expect(refreshes()).toBe(1)
  })

  it('CLD-03 pauses an import whose access was taken away, and goes on once the drive is connected again', async () => {
    const id = await begin()
    // Of two connections at once the refusal of one ends the other.
    const firstIsHere = Promise.withResolvers<undefined>()
    const refused = { ...refusal(401, 'authError'), after: firstIsHere.promise }
    google.troubles.push({ kind: 'none' }, refused, refused)
    google.withdrawRefresh()
    const running = run(id)
    await expect.poll(async () => (await read(id)).receivedBytes).toBeGreaterThan(0)
    firstIsHere.resolve(undefined)
    await running
    expect(await read(id)).toMatchObject({
      state: 'open',
      import: { waitsFor: 'sign-in', nextAttemptInSeconds: null },
    })
    const kept = (await read(id)).receivedBytes
    expect(kept).toBeGreaterThan(0)
    google.ranges.length = 0
    now += 30 * 60 * MINUTE_MS
    await run(id)
    await enqueueDueImports(server.deps, 'everyone')
    expect(google.ranges).toEqual([])
    google.troubles.length = 0
    expect(await connectDrive(me.client, google)).toBe(externalAuthId)
    expect((await read(id)).import?.waitsFor).toBe('turn')
    await arrives(id)
    // What was here was not fetched again.
    expect(google.ranges.length).toBeLessThan(3)
  })

  it('INT-03 ends the imports of a drive that is disconnected, and fetches nothing more', async () => {
    const id = await begin()
    expect((await me.client.delete(`/v1/external-auths/${externalAuthId}`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ state: 'failed', failureCode: 'import-failed' })
    expect((await read(id)).failureReason).toMatch(/^Its Google Drive was disconnected\./)
    await run(id)
    expect(google.ranges).toEqual([])
  })

  it.each([
    [refusal(403, 'cannotDownloadFile'), 'The owner of this file does not allow downloads.'],
    [refusal(403, 'cannotDownloadAbusiveFile'), 'Google takes this file for harmful'],
  ])('CLD-02 ends an import for good after %j, with a sentence', async (trouble, sentence) => {
    const id = await begin()
    google.troubles.push(trouble, trouble)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'failed', failureCode: 'import-failed' })
    expect((await read(id)).failureReason).toContain(sentence)
  })

  it.each([404, 410])(
    'CLD-02 waits for another choice after %d, and goes on with it',
    async (status) => {
      const id = await begin()
      google.troubles.push(
        { kind: 'none' },
        refusal(status, 'notFound'),
        refusal(status, 'notFound'),
      )
      await run(id)
      expect((await read(id)).import?.waitsFor).toBe('link')
      google.troubles.length = 0
      google.files.set('moved', driveFile(body))
      const renewed = await me.client.post<Answer>(`/v1/upload-requests/${id}/import`, {
        upload: {
          provider: 'google-drive-picker-single-file',
          googleDriveFileId: 'moved',
          externalAuthId,
        },
      })
      expect(renewed.status).toBe(200)
      await arrives(id)
    },
  )

  it('CLD-02 takes a changed file from its first byte, and never mixes two', async () => {
    const id = await begin()
    const other = new Uint8Array(randomBytes(body.length))
    google.files.set(FILE, driveFile(other, { revision: 'rev-2' }))
    await arrives(id, other)
    await validateUpload(server.deps, { uploadRequestId: id, signal })
    expect((await read(id)).failureCode).toBe('unreadable')
    google.files.set(FILE, driveFile(body))
    const second = await begin()
    google.files.set(FILE, driveFile(body.subarray(1), { revision: 'rev-2' }))
    await run(second)
    expect((await read(second)).failureReason).toMatch(/^The file changed while it was copied\./)
  })
})

it('CLD-04 leaves no token, and no place of a file, in a dump of the database or in the log', async () => {
  const id = await begin()
  google.troubles.push(refusal(429, 'rateLimitExceeded', '60'), refusal(429, 'rateLimitExceeded'))
  await run(id)
  const { rows: tables } = await server.deps.db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await server.deps.db.execute<{ dump: string }>(
        sql`select coalesce(string_agg(t::text, ' '), '') as dump from ${sql.raw(name)} t`,
      )
      return rows[0]?.dump ?? ''
    }),
  )
  const dump = dumps.join(' ')
  expect(dump).toContain(externalAuthId)
  expect(google.tokens.length).toBeGreaterThan(1)
  const logs = JSON.stringify(server.logged)
  for (const secret of [...google.tokens, FILE]) {
    expect(dump).not.toContain(secret)
    expect(logs).not.toContain(secret)
  }
})
