import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import {
  LINK_HOST_CERTIFICATE,
  linkedFile,
  startLinkHost,
  type LinkHost,
} from '#tests/fakes/link-host.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { patience } from '#tests/setup/patience.ts'
import { crash, createChance } from './crash-harness.ts'

type UploadRequest = components['schemas']['UploadRequest']

const PART_BYTES = 5 * 1024 ** 2
const PARTS = 6
/** What is read of a file before its import begins. */
const LOOKED_BYTES = 64 * 1024
/** The start after the kill waits until the queue has noticed that its worker is dead. */
const LONGEST_MS = 300_000
const SECRET = 'the-key-of-this-link'
const chance = createChance(6401)
const body = chance.bytes(PARTS * PART_BYTES - 1234)
let host: LinkHost
let server: E2eServer
let client: TestClient

beforeAll(async () => {
  host = await startLinkHost()
  host.files.set('/scene.mp4', linkedFile(body))
  server = await startE2eServer(
    {
      ONECUT_IMPORT_HOSTS: `share.example:${host.port}`,
      ONECUT_PART_SIZE_BYTES: String(PART_BYTES),
      NODE_EXTRA_CA_CERTS: LINK_HOST_CERTIFICATE,
    },
    'tests/setup/import-server.ts',
  )
  ;({ client } = await signUpAt(server))
})
afterAll(async () => {
  await server.dispose()
  await host.stop()
})

it(
  'UPL-09 an import goes on by itself from the stored parts, when the server is killed with its database',
  async () => {
    // Each of two connections brings a whole part, and breaks off in another one.
    const hold = () => ({
      kind: 'hold' as const,
      afterBytes: PART_BYTES + chance.between(1, PART_BYTES - 1),
    })
    host.troubles.push({ kind: 'none' }, hold(), hold())
    const begun = await client.post<{ uploadRequest: UploadRequest }>('/v2/upload-requests', {
      uploadRequest: {
        idempotencyKey: crypto.randomUUID(),
        upload: { provider: 'link', link: `${host.origin}/scene.mp4?key=${SECRET}` },
      },
    })
    expect(begun.status).toBe(201)
    const id = begun.body.uploadRequest._id
    const read = async (): Promise<UploadRequest> =>
      (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)).body
        .uploadRequest
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
    expect(sha(stored)).toBe(sha(body))
    // At most as much as one part comes twice, though two broke off.
    expect(host.sentBytes()).toBeLessThanOrEqual(body.length + LOOKED_BYTES + PART_BYTES)
    expect(server.log()).not.toContain(SECRET)
  },
  LONGEST_MS,
)

function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
