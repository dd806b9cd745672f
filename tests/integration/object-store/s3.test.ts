import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MultipartPlan, SignedPart } from '#server/object-store/port.ts'
import { examineStore } from '#server/object-store/s3/doctor.ts'
import { createS3Client } from '#server/object-store/s3/client.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'
import { createS3Store, type S3Store } from '#server/object-store/s3/store.ts'
import { startStrictStore } from '#tests/faults/strict-store.ts'
import { createMemoryPartChecksums } from '#tests/fakes/part-checksums.ts'
import { patience } from '#tests/setup/patience.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { describeObjectStore } from '#tests/suites/object-store.ts'

const MIB = 1024 ** 2
const DAY_MS = 24 * 60 * 60 * 1000
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')

describe.skipIf(CEPH_TREE === null)('S3 on Ceph (needs ONECUT_CEPH_DIR)', () => {
  let store: S3Store
  let scratchDir: string
  let ceph: Awaited<ReturnType<typeof startCeph>>
  let signingAt: Date | null = null
  const checksums = createMemoryPartChecksums()

  beforeAll(async () => {
    scratchDir = await mkdtemp(join(tmpdir(), 'onecut-s3-'))
    ceph = await startCeph(CEPH_TREE ?? '')
    const clock = (): Date => signingAt ?? new Date()
    store = createS3Store({
      place: ceph.place,
      checksums,
      clock,
      copies: { folder: join(scratchDir, 'copies'), keepBytes: 0 },
      roomForEdits: () => Promise.resolve(0),
    })
  }, patience(60))
  afterAll(async () => {
    await store?.close()
    await ceph?.stop()
    await rm(scratchDir, { recursive: true, force: true })
  })

  describeObjectStore(
    'S3',
    async () => ({
      store,
      copies: store.copies,
      origin: ceph.place.endpoint ?? '',
      scratchDir,
      close: () => Promise.resolve(),
    }),
    5 * MIB,
  )

  describe('what is sent with a signed URL', () => {
    const bytes = randomBytes(5 * MIB)
    const uploadId = randomUUID()
    const plan: MultipartPlan = {
      uploadId,
      objectKey: `uploads/${uploadId}`,
      sizeBytes: bytes.length,
      partSizeBytes: bytes.length,
      partCount: 1,
    }
    let storeUploadId: string | null
    let signed: SignedPart
    const put = async (body: Uint8Array, headers = signed.headers): Promise<Response> =>
      await fetch(signed.url, { method: 'PUT', body: new Uint8Array(body), headers })
    const stored = async (): Promise<number> => (await store.listParts(plan, storeUploadId)).length

    beforeAll(async () => {
      ;({ storeUploadId } = await store.createMultipart(plan))
      const part = { partNumber: 1, checksumSha256: sha256(bytes) }
      signed = await store.signPart(plan, storeUploadId, part, 60)
    })

    it('SCL-02 a damaged part is refused by the store itself', async () => {
      const damaged = Buffer.from(bytes)
      damaged[MIB] = ~(damaged[MIB] ?? 0)
      const answer = await put(damaged)
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('<Code>XAmzContentSHA256Mismatch</Code>'),
      ])
      expect(await stored()).toBe(0)
    })

    it('SCL-02 a short part, a header that is left out or changed, and another part are refused', async () => {
      const changed = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
      for (const send of [
        () => put(bytes.subarray(1)),
        () => put(bytes, {}),
        () => put(bytes, changed),
        () =>
          fetch(signed.url.replace('partNumber=1', 'partNumber=2'), {
            method: 'PUT',
            body: new Uint8Array(bytes),
            headers: signed.headers,
          }),
      ])
        expect((await send()).status).toBe(403)
      expect(await stored()).toBe(0)
    })

    it('SCL-02 an expired URL is refused, a fresh one and the right bytes are taken', async () => {
      const part = { partNumber: 1, checksumSha256: sha256(bytes) }
      signingAt = new Date(Date.now() - 120_000)
      const expired = await store.signPart(plan, storeUploadId, part, 60)
      signingAt = null
      const { url, headers } = expired
      const body = new Uint8Array(bytes)
      expect((await fetch(url, { method: 'PUT', body, headers })).status).toBe(403)
      expect((await put(bytes)).status).toBe(200)
      expect(await store.listParts(plan, storeUploadId)).toMatchObject([
        { partNumber: 1, sizeBytes: bytes.length, checksumSha256: sha256(bytes) },
      ])
    })
  })

  it('SCL-03 what killed processes left of files that they wrote in pieces goes after a week, and nothing of others', async () => {
    const client = createS3Client(ceph.place)
    const Bucket = ceph.place.bucket
    const keys = ['elsewhere/a', 'outputs/task/1/0-a.mp4', 'segments/task/3-1.mp4']
    for (const Key of keys) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
      const part = { Bucket, Key, UploadId, PartNumber: 1, Body: randomBytes(1000) }
      await client.send(new UploadPartCommand(part))
    }
    const left = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.map(
        ({ Key }) => Key ?? '',
      ).filter((key) => !key.startsWith('uploads/'))
    // The sweep of a time so much later, which names what is a day old.
    const inDays = async (days: number) =>
      await store.removeOrphans(new Date(Date.now() + (days - 1) * DAY_MS), async () => true)
    expect(await inDays(6.9)).toBe(0)
    expect(await left()).toEqual(keys)
    expect(await inDays(7.1)).toBe(2)
    expect(await left()).toEqual(['elsewhere/a'])
    client.destroy()
  })

  describe('the doctor', () => {
    const publicOrigin = 'https://edits.example.com'
    const found = async (place: S3Place): Promise<string[]> =>
      (await examineStore({ place, publicOrigin })).map(
        ({ verdict, text }) => `${verdict}: ${text}`,
      )

    it('SCL-06 says what Ceph does as it should, and that no rule ends unfinished uploads', async () => {
      const findings = await found(ceph.place)
      expect(findings.filter((finding) => !finding.startsWith('right: '))).toEqual([
        'wrong: No lifecycle rule ends unfinished uploads (AbortIncompleteMultipartUpload): add one of 30 days; docs/production.md#files-in-a-bucket, step 3.',
      ])
      expect(findings.slice(0, 5)).toEqual([
        'right: The keys may list, read, write and delete files, and list and end uploads.',
        'right: Each part is compared with its SHA-256: damaged bytes are refused (S3_CHECKSUMS=payload).',
        'right: A part that is too short is refused.',
        'right: A part without the header that carries its SHA-256 is refused.',
        'right: A part whose URL has expired is refused.',
      ])
    })

    it('SCL-06 refuses a setting with which the store takes damaged bytes, and names the one that holds', async () => {
      expect((await found({ ...ceph.place, checksums: 'checksum' })).slice(1)).toEqual([
        'wrong: The store takes damaged bytes of a part with S3_CHECKSUMS=checksum; with S3_CHECKSUMS=payload it does as it should: set that.',
      ])
    })

    it('SCL-02 SCL-06 the header of AWS is compared by a store that is as strict as AWS', async () => {
      const strict = await startStrictStore(ceph.place.endpoint ?? '')
      const place = { ...ceph.place, endpoint: strict.origin, checksums: 'checksum' } as const
      const findings = await found(place)
      await strict.close()
      expect(findings).toContain(
        'right: Each part is compared with its SHA-256: damaged bytes are refused (S3_CHECKSUMS=checksum).',
      )
      expect(findings.filter((finding) => !finding.startsWith('right: '))).toHaveLength(1)
    })

    it('SCL-06 says in one sentence why a bucket cannot be used, without its keys', async () => {
      const wrongKey = { ...ceph.place, secretAccessKey: 'not-the-secret' }
      expect(await found(wrongKey)).toEqual([
        `wrong: The bucket "onecut" of S3_BUCKET cannot be used at ${ceph.place.endpoint}: S3_SECRET_ACCESS_KEY is another one than that of S3_ACCESS_KEY_ID, or something before the store changes the name of the host.`,
      ])
      expect(await found({ ...ceph.place, accessKeyId: 'not-the-key' })).toEqual([
        `wrong: The bucket "onecut" of S3_BUCKET cannot be used at ${ceph.place.endpoint}: S3_ACCESS_KEY_ID is not known there.`,
      ])
      expect(await found({ ...ceph.place, bucket: 'elsewhere' })).toEqual([
        `wrong: The bucket "elsewhere" of S3_BUCKET cannot be used at ${ceph.place.endpoint}: there is no such bucket.`,
      ])
    })
  })
})
