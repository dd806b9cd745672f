/**
 * `npm run bench -- import [GB] [kills] [repetitions]`: how fast a link is imported beside plain
 * curl of the same bytes, and what SIGKILL after SIGKILL costs one import (2 GB, 20 kills, 3
 * repetitions). Host and server are on this machine, over HTTPS.
 */
import { execFile } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { components } from '#openapi/schema.gen.ts'
import { LINK_HOST_CERTIFICATE, largeLinkedFile, startLinkHost } from '#tests/fakes/link-host.ts'
import { createChance, killDatabase, untilAnswered } from '#tests/integration/kill/crash-harness.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { median, spread } from './statistics.ts'

type UploadRequest = components['schemas']['UploadRequest']

const [gigabytes = '2', kills = '20', repetitions = '3'] = process.argv.slice(2)
const PART_BYTES = 16 * 1024 ** 2
const SIZE_BYTES = Math.round(Number(gigabytes) * 1e9)
const chance = createChance(1510)
// A prime, so that every part begins at another place of it.
const file = largeLinkedFile(SIZE_BYTES, chance.bytes(33_554_467))
const host = await startLinkHost()
host.files.set('/scene.mp4', file)
const link = `${host.origin}/scene.mp4`
const server = await startE2eServer(
  {
    ONECUT_IMPORT_HOSTS: `share.example:${host.port}`,
    ONECUT_PART_SIZE_BYTES: String(PART_BYTES),
    NODE_EXTRA_CA_CERTS: LINK_HOST_CERTIFICATE,
  },
  'tests/setup/import-server.ts',
)
try {
  const { client } = await signUpAt(server)
  const wanted = hashOfFile()
  await measureSpeed(client, wanted)
  await measureKills(client, wanted)
} finally {
  await server.dispose()
  await host.stop()
}

/** Seconds from the first byte to the last one, the two in turns. */
async function measureSpeed(client: TestClient, wanted: string): Promise<void> {
  const seconds: { readonly curl: number[]; readonly onecut: number[] } = { curl: [], onecut: [] }
  for (let repetition = 0; repetition < Number(repetitions); repetition += 1) {
    seconds.curl.push(await timeCurl())
    const asked = host.asked.length
    const id = await begin(client)
    await until(() => host.asked.length > asked + 1)
    const fromMs = performance.now()
    await arrived(client, id)
    seconds.onecut.push((performance.now() - fromMs) / 1_000)
    await compareAndDiscard(client, id, wanted)
  }
  const ratio = median(seconds.curl) / median(seconds.onecut)
  console.log(`${gigabytes} GB over HTTPS on loopback, seconds
| curl | ${spread(seconds.curl)} |
| import | ${spread(seconds.onecut)} |
speed of an import divided by curl's: ${ratio.toFixed(2)}`)
}

/** One import, while whose bytes come the server dies again and again. */
async function measureKills(client: TestClient, wanted: string): Promise<void> {
  const before = host.sentBytes()
  const id = await begin(client)
  const step = SIZE_BYTES / (Number(kills) + 1)
  const fromMs = performance.now()
  for (let kill = 1; kill <= Number(kills); kill += 1) {
    // At any point of a part, by the bytes that the server has and not by those on their way.
    const strikeAt = step * kill + chance.between(0, PART_BYTES)
    await until(() => host.sentBytes() - before >= strikeAt)
    if (kill % 5 === 0) await killDatabase(server)
    await server.kill()
    await server.start()
    process.stderr.write(`kill ${kill} at ${Math.round(strikeAt / 1e6)} MB\n`)
  }
  await arrived(client, id)
  const seconds = (performance.now() - fromMs) / 1_000
  const twice = (host.sentBytes() - before - SIZE_BYTES) / PART_BYTES
  await compareAndDiscard(client, id, wanted)
  console.log(`${kills} kills in one import of ${gigabytes} GB: byte for byte the same, ${Math.round(seconds)} s
sent twice: ${(twice / Number(kills)).toFixed(2)} parts of 16 MiB for each kill`)
}

async function begin(client: TestClient): Promise<string> {
  const idempotencyKey = crypto.randomUUID()
  const upload = { provider: 'link', link }
  const { status, body } = await client.post<{ uploadRequest: UploadRequest }>(
    '/v2/upload-requests',
    { uploadRequest: { idempotencyKey, upload } },
  )
  if (status !== 201) throw new Error(`The import was refused: ${status}`)
  return body.uploadRequest._id
}

async function arrived(client: TestClient, id: string): Promise<void> {
  for (;;) {
    const { body } = await untilAnswered(
      async () =>
        await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}/metadata`),
      ({ status }) => status < 400,
    )
    if (body.uploadRequest.uploadEndedAt !== null) return
    await delay(25)
  }
}

async function timeCurl(): Promise<number> {
  const copy = join(server.dataDir, 'curl.mp4')
  const fromMs = performance.now()
  const trusted = `--cacert ${LINK_HOST_CERTIFICATE} --resolve ${host.name}:${host.port}:127.0.0.1`
  await promisify(execFile)(
    'curl',
    `--fail --silent ${trusted} --output ${copy} ${link}`.split(' '),
  )
  const seconds = (performance.now() - fromMs) / 1_000
  await rm(copy)
  return seconds
}

async function compareAndDiscard(client: TestClient, id: string, wanted: string): Promise<void> {
  const stored = createHash('sha256')
  const path = join(server.dataDir, 'store', 'objects', 'uploads', id)
  for await (const chunk of createReadStream(path)) stored.update(chunk as Buffer)
  if (stored.digest('hex') !== wanted) throw new Error('The stored file is another one')
  await client.delete(`/v1/upload-requests/${id}`)
}

function hashOfFile(): string {
  const hash: Hash = createHash('sha256')
  const step = 64 * 1024
  for (let at = 0; at < SIZE_BYTES; at += step)
    hash.update(file.read(at, Math.min(SIZE_BYTES, at + step)))
  return hash.digest('hex')
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(5)
}
