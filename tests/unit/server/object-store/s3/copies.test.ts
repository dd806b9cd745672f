import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Copies } from '#server/object-store/copies.ts'
import { createS3Copies, type S3CopiesDeps } from '#server/object-store/s3/copies.ts'
import { DamagedObject } from '#server/object-store/s3/partial-copy.ts'
import { createStoredObject, type StoredObject } from '#tests/fakes/stored-object.ts'

const PART = 1024
const BYTES = randomBytes(10 * PART + 100)
const signal = new AbortController().signal

interface World {
  readonly object: StoredObject
  readonly copies: Copies
  readonly folder: string
  /** All of the object, as a copy lends it. */
  readonly whole: () => Promise<Buffer>
  readonly range: (start: number, end: number) => Promise<Buffer>
}

async function world({
  keepBytes = 2 * BYTES.length,
  ...told
}: Partial<Pick<S3CopiesDeps, 'keepBytes' | 'onBytes'>> = {}): Promise<World> {
  const base = await mkdtemp(join(tmpdir(), 'onecut-copies-'))
  onTestFinished(() => rm(base, { recursive: true }))
  const folder = join(base, 'copies')
  const object = await createStoredObject(BYTES, PART)
  const copies = createS3Copies({ ...object, ...told, folder, keepBytes })
  return {
    object,
    copies,
    folder,
    whole: async () => await copies.use(object.plan, signal, (path) => readFile(path)),
    range: async (start, end) =>
      await copies.useRanges(object.plan, signal, ({ read }) => read({ start, end })),
  }
}

it('SCL-08 bytes of a video are fetched by the parts that hold them, and no part twice', async () => {
  const { object, copies, whole, range } = await world()
  expect(await range(PART - 10, PART + 10)).toEqual(BYTES.subarray(PART - 10, PART + 10))
  expect(object.readBytes()).toBe(2 * PART)
  expect(await range(PART, 3 * PART)).toEqual(BYTES.subarray(PART, 3 * PART))
  expect(object.readBytes()).toBe(3 * PART)
  expect(await range(10 * PART, BYTES.length)).toEqual(BYTES.subarray(10 * PART))
  const missing = await copies.useRanges(object.plan, signal, async ({ missingBytes }) => [
    missingBytes([{ start: 0, end: PART }]),
    missingBytes([
      { start: 0, end: 4 * PART },
      { start: 3 * PART, end: 3 * PART + 1 },
    ]),
    missingBytes([{ start: 0, end: BYTES.length }]),
  ])
  expect(missing).toEqual([0, PART, 7 * PART])
  expect((await whole()).equals(BYTES)).toBe(true)
  expect(object.readBytes()).toBe(BYTES.length)
  expect(await range(0, BYTES.length)).toEqual(BYTES)
  expect(object.readBytes()).toBe(BYTES.length)
})

it('SCL-05 it is told which bytes were here and which had to be fetched', async () => {
  const told = { here: 0, fetched: 0 }
  const { whole, range } = await world({
    onBytes: (how, bytes) => {
      told[how] += bytes
    },
  })
  await range(10, PART)
  expect(told).toEqual({ here: 0, fetched: PART })
  await range(0, 10)
  expect(told).toEqual({ here: 10, fetched: PART })
  await whole()
  expect(told).toEqual({ here: 10 + PART, fetched: BYTES.length })
  await whole()
  expect(told).toEqual({ here: 10 + PART + BYTES.length, fetched: BYTES.length })
})

it('SCL-08 it says of which uploads bytes are here', async () => {
  const { object, copies, range } = await world()
  await copies.useRanges(object.plan, signal, async () => expect(copies.held()).toEqual([]))
  await range(0, 10)
  expect(copies.held()).toEqual([object.plan.uploadId])
})

it('SCL-08 uses that want the same parts at once wait for one fetch of them', async () => {
  const { object, whole, range } = await world()
  const all = await Promise.all([range(0, 10), whole(), range(5 * PART, 6 * PART), whole()])
  expect(all.map(({ length }) => length)).toEqual([10, BYTES.length, PART, BYTES.length])
  expect(all[3]?.equals(BYTES)).toBe(true)
  expect(object.readBytes()).toBe(BYTES.length)
})

it('SAF-02 damaged parts are named and never lent, and after them all is fetched again', async () => {
  const { object, whole, range } = await world()
  object.damage(2 * PART)
  object.damage(10 * PART + 99)
  const parts = async (work: () => Promise<unknown>): Promise<unknown> =>
    await work().catch((error: unknown) =>
      error instanceof DamagedObject ? error.partNumbers : error,
    )
  expect(await range(0, PART)).toEqual(BYTES.subarray(0, PART))
  expect(await parts(() => range(2 * PART, 2 * PART + 1))).toEqual([3])
  expect(await parts(whole)).toEqual([3, 11])
  object.damage(2 * PART)
  object.damage(10 * PART + 99)
  object.reads.length = 0
  expect((await whole()).equals(BYTES)).toBe(true)
  expect(object.readBytes()).toBe(BYTES.length)
})

it('SCL-08 a use that is given up ends its fetch, and what had come stays', async () => {
  const { object, copies, whole, range } = await world()
  await range(0, PART)
  const stop = new AbortController()
  const held = Promise.withResolvers<void>()
  object.holdReads(async () => {
    stop.abort(new Error('stopped'))
    await held.promise
  })
  await expect(copies.use(object.plan, stop.signal, readFile)).rejects.toThrow('stopped')
  object.holdReads(null)
  object.reads.length = 0
  expect((await whole()).equals(BYTES)).toBe(true)
  held.resolve()
  expect(object.readBytes()).toBe(BYTES.length - PART)
})

it('SCL-08 another use goes on with a fetch whose first user is gone', async () => {
  const { object, copies } = await world()
  const stop = new AbortController()
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const joined = Promise.withResolvers<void>()
  object.holdReads(async () => {
    asked.resolve()
    await held.promise
  })
  const first = copies.use(object.plan, stop.signal, readFile)
  await asked.promise
  const second = copies.useRanges(object.plan, signal, async ({ read }) => {
    joined.resolve()
    return await read({ start: 0, end: BYTES.length })
  })
  await joined.promise
  stop.abort(new Error('stopped'))
  await expect(first).rejects.toThrow('stopped')
  held.resolve()
  expect((await second).equals(BYTES)).toBe(true)
  expect(object.readBytes()).toBe(BYTES.length)
})

it('SCL-08 an unused copy keeps as many bytes as it may, and none where it may not', async () => {
  const kept = await world({ keepBytes: 3 * PART })
  await kept.range(0, 3 * PART)
  expect(await readdir(kept.folder)).toHaveLength(1)
  await kept.range(0, 4 * PART)
  expect(await readdir(kept.folder)).toEqual([])
  await kept.range(0, PART)
  expect(kept.object.readBytes()).toBe(5 * PART)
})

it('SCL-08 a folder that was swept away costs a fetch, and nothing else', async () => {
  const { folder, whole } = await world()
  await whole()
  await rm(folder, { recursive: true })
  expect((await whole()).equals(BYTES)).toBe(true)
})
