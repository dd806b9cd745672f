import { urlOf } from '#tests/setup/part-url.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uploadRequests, users } from '#server/db/schema.ts'
import { createDiskStore, type DiskStore } from '#server/object-store/disk.ts'
import { createPartLedger } from '#server/object-store/part-ledger.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { lonePartLocks } from '#tests/fakes/part-locks.ts'
import { DISK_STORE_KEY } from '#tests/setup/disk-store-server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { startDiskStoreProcess, type DiskStoreProcess } from '#tests/setup/disk-store-process.ts'
import { beginPart, checksumOf } from '#tests/setup/raw-part.ts'

const MIB = 1024 ** 2
const PART = 4 * MIB

let root: string
let database: TestDatabase
/** Signs and reads; the parts go to the processes. */
let store: DiskStore
let processes: DiskStoreProcess[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'onecut-processes-'))
  database = await createTestDatabase()
  const clock = () => new Date()
  store = createDiskStore({
    root,
    key: DISK_STORE_KEY,
    floorBytes: 0,
    ledger: createPartLedger(database.db, clock),
    locks: lonePartLocks,
    clock,
  })
  processes = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()))
  await database.drop()
  await rm(root, { recursive: true, force: true })
})

const start = (): Promise<DiskStoreProcess> => startDiskStoreProcess(root, database.connection)

async function openUpload(partCount: number): Promise<MultipartPlan> {
  const [userId, uploadId] = [randomUUID(), randomUUID()]
  const plan: MultipartPlan = {
    uploadId,
    objectKey: `uploads/${uploadId}`,
    sizeBytes: partCount * PART,
    partSizeBytes: PART,
    partCount,
  }
  const at = new Date()
  await database.db
    .insert(users)
    .values({ id: userId, email: `${userId}@example.com`, trialEndsAt: at, createdAt: at })
  await database.db.insert(uploadRequests).values({
    id: uploadId,
    userId,
    idempotencyKey: uploadId,
    bodyHash: '',
    purpose: 'media-job',
    provider: 's3-multipart',
    clientFilename: 'beach.mp4',
    sizeBytes: plan.sizeBytes,
    partSizeBytes: PART,
    partCount,
    state: 'open',
    objectKey: plan.objectKey,
    createdAt: at,
  })
  await store.createMultipart(plan)
  return plan
}

async function urlAt(process: number, plan: MultipartPlan, n = 1): Promise<URL> {
  return new URL(await urlOf(store, plan, n), processes[process]?.origin)
}

const heldBytes = async (plan: MultipartPlan): Promise<number> =>
  (await store.heldParts(plan, null)).parts[0]?.heldBytes ?? 0

/** What the ledger says of part 1, and the SHA-256 of what lies on the disk, both in base64. */
async function ledgerAndDisk(plan: MultipartPlan): Promise<[string | null | undefined, string]> {
  const [part] = await store.listParts(plan, null)
  const file = await readFile(join(root, 'multipart', plan.uploadId))
  return [part?.checksumSha256, checksumOf(file.subarray(0, PART))]
}

it('SAF-08 a slow damaged part at one process never overwrites the part that another one confirmed', async () => {
  const plan = await openUpload(1)
  const body = new Uint8Array(randomBytes(PART))
  const checksum = { 'x-amz-checksum-sha256': checksumOf(body) }
  const slow = beginPart(await urlAt(0, plan), { sizeBytes: PART, headers: checksum })
  await slow.send(body.subarray(0, 2 * MIB))
  await expect.poll(() => heldBytes(plan)).toBeGreaterThan(MIB)

  const good = await fetch(await urlAt(1, plan), { method: 'PUT', body, headers: checksum })
  expect(good.status).toBe(200)
  await slow.send(new Uint8Array(PART - 2 * MIB)).catch(() => undefined)
  expect(await slow.answer).toMatchObject({ status: 503, code: 'parts/superseded' })
  expect(await ledgerAndDisk(plan)).toEqual([checksumOf(body), checksumOf(body)])
})

it('SAF-08 of many versions of one part at two processes, the ledger has the one on the disk', async () => {
  const plan = await openUpload(1)
  const versions = Array.from({ length: 8 }, () => new Uint8Array(randomBytes(PART)))
  const answers = await Promise.all(
    versions.map(async (body, index) => {
      const url = await urlAt(index % 2, plan)
      const checksum = index < 4 ? { 'x-amz-checksum-sha256': checksumOf(body) } : {}
      return (await fetch(url, { method: 'PUT', body, headers: checksum })).status
    }),
  )
  expect(answers.every((status) => status === 200 || status === 503)).toBe(true)
  expect(answers).toContain(200)
  const [ledger, disk] = await ledgerAndDisk(plan)
  expect(ledger).toBe(disk)
  expect(versions.map(checksumOf)).toContain(disk)
})

it('SAF-03 a part that one process held goes on at the other, and after SIGKILL at most 1 MiB is sent again', async () => {
  const plan = await openUpload(1)
  const body = new Uint8Array(randomBytes(PART))
  const checksum = { 'x-amz-checksum-sha256': checksumOf(body) }
  const part = beginPart(await urlAt(0, plan), { sizeBytes: PART, headers: checksum })
  await part.send(body.subarray(0, 3 * MIB))
  await expect.poll(() => heldBytes(plan)).toBeGreaterThan(2 * MIB)
  await processes[0]?.kill()
  processes[0] = await start()

  const url = await urlAt(1, plan)
  const look = await fetch(url, { method: 'HEAD', headers: checksum })
  const offset = Number(look.headers.get('upload-offset'))
  expect([look.status, look.headers.get('upload-complete')]).toEqual([200, '?0'])
  expect(offset).toBeGreaterThan(2 * MIB)
  const rest = await fetch(url, {
    method: 'PATCH',
    headers: { ...checksum, 'upload-offset': String(offset) },
    body: body.subarray(offset),
  })
  expect([rest.status, rest.headers.get('etag')]).toEqual([
    200,
    `"${createHash('sha256').update(body).digest('hex')}"`,
  ])
  expect(await ledgerAndDisk(plan)).toEqual([checksumOf(body), checksumOf(body)])
})

it('SAF-08 an attempt whose lock is lost writes no more, and its part goes on afterwards', async () => {
  const plan = await openUpload(1)
  const body = new Uint8Array(randomBytes(PART))
  const checksum = { 'x-amz-checksum-sha256': checksumOf(body) }
  const url = await urlAt(0, plan)
  const part = beginPart(url, { sizeBytes: PART, headers: checksum })
  await part.send(body.subarray(0, 2 * MIB))
  await expect.poll(() => heldBytes(plan)).toBeGreaterThan(MIB)
  await database.db.execute(sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())
  `)
  expect(await part.answer).toMatchObject({ status: 503, code: 'parts/busy' })
  part.cut()
  expect(await store.listParts(plan, null)).toEqual([])

  const look = await fetch(url, { method: 'HEAD', headers: checksum })
  const offset = Number(look.headers.get('upload-offset'))
  expect(offset).toBeGreaterThan(MIB)
  const headers = { ...checksum, 'upload-offset': String(offset) }
  const rest = await fetch(url, { method: 'PATCH', headers, body: body.subarray(offset) })
  expect(rest.status).toBe(200)
  expect(await ledgerAndDisk(plan)).toEqual([checksumOf(body), checksumOf(body)])
})

it('SAF-08 parts under way take less than 1 MiB of memory each', async () => {
  const plans = [
    await openUpload(10),
    await openUpload(10),
    await openUpload(10),
    await openUpload(10),
  ]
  const [process] = processes
  const body = new Uint8Array(randomBytes(PART))
  await fetch(await urlAt(0, await openUpload(1)), { method: 'PUT', body }) // loads what is lazy
  const before = await process!.heldMemory()
  const parts = await Promise.all(
    plans.flatMap((plan) =>
      Array.from({ length: 10 }, async (_, index) => {
        const headers = { 'x-amz-checksum-sha256': checksumOf(body) }
        const part = beginPart(await urlAt(0, plan, index + 1), { sizeBytes: PART, headers })
        await part.send(body.subarray(0, -1))
        return part
      }),
    ),
  )
  for (const plan of plans)
    await expect
      .poll(
        async () =>
          (await store.heldParts(plan, null)).parts.filter(
            (part) => part.heldBytes > PART - MIB / 2,
          ).length,
      )
      .toBe(10)
  expect((await process!.heldMemory()) - before).toBeLessThan(40 * MIB)
  await Promise.all(parts.map((part) => part.send(body.subarray(-1))))
  for (const part of parts) expect((await part.answer).status).toBe(200)
  // The second time, every chunk has been written long ago.
  expect((await process!.heldMemory()) - before).toBeLessThan(10 * MIB)
})
