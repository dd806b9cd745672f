import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  LINK_HOST_CERTIFICATE,
  linkedFile,
  startLinkHost,
  type LinkHost,
} from '#tests/fakes/link-host.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { makeClip } from '#tests/setup/media.ts'
import { beginUpload, type UploadRequest } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'
import { crash, createChance, untilAnswered, type Chance } from './crash-harness.ts'

const PARALLEL = 5
/** The smallest part that S3 takes. */
const PART_BYTES = 5 * 1024 ** 2
/** What is read of a file before its import begins. */
const LOOKED_BYTES = 64 * 1024
const SECRET = 'the-key-of-this-link'
type Part = UploadRequest['upload']['parts'][number]
interface Answer {
  readonly uploadRequest: UploadRequest
  readonly error?: { readonly code: string; readonly message: string }
}

let host: LinkHost
let server: E2eServer
let client: TestClient
let clip: Uint8Array
beforeAll(async () => {
  host = await startLinkHost()
  server = await startE2eServer(
    {
      ONECUT_IMPORT_HOSTS: `share.example:${host.port}`,
      ONECUT_PART_SIZE_BYTES: String(PART_BYTES),
      NODE_EXTRA_CA_CERTS: LINK_HOST_CERTIFICATE,
    },
    'tests/setup/import-server.ts',
  )
  ;({ client } = await signUpAt(server))
  const folder = await mkdtemp(join(tmpdir(), 'onecut-kill-'))
  await makeClip(join(folder, 'clip.mp4'), 2, { size: '160x90' })
  clip = new Uint8Array(await readFile(join(folder, 'clip.mp4')))
  await rm(folder, { recursive: true })
})
afterAll(async () => {
  await server.dispose()
  await host.stop()
})

it('SAF-09 UPL-09 no answered part is lost or sent again when the server is killed during five parallel parts, with its database, during the start after it, and while it completes the upload', async () => {
  const chance = createChance(4101)
  const bytes = longVideo(chance.bytes(7 * PART_BYTES + chance.between(1, 9999)))
  const upload = await beginUpload(client, bytes.length)
  const answered = new Map<number, string>()
  const parts = await missingParts(upload._id, answered)
  const killer = once(() => crash(server, { withDatabase: true }))
  await sendInParallel(parts, bytes, answered, killAfter(chance, parts, killer))
  await killer()
  await killTheStart()
  await server.start()
  const rest = await missingParts(upload._id, answered)
  await sendInParallel(rest, bytes, answered, () => undefined)
  expect(await missingParts(upload._id, answered)).toEqual([])
  await completeWhileKilled(upload._id, chance)

  const state = async () => (await fetchUpload(upload._id)).state
  await expect.poll(state, { timeout: patience(40), interval: 100 }).toBe('validated')
  const stored = await readFile(join(server.dataDir, 'store/objects/uploads', upload._id))
  expect(sha256(stored)).toBe(sha256(bytes))
})

it('UPL-09 an import goes on by itself from the stored parts, when the server is killed with its database', async () => {
  const chance = createChance(6401)
  const body = chance.bytes(6 * PART_BYTES - 1234)
  host.files.set('/scene.mp4', linkedFile(body))
  // Each of two connections brings a whole part, and breaks off in another one.
  const hold = () => ({
    kind: 'hold' as const,
    afterBytes: PART_BYTES + chance.between(1, PART_BYTES - 1),
  })
  host.troubles.push({ kind: 'none' }, hold(), hold())
  const begun = await client.post<Answer>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: { provider: 'link', link: `${host.origin}/scene.mp4?key=${SECRET}` },
    },
  })
  expect(begun.status).toBe(201)
  const id = begun.body.uploadRequest._id
  const read = async (): Promise<UploadRequest> => await fetchUpload(id)
  // Else more is on its way at the kill than what broke off.
  await expect.poll(() => host.holds(), { interval: 50 }).toBe(2)
  await expect
    .poll(async () => (await read()).receivedBytes, { interval: 50 })
    .toBeGreaterThanOrEqual(host.sentBytes() - LOOKED_BYTES)
  await crash(server, { withDatabase: true })
  await server.start()
  await expect
    .poll(async () => (await read()).uploadEndedAt, { timeout: patience(90), interval: 100 })
    .not.toBeNull()
  const stored = await readFile(join(server.dataDir, 'store', 'objects', 'uploads', id))
  expect(sha256(stored)).toBe(sha256(body))
  // At most as much as one part comes twice, though two broke off.
  expect(host.sentBytes()).toBeLessThanOrEqual(body.length + LOOKED_BYTES + PART_BYTES)
  expect(server.log()).not.toContain(SECRET)
})

/** Strikes when it listens, and its database may be coming up. */
async function killTheStart(): Promise<void> {
  const starting = server.start().catch(() => undefined)
  await expect
    .poll(
      async () =>
        await fetch(`${server.origin}/editors/ready`).then(
          ({ status }) => status,
          () => null,
        ),
      { interval: 10 },
    )
    .not.toBeNull()
  await server.kill()
  await starting
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A video that plays, made long by a box that players skip (`free`, ISO/IEC 14496-12, 8.1.2). */
function longVideo(filling: Uint8Array): Uint8Array {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(filling.length + 8)
  header.write('free', 4, 'latin1')
  return Buffer.concat([clip, header, filling])
}

async function fetchUpload(id: string): Promise<UploadRequest> {
  return (await client.get<Answer>(`/v1/upload-requests/${id}`)).body.uploadRequest
}

/** What is left to send; holds the server to every answer it gave before. */
async function missingParts(id: string, answered: ReadonlyMap<number, string>): Promise<Part[]> {
  const { upload } = await fetchUpload(id)
  for (const part of upload.parts.filter(({ partNumber }) => answered.has(partNumber))) {
    expect([part.partNumber, part.eTag, part.size, part.presignedUrl]).toEqual([
      part.partNumber,
      answered.get(part.partNumber),
      part.partSize,
      null,
    ])
  }
  return upload.parts.filter(({ presignedUrl }) => presignedUrl !== null)
}

/** Calls `kill` when a chosen byte of all that is left leaves this process. */
function killAfter(
  chance: Chance,
  parts: readonly Part[],
  kill: () => Promise<void>,
): (sent: number) => void {
  const total = parts.reduce((sum, part) => sum + part.partSize, 0)
  const limit = chance.between(Math.floor(total * 0.15), Math.floor(total * 0.8))
  return (sent) => {
    if (sent >= limit) void kill()
  }
}

async function sendInParallel(
  parts: readonly Part[],
  bytes: Uint8Array,
  answered: Map<number, string>,
  onSent: (total: number) => void,
): Promise<void> {
  const waiting = [...parts]
  let sent = 0
  const worker = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const start = (part.partNumber - 1) * PART_BYTES
      const body = bytes.subarray(start, start + part.partSize)
      const answer = await put(part, body, (length) => {
        onSent((sent += length))
      }).catch(() => null)
      if (answer === null) return
      expect([part.partNumber, answer.status]).toEqual([part.partNumber, 200])
      answered.set(part.partNumber, answer.headers.get('etag')?.replaceAll('"', '') ?? '')
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}

async function put(
  part: Part,
  body: Uint8Array,
  onChunk: (length: number) => void,
): Promise<Response> {
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = body.subarray(at, at + 256 * 1024)
      if (chunk.length === 0) return controller.close()
      at += chunk.length
      controller.enqueue(chunk)
      onChunk(chunk.length)
    },
  })
  const headers = { 'content-length': String(part.partSize) }
  return await fetch(new URL(part.presignedUrl ?? '', server.origin), {
    method: 'PUT',
    body: stream,
    headers,
    duplex: 'half',
  } as RequestInit)
}

/** Completes, and kills at some moment of it; a client that got no answer asks again. */
async function completeWhileKilled(id: string, chance: Chance): Promise<void> {
  // A kill can come between the row of a part and its answer: only the list has that ETag.
  const { upload } = await fetchUpload(id)
  const parts = upload.parts.map(({ partNumber, eTag }) => ({ partNumber, eTag }))
  const complete = () =>
    client.patch<Answer>(`/v1/upload-requests/${id}`, { uploadRequest: { upload: { parts } } })
  const first = complete().catch(() => null)
  await chance.moment(25)
  await crash(server, { withDatabase: false })
  await first
  await server.start()
  const again = await untilAnswered(complete)
  expect([again.status, again.body.error]).toEqual([200, undefined])
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => (running ??= work())
}
