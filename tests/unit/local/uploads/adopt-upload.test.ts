import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi, problem, type FakeApi } from '#tests/fakes/fake-api.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { movie } from '#tests/fixtures/movies.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err } from '#src/lib/result.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { cutFile } from '#src/local/uploads/file/cut-file.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { sha256Base64, webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { adoptUpload, unfinishedElsewhere } from '#src/local/uploads/page/adopt-upload.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const PART_BYTES = 4
const BYTES = 'abcdefghijklmnopqrst'
const ID = idOf(2)

let api: FakeApi
let db: AccountDb
beforeEach(async () => {
  api = createFakeApi()
  db = await openTestDb()
  await serve([1, 2, 3, 4])
})

const fileOf = (bytes: string, name = 'beach.mp4'): File =>
  new File([bytes], name, { type: 'video/mp4', lastModified: 7 })

/** The server has these parts of the upload, whose bytes are the alphabet's. */
async function serve(
  stored: readonly number[],
  state: 'open' | 'aborted' = 'open',
  name = 'beach.mp4',
) {
  const base = fakeUploadRequest({ state, receivedBytes: stored.length * PART_BYTES })
  const parts = await Promise.all(
    [1, 2, 3, 4, 5].map(async (partNumber) => {
      const text = BYTES.slice((partNumber - 1) * PART_BYTES, partNumber * PART_BYTES)
      const isStored = stored.includes(partNumber)
      const sha256 = await sha256Base64(webCryptoDigest, new TextEncoder().encode(text).buffer)
      return {
        partNumber,
        partSize: PART_BYTES,
        presignedUrl: isStored ? null : `/parts/${partNumber}`,
        eTag: isStored ? `e${partNumber}` : null,
        size: isStored ? PART_BYTES : null,
        checksumSha256: isStored ? sha256 : null,
        heldBytes: 0,
      }
    }),
  )
  const uploadRequest = {
    ...base,
    upload: {
      ...base.upload,
      metadata: { clientFilename: name, clientFileSize: BYTES.length },
      partSize: PART_BYTES,
      partCount: 5,
      parts,
    },
  }
  api.routes.set(`GET /v1/upload-requests/${ID}`, () => Response.json({ uploadRequest }))
}

const deps = () => ({
  api: api.client,
  db,
  ids: createIds(),
  clock: { now: () => NOW },
  log: silentLog,
  digest: webCryptoDigest,
  probe: () => Promise.resolve(err({ code: 'probe/timeout' as const })),
})
const adopt = (file: File) => adoptUpload(deps(), ID, file)

describe('an upload that only the server knows', () => {
  it('SAF-04 becomes one of this device, with the plan and the progress of the server', async () => {
    const adopted = await adopt(fileOf(BYTES, 'renamed.mp4'))
    expect(await db.uploads.toArray()).toMatchObject([
      {
        id: adopted.ok ? adopted.value : null,
        uploadRequestId: ID,
        state: { kind: 'needs-file', why: 'no-handle' },
        plan: { partSizeBytes: PART_BYTES, partCount: 5, sizeBytes: BYTES.length },
        safeBytes: 4 * PART_BYTES,
        file: { name: 'renamed.mp4', sizeBytes: BYTES.length },
      },
    ])
  })

  it('SAF-04 keeps the row that this device has already', async () => {
    await db.uploads.add(fakeUploadRow({ id: 'mine', uploadRequestId: ID }))
    expect(await adopt(fileOf(BYTES))).toEqual({ ok: true, value: 'mine' })
    expect(await db.uploads.count()).toBe(1)
  })

  it.each([
    ['is larger', fileOf(`${BYTES}u`), 'adopt/other-size'],
    ['differs in its first part', fileOf(`X${BYTES.slice(1)}`), 'adopt/other-content'],
    ['differs in a part in the middle', fileOf(BYTES.replace('j', 'X')), 'adopt/other-content'],
    ['differs in the last stored part', fileOf(BYTES.replace('p', 'X')), 'adopt/other-content'],
  ])('SAF-04 refuses a file that %s, and changes nothing', async (_how, file, code) => {
    expect(await adopt(file)).toMatchObject({ ok: false, error: { code } })
    expect(await db.uploads.count()).toBe(0)
    expect(api.requests.map(({ line }) => line)).toEqual([`GET /v1/upload-requests/${ID}`])
  })

  it('SAF-04 goes by the name where nothing has arrived that could be compared', async () => {
    await serve([])
    expect(await adopt(fileOf(BYTES, 'other.mp4'))).toMatchObject({
      ok: false,
      error: { code: 'adopt/other-content' },
    })
    expect(await adopt(fileOf(BYTES))).toMatchObject({ ok: true })
  })

  it('SRC-08 a name whose accents macOS takes apart is the same name', async () => {
    await serve([], 'open', 'été.mp4')
    const apart = fileOf(BYTES, 'été.mp4'.normalize('NFD'))
    expect(await adopt(apart)).toMatchObject({ ok: true })
  })

  it('says whether the upload has ended, or the server did not answer', async () => {
    await serve([1], 'aborted')
    expect(await adopt(fileOf(BYTES))).toEqual({ ok: false, error: { code: 'adopt/not-open' } })
    api.routes.set(`GET /v1/upload-requests/${ID}`, () => problem(404, 'uploads/not-found'))
    expect(await adopt(fileOf(BYTES))).toEqual({ ok: false, error: { code: 'adopt/not-open' } })
    api.faults.push('lost-before')
    expect(await adopt(fileOf(BYTES))).toMatchObject({
      ok: false,
      error: { code: 'adopt/no-answer', failure: { code: 'api/no-response' } },
    })
  })
})

describe('an upload of a trim that another device has begun', () => {
  const film = (seed: number): File => {
    const samples = Array.from({ length: 60 }, (_, at) => ({
      decoded: at * 100,
      lasts: 100,
      later: 0,
      isKey: at % 10 === 0,
      bytes: new Uint8Array(50).fill(at * seed),
    }))
    const bytes = movie([{ kind: 'vide', timeScale: 1000, perChunk: 5, samples }])
    return new File([new Uint8Array(bytes)], 'beach.mp4', { lastModified: 7 })
  }
  const TRIM = { fromMs: 2_000, toMs: 4_000 }

  /** The server has the only part of it. */
  async function serveTrim(): Promise<number> {
    const cut = await cutFile(webCryptoDigest, fileSource(film(1)), TRIM)
    const bytes = await cut?.source.read(0, cut.composed.sizeBytes)
    if (cut === null || bytes?.ok !== true) throw new Error('it cannot be cut')
    const { sizeBytes } = cut.composed
    const base = fakeUploadRequest({ state: 'open', receivedBytes: sizeBytes })
    const part = {
      partNumber: 1,
      partSize: sizeBytes,
      presignedUrl: null,
      eTag: 'e1',
      size: sizeBytes,
      checksumSha256: await sha256Base64(webCryptoDigest, bytes.value),
      heldBytes: 0,
    }
    const upload = {
      ...base.upload,
      metadata: { clientFilename: 'beach.mp4', clientFileSize: sizeBytes },
      trim: { ...TRIM, wholeFileSize: film(1).size },
      partSize: sizeBytes,
      partCount: 1,
      parts: [part],
    }
    const uploadRequest = { ...base, upload }
    api.routes.set(`GET /v1/upload-requests/${ID}`, () => Response.json({ uploadRequest }))
    return sizeBytes
  }

  it('NOW-02 is cut again of the whole, and goes on', async () => {
    const sizeBytes = await serveTrim()
    const adopted = await adopt(film(1))
    expect(await db.uploads.toArray()).toMatchObject([
      {
        id: adopted.ok ? adopted.value : null,
        file: { name: 'beach.mp4', sizeBytes },
        trim: { ...TRIM, wholeSizeBytes: film(1).size },
        plan: { sizeBytes },
      },
    ])
    expect(await db.excerpts.toArray()).toMatchObject([{ sizeBytes }])
  })

  it('NOW-02 takes no other file, and not only a part of it', async () => {
    const sizeBytes = await serveTrim()
    expect(await adopt(film(3))).toEqual(err({ code: 'adopt/other-content' }))
    expect(await adopt(fileOf('a'.repeat(film(1).size)))).toEqual(
      err({ code: 'adopt/other-content' }),
    )
    expect(await adopt(fileOf('a'.repeat(sizeBytes)))).toEqual(
      err({ code: 'adopt/other-size', sizeBytes, expectedBytes: film(1).size }),
    )
    expect(await db.excerpts.count()).toBe(0)
  })
})

describe('a file that is chosen for a new upload', () => {
  const known = (safeBytes: number) =>
    writeFact(
      db,
      FACTS.uploads,
      [
        {
          uploadRequestId: ID,
          name: 'beach.mp4',
          sizeBytes: BYTES.length,
          hasEnded: false,
          isValidated: false,
          isFailed: false,
          createdAt: '2026-11-21T09:30:00.000Z',
          open: { safeBytes, lastReceivedAtEpochMs: null },
        },
      ],
      NOW,
    )

  it('SAF-04 is found among the unfinished uploads of the account by its content', async () => {
    await known(16)
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES, 'renamed.mp4'))).toEqual({
      ruleId: 'B8',
      verdict: 'warn',
      facts: {
        atEpochMs: Date.parse('2026-11-21T09:30:00.000Z'),
        name: 'beach.mp4',
        uploadRequestId: ID,
        safeBytes: 16,
        sizeBytes: BYTES.length,
      },
    })
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES.replace('a', 'X')))).toBeNull()
  })

  it('SAF-04 is found by its name where no part is whole there, or nothing has arrived', async () => {
    await known(0)
    await serve([])
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES))).toMatchObject({
      ruleId: 'B8',
      facts: { uploadRequestId: ID },
    })
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES, 'other.mp4'))).toBeNull()
  })

  it('is new where the upload is held here, or cannot be asked about', async () => {
    await known(16)
    api.faults.push('lost-before')
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES))).toBeNull()
    await db.uploads.add(fakeUploadRow({ uploadRequestId: ID }))
    expect(await unfinishedElsewhere(deps(), fileOf(BYTES))).toBeNull()
    expect(api.requests).toEqual([])
  })
})
