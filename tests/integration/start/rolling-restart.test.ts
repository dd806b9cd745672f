import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mails } from '#server/db/schema.ts'
import { startBalancer, type Balancer } from '#tests/setup/balancer.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { patience } from '#tests/setup/patience.ts'
import { PROGRAM_ENV, serverProgram } from '#tests/setup/server-programs.ts'
import { beginUpload, type UploadRequest } from '#tests/setup/upload.ts'

const PART_BYTES = 5 * 1024 ** 2
const SLOW_PARTS = 2
const READS = ['/v1/users/me', '/v1/wallets', '/v1/capabilities', '/v1/media-jobs/paginated']
const PAUSE_MS = 60
let database: TestDatabase
let dataDir: string
let ports: readonly number[]
let balancer: Balancer
let client: TestClient
const running = new Map<number, ChildProcess>()

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'onecut-rolling-'))
  ports = [await freePort(), await freePort()]
  balancer = await startBalancer(ports.map(originOf))
  for (const port of ports) await start(port)
  ;({ client } = await signUpAt({ origin: balancer.origin, mails: readMails }))
})
afterAll(async () => {
  for (const port of running.keys()) await stop(port)
  await balancer.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it(
  'SAF-09 a rolling restart under calls and slow parts shows no 5xx behind a balancer and loses nothing that was acknowledged',
  { timeout: patience(240) },
  async () => {
    const load = startLoad()
    for (const port of ports) {
      const slow = await beginSlowParts()
      const stopped = stop(port)
      await balancer.until(originOf(port), 'out')
      // The server is stopping, and half of each part is still to come.
      expect(await Promise.all(slow.map((part) => part.finish()))).toEqual(
        slow.map(({ sha256 }) => ({ status: 200, eTag: sha256 })),
      )
      expect(await stopped).toBe(0)
      await start(port)
      await balancer.until(originOf(port), 'in')
    }
    const { calls, uploads } = await load.end()
    expect(balancer.failures).toEqual([])
    expect(calls.filter(({ status }) => status >= 400)).toEqual([])
    expect(calls.length).toBeGreaterThan(50)
    for (const { id, eTag } of [...uploads, ...slowlyStored]) {
      const { body } = await client.get<{ uploadRequest: UploadRequest }>(
        `/v1/upload-requests/${id}`,
      )
      expect(body.uploadRequest.upload.parts.map((part) => part.eTag)).toEqual([eTag])
    }
  },
)

/** What was acknowledged: the upload, and its only part by its ETag. */
interface Stored {
  readonly id: string
  readonly eTag: string
}
const slowlyStored: Stored[] = []

/** Parts of which the server has the first half; `finish` sends the rest. */
async function beginSlowParts() {
  return await Promise.all(
    Array.from({ length: SLOW_PARTS }, async () => {
      const bytes = randomBytes(PART_BYTES)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const { id, url } = await begin(bytes.length)
      const half = bytes.length / 2
      const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
      const { promise: sent, resolve: sentHalf } = Promise.withResolvers<void>()
      const body = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes.subarray(0, half)
        // It is asked for more when the first half has gone out.
        sentHalf()
        await rest
        yield bytes.subarray(half)
      }
      const answer = put(url, body(), bytes.length)
      await sent
      return {
        sha256,
        finish: async () => {
          goOn()
          const { status, eTag } = await answer
          if (status === 200) slowlyStored.push({ id, eTag })
          return { status, eTag }
        },
      }
    }),
  )
}

/** Reads, writes and small parts, one after the other in each of three slots, until it is ended. */
function startLoad() {
  const calls: { readonly what: string; readonly status: number }[] = []
  const uploads: Stored[] = []
  let isOver = false
  const repeat = async (call: () => Promise<{ what: string; status: number }>): Promise<void> => {
    while (!isOver) {
      calls.push(await call())
      // Calls without a pause would only take the processor from the servers that start.
      await delay(PAUSE_MS)
    }
  }
  let reads = 0
  const read = async () => {
    const path = READS[(reads += 1) % READS.length] ?? ''
    return { what: path, status: (await client.get(path)).status }
  }
  const storePart = async (): Promise<() => Promise<{ what: string; status: number }>> => {
    const bytes = randomBytes(64 * 1024)
    const { id, url } = await begin(bytes.length)
    uploads.push({ id, eTag: createHash('sha256').update(bytes).digest('hex') })
    return async () => ({ what: 'part', ...(await put(url, bytes, bytes.length)) })
  }
  const key = crypto.randomUUID()
  const write = async () => ({ what: 'upload', status: await repeatUpload(key) })
  const slots = [repeat(read), repeat(write), storePart().then(repeat)]
  return {
    async end() {
      isOver = true
      await Promise.all(slots)
      return { calls, uploads }
    },
  }
}

async function begin(sizeBytes: number): Promise<{ id: string; url: URL }> {
  const upload = await beginUpload(client, sizeBytes)
  return {
    id: upload._id,
    url: new URL(upload.upload.parts[0]?.presignedUrl ?? '', balancer.origin),
  }
}

async function put(
  url: URL,
  body: AsyncIterable<Uint8Array> | Uint8Array,
  sizeBytes: number,
): Promise<{ status: number; eTag: string }> {
  const answer = await fetch(url, {
    method: 'PUT',
    body,
    headers: { 'content-length': String(sizeBytes) },
    duplex: 'half',
  } as RequestInit)
  await answer.body?.cancel()
  return { status: answer.status, eTag: answer.headers.get('etag')?.replaceAll('"', '') ?? '' }
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** A write that a balancer must not repeat by itself: `POST`, with the key of the first one. */
async function repeatUpload(idempotencyKey: string): Promise<number> {
  const metadata = { clientFilename: 'scene.mp4', clientFileSize: 1000 }
  const { status } = await client.post('/v2/upload-requests', {
    uploadRequest: { idempotencyKey, upload: { provider: 's3-multipart', metadata } },
  })
  return status
}

/** Starts an API process on the common database and folder; resolves when it says it is ready. */
async function start(port: number): Promise<void> {
  const { host, port: databasePort, user, database: name } = database.connection
  const address = new URL(`postgres://${user}@localhost/${name}`)
  address.searchParams.set('host', host)
  address.searchParams.set('port', String(databasePort))
  const child = spawn(process.execPath, [await serverProgram()], {
    env: {
      ...process.env,
      ...PROGRAM_ENV,
      ONECUT_ROLE: 'api',
      PORT: String(port),
      ONECUT_DATA_DIR: dataDir,
      ONECUT_PUBLIC_ORIGIN: balancer.origin,
      ONECUT_PART_SIZE_BYTES: String(PART_BYTES),
      DATABASE_URL: address.href,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.set(port, child)
  await once(createInterface(child.stdout), 'line')
}

/** SIGTERM, as process managers send it; resolves with the exit code. */
async function stop(port: number): Promise<number | null> {
  const child = running.get(port)
  running.delete(port)
  if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return child.exitCode
}

/** The mails of the local mailbox, which answers at the servers' own address only. */
async function readMails() {
  const rows = await database.db.select().from(mails).orderBy(desc(mails.createdAt))
  return rows.map(({ recipient, subject, text }) => ({ to: recipient, subject, text }))
}
