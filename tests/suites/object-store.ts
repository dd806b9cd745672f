import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, beforeAll, afterAll } from 'vitest'
import type { Copies } from '#server/object-store/copies.ts'
import type { MultipartPlan, ObjectStore, PartBytes } from '#server/object-store/port.ts'

/** A store under test and the origin its relative part URLs belong to. */
export interface StoreUnderTest {
  readonly store: ObjectStore
  readonly copies: Copies
  readonly origin: string
  readonly scratchDir: string
  close(): Promise<void>
}

/** What every object store does, whatever holds the bytes. */
export function describeObjectStore(
  name: string,
  create: () => Promise<StoreUnderTest>,
  partSizeBytes = 256 * 1024,
): void {
  describe(`object store: ${name}`, () => {
    let under: StoreUnderTest
    beforeAll(async () => {
      under = await create()
    })
    afterAll(async () => {
      await under.close()
    })

    const bytes = randomBytes(2 * partSizeBytes + 175_712)
    const makePlan = (): MultipartPlan => {
      const uploadId = randomUUID()
      return {
        uploadId,
        objectKey: `uploads/${uploadId}`,
        sizeBytes: bytes.length,
        partSizeBytes,
        partCount: 3,
      }
    }
    const slice = (plan: MultipartPlan, n: number): Buffer =>
      bytes.subarray((n - 1) * plan.partSizeBytes, n * plan.partSizeBytes)
    const sha256 = (part: Buffer): string => createHash('sha256').update(part).digest('base64')
    const once = (part: Buffer): PartBytes => ({
      version: null,
      async *from(offset) {
        yield await Promise.resolve(part.subarray(offset))
      },
    })
    const put = async (
      plan: MultipartPlan,
      storeUploadId: string | null,
      n: number,
      body: Buffer = slice(plan, n),
    ): Promise<Response> => {
      const part = { partNumber: n, checksumSha256: sha256(body) }
      const { url, headers } = await under.store.signPart(plan, storeUploadId, part, 60)
      return await fetch(new URL(url, under.origin), {
        method: 'PUT',
        body: new Uint8Array(body),
        // As a page does; a store elsewhere says only then what a page may see.
        headers: { ...headers, Origin: 'https://onecut.example' },
      })
    }

    it('UPL-09 stores parts that the server has itself, and keeps none that ends early', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [2, 1])
        await under.store.writePart(plan, storeUploadId, n, once(slice(plan, n)))
      const short = once(slice(plan, 3).subarray(1))
      await expect(under.store.writePart(plan, storeUploadId, 3, short)).rejects.toThrow()
      const before = await under.store.listParts(plan, storeUploadId)
      expect(before.map(({ partNumber }) => partNumber)).toEqual([1, 2])
      await under.store.writePart(plan, storeUploadId, 3, once(slice(plan, 3)))
      const parts = await under.store.listParts(plan, storeUploadId)
      await under.store.completeMultipart(plan, storeUploadId, parts)
      expect(await buffer(await under.store.read(plan.objectKey))).toEqual(bytes)
    })

    it('UPL-09 makes one object of parts that came in any order and more than once', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [3, 1, 2, 1]) {
        const answer = await put(plan, storeUploadId, n)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('etag')).toMatch(/^"?[0-9A-Za-z-]+"?$/)
        expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
      }
      const parts = await under.store.listParts(plan, storeUploadId)
      expect(parts.map((part) => [part.partNumber, part.sizeBytes])).toEqual([
        [1, partSizeBytes],
        [2, partSizeBytes],
        [3, 175712],
      ])
      const unfinished = under.copies.unfinishedPath(plan)
      if (unfinished !== null) expect((await readFile(unfinished)).equals(bytes)).toBe(true)
      await under.store.completeMultipart(plan, storeUploadId, parts)
      expect((await buffer(await under.store.read(plan.objectKey))).equals(bytes)).toBe(true)
      const signal = new AbortController().signal
      const lent = await under.copies.use(plan, signal, async (path) => await readFile(path))
      expect(lent.equals(bytes)).toBe(true)
      const stopped = AbortSignal.abort(new Error('stop'))
      const work = async (path: string) => await readFile(path)
      await expect(under.copies.use(plan, stopped, work)).rejects.toThrow('stop')
    })

    it('UPL-10 lists the parts that are asked for, whatever it said before', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      const listed = async (asked?: readonly number[]): Promise<readonly number[]> =>
        (await under.store.listParts(plan, storeUploadId, asked)).map((part) => part.partNumber)
      await put(plan, storeUploadId, 1)
      expect(await listed([1, 2])).toEqual([1])
      await put(plan, storeUploadId, 3)
      expect(await listed([2, 3])).toContain(3)
      expect(await listed([1])).toContain(1)
      await put(plan, storeUploadId, 2)
      expect(await listed([2])).toContain(2)
      expect(await listed()).toEqual([1, 2, 3])
    })

    it('UPL-10 completes a second time without harm', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [1, 2, 3]) await put(plan, storeUploadId, n)
      const parts = await under.store.listParts(plan, storeUploadId)
      await under.store.completeMultipart(plan, storeUploadId, parts)
      await under.store.completeMultipart(plan, storeUploadId, parts)
      expect(await under.store.head(plan.objectKey)).toEqual({ sizeBytes: bytes.length })
    })

    it('UPL-10 completes for many calls that overtake each other', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [1, 2, 3]) await put(plan, storeUploadId, n)
      const parts = await under.store.listParts(plan, storeUploadId)
      const calls = Array.from({ length: 8 }, () =>
        under.store.completeMultipart(plan, storeUploadId, parts),
      )
      const stored = (await Promise.all(calls)).map((all) => all.map((part) => part.partNumber))
      expect(stored).toEqual(calls.map(() => [1, 2, 3]))
      expect(await under.store.head(plan.objectKey)).toEqual({ sizeBytes: bytes.length })
    })

    it('UPL-10 names the parts that lack or differ and keeps the others', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [1, 3]) await put(plan, storeUploadId, n)
      const parts = await under.store.listParts(plan, storeUploadId)
      await expect(under.store.completeMultipart(plan, storeUploadId, parts)).rejects.toMatchObject(
        { code: 'object-store/parts-missing', partNumbers: [2] },
      )
      await put(plan, storeUploadId, 2)
      const all = await under.store.listParts(plan, storeUploadId)
      const wrong = all.map((part) =>
        part.partNumber === 3 ? { ...part, eTag: '0'.repeat(64) } : part,
      )
      await expect(under.store.completeMultipart(plan, storeUploadId, wrong)).rejects.toMatchObject(
        { partNumbers: [3] },
      )
      await under.store.completeMultipart(plan, storeUploadId, all)
      expect(await under.store.head(plan.objectKey)).toEqual({ sizeBytes: bytes.length })
    })

    it('SAF-02 reads a completed object again and names the parts that changed since', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [1, 2, 3]) await put(plan, storeUploadId, n)
      const parts = await under.store.listParts(plan, storeUploadId)
      expect(parts.map((part) => part.checksumSha256)).toEqual(
        [1, 2, 3].map((n) => sha256(slice(plan, n))),
      )
      await under.store.completeMultipart(plan, storeUploadId, parts)
      const signal = new AbortController().signal
      expect(await under.store.damagedParts(plan, signal)).toEqual([])
      const changed = Buffer.from(bytes)
      changed[plan.partSizeBytes] = ~(changed[plan.partSizeBytes] ?? 0)
      const path = join(under.scratchDir, randomUUID())
      await writeFile(path, changed.subarray(0, -1))
      await under.store.putFile(plan.objectKey, path, 'video/mp4')
      expect(await under.store.damagedParts(plan, signal)).toEqual([2, 3])
      await expect(
        under.store.damagedParts(plan, AbortSignal.abort(new Error('stop'))),
      ).rejects.toThrow('stop')
    })

    it('SAF-02 opens a completed object again, also twice, and takes its parts again', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      for (const n of [1, 2, 3]) await put(plan, storeUploadId, n)
      const first = await under.store.listParts(plan, storeUploadId)
      await under.store.completeMultipart(plan, storeUploadId, first)
      const reopen = async (): Promise<string | null> =>
        (await under.store.reopenMultipart(plan, storeUploadId, [2])).storeUploadId
      await reopen()
      const reopened = await reopen()
      const signal = new AbortController().signal
      expect(await under.store.damagedParts(plan, signal)).toEqual([])
      const other = randomBytes(plan.partSizeBytes)
      expect((await put(plan, reopened, 2, other)).status).toBe(200)
      const parts = await under.store.listParts(plan, reopened)
      await under.store.completeMultipart(plan, reopened, parts)
      const whole = Buffer.concat([slice(plan, 1), other, slice(plan, 3)])
      expect((await buffer(await under.store.read(plan.objectKey))).equals(whole)).toBe(true)
    })

    it('forgets an aborted upload, also twice', async () => {
      const plan = makePlan()
      const { storeUploadId } = await under.store.createMultipart(plan)
      await put(plan, storeUploadId, 1)
      await under.store.abortMultipart(plan, storeUploadId)
      await under.store.abortMultipart(plan, storeUploadId)
      expect((await put(plan, storeUploadId, 2)).status).toBe(404)
      expect(await under.store.head(plan.objectKey)).toBeNull()
    })

    it('stores, reads in ranges and removes a finished file', async () => {
      const path = join(under.scratchDir, randomUUID())
      await writeFile(path, bytes)
      const key = `outputs/${randomUUID()}/1/teaser.mp4`
      expect(await under.store.putFile(key, path, 'video/mp4')).toEqual({ sizeBytes: bytes.length })
      expect(await buffer(await under.store.read(key, { start: 100, end: 199 }))).toEqual(
        bytes.subarray(100, 200),
      )
      await under.store.remove(key)
      await under.store.remove(key)
      expect(await under.store.head(key)).toBeNull()
    })

    it('removes all objects of a folder and no other', async () => {
      const folder = `outputs/${randomUUID()}`
      const keys = [`${folder}/1/a.mp4`, `${folder}/2/b.mp4`, `${folder}-beside/c.mp4`]
      for (const key of keys) {
        const path = join(under.scratchDir, randomUUID())
        await writeFile(path, bytes)
        await under.store.putFile(key, path, 'video/mp4')
      }
      await under.store.removeAll(folder)
      await under.store.removeAll(folder)
      expect(await Promise.all(keys.map((key) => under.store.head(key)))).toEqual([
        null,
        null,
        { sizeBytes: bytes.length },
      ])
    })
  })
}
