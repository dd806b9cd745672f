import { urlOf as partUrlOf } from '#tests/setup/part-url.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { createMemoryPartLedger } from '#tests/fakes/part-ledger.ts'
import { startDiskStoreServer, type DiskStoreServer } from '#tests/setup/disk-store-server.ts'
import { beginPart, checksumOf, type RawPart } from '#tests/setup/raw-part.ts'

const KIB = 1024
const PART = 1024 * KIB
const body = new Uint8Array(randomBytes(PART))
const checksum = { 'x-amz-checksum-sha256': checksumOf(body) }

let server: DiskStoreServer
let ledger: ReturnType<typeof createMemoryPartLedger>
let plan: MultipartPlan
let url: URL
beforeEach(async () => {
  ledger = createMemoryPartLedger()
  server = await startDiskStoreServer({ ledger })
  const uploadId = randomUUID()
  plan = {
    uploadId,
    objectKey: `uploads/${uploadId}`,
    sizeBytes: 2 * PART,
    partSizeBytes: PART,
    partCount: 2,
  }
  await server.store.createMultipart(plan)
  url = await urlOf(2)
})
afterEach(async () => {
  await server.close()
})

const urlOf = async (n: number): Promise<URL> =>
  new URL(await partUrlOf(server.store, plan, n), server.origin)

const heldBytes = async (): Promise<number> =>
  (await server.store.heldParts(plan, null)).parts.find(({ partNumber }) => partNumber === 2)
    ?.heldBytes ?? 0

/** Sends `bytes` of the part, breaks off, and returns what is held then: nearly all of it. */
async function breakOffAt(bytes: number): Promise<number> {
  const part = beginPart(url, { sizeBytes: PART, headers: checksum })
  await part.send(body.subarray(0, bytes))
  return await cut(part, bytes)
}

async function cut(part: RawPart, sent: number): Promise<number> {
  part.cut()
  await expect.poll(heldBytes).toBeGreaterThan(sent - 192 * KIB)
  const { offset } = await look()
  expect(offset).toBeLessThanOrEqual(sent)
  return offset
}

async function look(headers: Readonly<Record<string, string>> = checksum) {
  return headersOf(await fetch(url, { method: 'HEAD', headers }))
}

async function goOn(offset: number, bytes: Uint8Array<ArrayBuffer>, headers = checksum) {
  const answer = await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': String(offset) },
    body: bytes,
  })
  const text = await answer.text()
  const code = text === '' ? null : (JSON.parse(text) as { error: { code: string } }).error.code
  return { ...headersOf(answer), code }
}

function headersOf(answer: Response) {
  return {
    status: answer.status,
    offset: Number(answer.headers.get('upload-offset')),
    complete: answer.headers.get('upload-complete'),
    eTag: answer.headers.get('etag'),
  }
}

async function storedPart(): Promise<Buffer> {
  return (await readFile(join(server.root, 'multipart', plan.uploadId))).subarray(PART)
}

const eTag = `"${createHash('sha256').update(body).digest('hex')}"`

describe('a part that broke off', () => {
  it('SAF-03 goes on from the last byte that arrived', async () => {
    const at = await breakOffAt(700 * KIB + 1)
    expect(await look()).toEqual({ status: 200, offset: at, complete: '?0', eTag: null })
    expect(await goOn(at, body.subarray(at))).toMatchObject({
      status: 200,
      complete: '?1',
      eTag,
    })
    expect((await storedPart()).equals(body)).toBe(true)
    expect(await look()).toEqual({ status: 200, offset: PART, complete: '?1', eTag })
    expect((await server.store.listParts(plan, null)).map((part) => part.partNumber)).toEqual([2])
  })

  it('SAF-03 goes on in pieces, each of which may break off too', async () => {
    expect(await goOn(0, body.subarray(0, 256 * KIB))).toMatchObject({
      status: 204,
      offset: 256 * KIB,
      complete: '?0',
    })
    const part = beginPart(url, {
      method: 'PATCH',
      sizeBytes: PART - 256 * KIB,
      headers: { ...checksum, 'upload-offset': String(256 * KIB) },
    })
    await part.send(body.subarray(256 * KIB, 900 * KIB))
    const at = await cut(part, 900 * KIB)
    expect(await goOn(at, body.subarray(at, at + 1))).toMatchObject({ status: 204, offset: at + 1 })
    expect(await goOn(at + 1, body.subarray(at + 1))).toMatchObject({ status: 200, eTag })
    expect((await storedPart()).equals(body)).toBe(true)
  })

  it('SAF-03 keeps what is held when a PATCH begins elsewhere, and says where to go on', async () => {
    const held = await breakOffAt(500 * KIB)
    for (const offset of [held - 1, held + 1])
      expect(await goOn(offset, body.subarray(offset))).toMatchObject({
        status: 409,
        offset: held,
        code: 'parts/offset-differs',
      })
    expect(await goOn(held, body.subarray(held))).toMatchObject({ status: 200, eTag })
  })

  it('SAF-03 says all that is held after a piece from the beginning that ends before it', async () => {
    const held = await breakOffAt(700 * KIB)
    expect(await goOn(0, body.subarray(0, 256 * KIB))).toMatchObject({ status: 204, offset: held })
    expect(await goOn(held, body.subarray(held))).toMatchObject({ status: 200, eTag })
    expect((await storedPart()).equals(body)).toBe(true)
  })

  it('SAF-03 holds nothing for another version, and takes that one from its beginning', async () => {
    await breakOffAt(500 * KIB)
    const other = new Uint8Array(randomBytes(PART))
    const otherChecksum = { 'x-amz-checksum-sha256': checksumOf(other) }
    expect(await look(otherChecksum)).toMatchObject({ status: 200, offset: 0, complete: '?0' })
    expect(await goOn(500 * KIB, other.subarray(500 * KIB), otherChecksum)).toMatchObject({
      status: 409,
      offset: 0,
    })
    expect(await goOn(0, other.subarray(0, 100), otherChecksum)).toMatchObject({ offset: 100 })
    expect(await look()).toMatchObject({ offset: 0 })
    expect(await goOn(100, other.subarray(100), otherChecksum)).toMatchObject({ status: 200 })
    expect((await storedPart()).equals(other)).toBe(true)
  })

  it('SAF-03 drops what is held when the whole is not what its checksum says', async () => {
    const damaged = new Uint8Array(body)
    damaged[10] = ~(damaged[10] ?? 0)
    expect(await goOn(0, damaged.subarray(0, 600 * KIB))).toMatchObject({ status: 204 })
    expect(await goOn(600 * KIB, body.subarray(600 * KIB))).toMatchObject({
      status: 400,
      code: 'BadDigest',
    })
    expect(await look()).toMatchObject({ offset: 0, complete: '?0' })
    expect(await server.store.listParts(plan, null)).toEqual([])
    expect((await fetch(url, { method: 'PUT', body, headers: checksum })).status).toBe(200)
  })

  it('SAF-03 loses nothing of what is held when a repeat from the beginning breaks off earlier', async () => {
    const held = await breakOffAt(900 * KIB)
    const again = beginPart(url, { sizeBytes: PART, headers: checksum })
    await again.send(body.subarray(0, 300 * KIB))
    again.cut()
    expect(await look()).toMatchObject({ offset: held })
  })

  it('SAF-03 keeps nothing without a checksum', async () => {
    await breakOffAt(300 * KIB)
    const part = beginPart(url, { sizeBytes: PART })
    await part.send(body.subarray(0, 400 * KIB))
    await expect.poll(heldBytes).toBe(0)
    part.cut()
    expect(await look()).toMatchObject({ offset: 0 })
  })
})

describe('looking at a part', () => {
  it('SAF-03 ends an attempt that still receives, so that its offset is final', async () => {
    const part = beginPart(url, { sizeBytes: PART, headers: checksum })
    await part.send(body.subarray(0, 600 * KIB))
    await expect.poll(heldBytes).toBeGreaterThan(0)
    const { offset } = await look()
    expect(offset).toBeGreaterThan(0)
    expect(await part.answer).toMatchObject({ status: 503, code: 'parts/superseded' })
    part.cut()
    expect(await look()).toMatchObject({ offset })
    expect(await goOn(offset, body.subarray(offset))).toMatchObject({ status: 200, eTag })
  })

  it('SAF-03 says how much of a part has arrived while it still receives', async () => {
    const part = beginPart(url, { sizeBytes: PART, headers: checksum })
    let sent = 0
    const sendAndLook = async (): Promise<number> => {
      await part.send(body.subarray(sent, (sent += KIB)))
      return await heldBytes()
    }
    await expect.poll(sendAndLook).toBeGreaterThan(0)
    expect(sent, 'less than a batch').toBeLessThan(384 * KIB)
    part.cut()
  })

  it('SAF-03 stores a part that lost only its row', async () => {
    const { record } = ledger
    ledger.record = async () => {
      throw new Error('the database is away')
    }
    const answer = await fetch(url, { method: 'PUT', body, headers: checksum })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    ledger.record = record
    expect(await look()).toMatchObject({ offset: PART, complete: '?1', eTag })
  })

  it('SAF-03 refuses requests that do not say which version or which place they mean', async () => {
    const patch = { method: 'PATCH', body: body.subarray(0, 10) }
    const at = (offset: string) => ({ 'upload-offset': offset })
    const wrong: RequestInit[] = [
      { method: 'HEAD' },
      { method: 'HEAD', headers: { 'x-amz-checksum-sha256': 'short' } },
      { method: 'PUT', body, headers: { 'x-amz-checksum-sha256': `${'A'.repeat(44)}` } },
      { ...patch, headers: at('0') },
      { ...patch, headers: checksum },
      { ...patch, headers: { ...checksum, ...at('-1') } },
      { ...patch, headers: { ...checksum, ...at('1e3') } },
    ]
    for (const init of wrong) expect((await fetch(url, init)).status).toBe(422)
    const beyond = { ...checksum, ...at(String(PART - 9)) }
    expect((await fetch(url, { ...patch, headers: beyond })).status).toBe(400)
    expect(
      (await fetch(url, { ...patch, body: '', headers: { ...checksum, ...at('0') } })).status,
    ).toBe(400)
    expect((await fetch(url)).status).toBe(405)
    expect(await heldBytes()).toBe(0)
  })
})

it('SAF-03 a part that is stored already is answered without being written again', async () => {
  await fetch(url, { method: 'PUT', body, headers: checksum })
  const other = new Uint8Array(PART)
  const answer = await fetch(url, { method: 'PUT', body: other, headers: checksum })
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, eTag])
  expect(await goOn(5, other.subarray(5))).toMatchObject({ status: 200, complete: '?1', eTag })
  expect((await storedPart()).equals(body)).toBe(true)
})

it('SAF-08 of 200 parts at once the surplus is refused before its body, and nothing fails after it', async () => {
  plan = { ...plan, uploadId: randomUUID(), sizeBytes: 200 * PART, partCount: 200 }
  await server.store.createMultipart(plan)
  const parts: RawPart[] = []
  for (let n = 1; n <= 200; n += 1)
    parts.push(beginPart(await urlOf(n), { sizeBytes: PART, headers: checksum }))
  const refused = await Promise.all(
    parts.map(async (part, index) => {
      // Sixteen of one upload are taken; they answer nothing before they have their bytes.
      if (index < 16) return null
      return await part.answer
    }),
  )
  for (const answer of refused.slice(16)) {
    expect(answer).toMatchObject({ status: 503, code: 'parts/busy' })
    expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0)
  }
  const taken = parts.slice(0, 16)
  await Promise.all(taken.map(async (part) => await part.send(body)))
  for (const part of taken) expect((await part.answer).status).toBe(200)
  for (const part of parts) part.cut()
})
