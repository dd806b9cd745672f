import { urlOf } from '#tests/setup/part-url.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { RESULTS_ROOM_BYTES } from '#server/budgets.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { createMemoryPartLedger } from '#tests/fakes/part-ledger.ts'
import { startDiskStoreServer, type DiskStoreServer } from '#tests/setup/disk-store-server.ts'
import { patience } from '#tests/setup/patience.ts'
import { describeObjectStore } from '#tests/suites/object-store.ts'

describeObjectStore('disk', async () => {
  const on = await startDiskStoreServer({ ledger: createMemoryPartLedger() })
  return { ...on, copies: on.store.copies }
})

const PART = 1024 * 1024
const planOf = (sizeBytes: number, partSizeBytes = PART): MultipartPlan => {
  const uploadId = randomUUID()
  return {
    uploadId,
    objectKey: `uploads/${uploadId}`,
    sizeBytes,
    partSizeBytes,
    partCount: Math.ceil(sizeBytes / partSizeBytes),
  }
}
const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding)

let server: DiskStoreServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('UPL-09 answers of a part PUT', () => {
  const open = async (
    options: Partial<Parameters<typeof startDiskStoreServer>[0]> = {},
  ): Promise<{
    on: DiskStoreServer
    plan: MultipartPlan
    url: URL
    body: Uint8Array<ArrayBuffer>
    ledger: ReturnType<typeof createMemoryPartLedger>
  }> => {
    const ledger = createMemoryPartLedger()
    const on = await startDiskStoreServer({ ledger, ...options })
    server = on
    const plan = planOf(2 * PART)
    await on.store.createMultipart(plan)
    return {
      on,
      plan,
      ledger,
      url: new URL(await urlOf(on.store, plan, 1), on.origin),
      body: new Uint8Array(randomBytes(PART)),
    }
  }

  it('UPL-09 a whole part is stored at its place and its ETag is its SHA-256', async () => {
    const { on, plan, url, body } = await open()
    const answer = await fetch(url, {
      method: 'PUT',
      body,
      headers: { 'x-amz-checksum-sha256': sha256(body, 'base64') },
    })
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${sha256(body)}"`])
    expect(
      (await readFile(join(on.root, 'multipart', plan.uploadId))).subarray(0, PART).equals(body),
    ).toBe(true)
  })

  it('UPL-09 a part that differs from its checksum is refused and not kept', async () => {
    const { on, plan, url, body } = await open()
    await fetch(url, { method: 'PUT', body })
    const answer = await fetch(url, {
      method: 'PUT',
      body,
      headers: { 'x-amz-checksum-sha256': sha256(new Uint8Array(3), 'base64') },
    })
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]).toEqual([400, 'BadDigest'])
    expect(await on.store.listParts(plan, null)).toEqual([])
  })

  it.each([
    [
      'a changed part number',
      (url: URL) => {
        url.pathname = url.pathname.replace(/1$/, '2')
      },
    ],
    [
      'a changed length',
      (url: URL) => {
        url.searchParams.set('l', '5')
      },
    ],
    [
      'a changed place',
      (url: URL) => {
        url.searchParams.set('o', '5')
      },
    ],
    [
      'a later expiry',
      (url: URL) => {
        url.searchParams.set('e', '99999999999')
      },
    ],
    [
      'no signature',
      (url: URL) => {
        url.searchParams.delete('s')
      },
    ],
    [
      'another upload',
      (url: URL) => {
        url.pathname = url.pathname.replace(/parts\/[^/]+/, `parts/${randomUUID()}`)
      },
    ],
  ])('UPL-09 a URL with %s is 403', async (_title, forge) => {
    const { url, body } = await open()
    forge(url)
    const answer = await fetch(url, { method: 'PUT', body })
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]).toEqual([403, 'parts/signature-invalid'])
  })

  it('TRU-10 the body of a made-up address is not read, and its sender sees the answer', async () => {
    const { url } = await open()
    url.searchParams.set('s', 'made-up')
    // More than the sockets of both sides hold, so that who waits for its end waits for ever.
    const body = new Uint8Array(16 * PART)
    for (let sent = 0; sent < 10; sent += 1) {
      const answer = await fetch(url, { method: 'PUT', body })
      expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'close'])
    }
    const socket = connect(Number(url.port), url.hostname)
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`,
    )
    const [answered] = (await once(socket, 'data')) as [Buffer]
    expect(answered.toString()).toContain('parts/signature-invalid')
    // Of a body that does not come, the server ends the connection.
    await once(socket.resume(), 'close')
  })

  it('UPL-09 a URL is good for its time and then 403', async () => {
    let now = Date.now()
    const { url, body } = await open({ clock: () => new Date(now) })
    now += 59_000
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
    now += 3_000
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(403)
  })

  it('UPL-09 a body of another length is 400, without a length 411', async () => {
    const { url, body } = await open()
    const answer = await fetch(url, { method: 'PUT', body: body.subarray(1) })
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]).toEqual([400, 'parts/wrong-size'])
    const status = await new Promise((resolve, reject) => {
      request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } }, (reply) => {
        resolve(reply.resume().statusCode)
      })
        .on('error', reject)
        .end(body)
    })
    expect(status).toBe(411)
  })

  it('UPL-09 a part of an upload that ended is 404', async () => {
    const { on, plan, ledger, url, body } = await open()
    ledger.close(plan.uploadId)
    const answer = await fetch(url, { method: 'PUT', body })
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]).toEqual([404, 'NoSuchUpload'])
    await on.store.abortMultipart(plan, null)
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(404)
  })

  it('UPL-09 a connection that breaks off leaves no part', async () => {
    const { on, plan, url, body } = await open()
    await fetch(url, { method: 'PUT', body })
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${PART}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 1000))
    await expect.poll(async () => (await on.store.listParts(plan, null)).length).toBe(0)
    socket.destroy()
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
    expect((await on.store.listParts(plan, null)).map((part) => part.eTag)).toEqual([sha256(body)])
  })

  it('UPL-09 a silent connection is ended with 503', async () => {
    const { url, body } = await open({ idleMs: 50 })
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${PART}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 1000))
    const answered = once(socket, 'data') as Promise<[Buffer]>
    expect((await answered).toString()).toMatch(/^HTTP\/1\.1 503 /)
    // The server reads on, so that a client that still sends does not lose the answer.
    const again = once(socket, 'data') as Promise<[Buffer]>
    socket.write(body.subarray(1000))
    socket.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await again).toString()).toMatch(/^HTTP\/1\.1 403 /)
    socket.destroy()
  })

  it('UPL-08 an upload that the disk cannot take is refused', async () => {
    const { on } = await open({ freeBytes: async () => 2 * 1024 ** 3 })
    await expect(on.store.createMultipart(planOf(1024 ** 3))).rejects.toMatchObject({
      code: 'object-store/no-space',
    })
  })

  it('TRU-02 a part waits with 507 while the disk keeps its last room for the database, and is taken when there is room again', async () => {
    const floor = RESULTS_ROOM_BYTES
    let freeBytes = floor + 10 * PART
    const { on, plan, url, body } = await open({ freeBytes: async () => freeBytes })
    freeBytes = floor + PART - 1
    const answer = await fetch(url, { method: 'PUT', body })
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]).toEqual([507, 'uploads/no-space'])
    expect(await on.store.listParts(plan, null)).toEqual([])
    freeBytes = floor + 10 * PART
    await expect
      .poll(async () => (await fetch(url, { method: 'PUT', body })).status, {
        timeout: patience(5),
      })
      .toBe(200)
  })

  it('UPL-08 the same free space is never promised to two uploads that begin at once', async () => {
    // What `open` itself begins is in it too.
    const { on } = await open({ freeBytes: async () => 1024 ** 3 + 100 * 1024 ** 2 })
    const begun = await Promise.allSettled(
      Array.from({ length: 4 }, () => on.store.createMultipart(planOf(40 * 1024 ** 2))),
    )
    expect(begun.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
  })

  it('UPL-09 the last of many attempts at one part counts, and bytes never mix', async () => {
    const { on, plan, url } = await open()
    const attempts = Array.from({ length: 12 }, () => new Uint8Array(randomBytes(PART)))
    const answers = await Promise.all(attempts.map(async (body) => await dribble(url, body)))
    const winners = attempts
      .filter((_body, index) => answers[index] === 200)
      .map((body) => sha256(body))
    expect(answers.every((status) => status === 200 || status === 503)).toBe(true)
    const [part] = await on.store.listParts(plan, null)
    const onDisk = (await readFile(join(on.root, 'multipart', plan.uploadId))).subarray(0, PART)
    expect(part?.eTag).toBe(sha256(onDisk))
    expect(winners).toContain(part?.eTag)
  })
})

/** Sends a body in small pieces with a breath between, so that attempts overlap. */
async function dribble(url: URL, body: Uint8Array): Promise<number> {
  return await new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'PUT', headers: { 'Content-Length': body.length } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sending.on('error', reject)
    const next = (at: number): void => {
      if (at >= body.length) return void sending.end()
      sending.write(body.subarray(at, at + 128 * 1024), () => setImmediate(next, at + 128 * 1024))
    }
    next(0)
  })
}
