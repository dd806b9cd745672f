import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'
import { startRelayed } from '#tests/setup/replicated.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import type { UploadRequest } from '#tests/setup/upload.ts'

const PEOPLE = 6
const RESTARTS = 8
const AWAY_MS = 2_000
const PART = randomBytes(20_000)

let relayed: Awaited<ReturnType<typeof startRelayed>>
let server: TestServer

beforeAll(async () => {
  relayed = await startRelayed()
  server = await startTestServer({
    template: relayed.template,
    env: { ONECUT_METRICS_PORT: '0' },
  })
}, patience(120))
afterAll(async () => {
  await server?.stop(AbortSignal.abort())
  await relayed?.relay.close()
  await relayed?.database.stop()
})

/** How many answers of each kind had each status. */
type Statuses = Map<string, number>

/** Begins an upload, sends its part, looks at it and ends it, until `until` aborts. */
async function upload(client: TestClient, statuses: Statuses, until: AbortSignal): Promise<void> {
  const note = (what: string, { status }: { readonly status: number }): void => {
    const kind = `${what} ${status}`
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
  }
  while (!until.aborted) {
    const key = randomUUID()
    const metadata = { clientFilename: 'scene.mp4', clientFileSize: PART.length }
    const begun = await client.post<{ uploadRequest: UploadRequest }>(
      '/v2/upload-requests',
      {
        uploadRequest: { idempotencyKey: key, upload: { provider: 's3-multipart', metadata } },
      },
      { headers: { 'idempotency-key': key } },
    )
    note('begin', begun)
    note('list', await client.get('/v1/media-jobs/paginated'))
    if (begun.status >= 300) continue
    const { _id, upload } = begun.body.uploadRequest
    const url = new URL(upload.parts[0]?.presignedUrl ?? '', client.origin)
    const part = await fetch(url, { method: 'PUT', body: PART })
    // Its lock is gone with the session that held it: another process could have the part.
    const isLost = part.status === 503 && (await part.text()).includes('parts/busy')
    note(isLost ? 'lost part' : 'part', part)
    note('look', await client.get(`/v1/upload-requests/${_id}`))
    note('urls', await client.post(`/v1/upload-requests/${_id}/part-urls`, { partNumbers: [1] }))
    note('end', await client.delete(`/v1/upload-requests/${_id}`))
    await setTimeout(20)
  }
}

it(
  'SCL-04 a database that is restarted again and again under calls: none is answered by 500 or more, but parts that were under way, and the process is watched meanwhile',
  async () => {
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, async () => await server.signUp()),
    )
    const statuses: Statuses = new Map()
    const done = new AbortController()
    const loops = people.map(async ({ client }) => await upload(client, statuses, done.signal))
    for (let left = RESTARTS; left > 0; left -= 1) {
      await setTimeout(1_000)
      const restarted = relayed.database.restart(AWAY_MS)
      await setTimeout(1_000)
      const [alive, ready, metrics] = await Promise.all([
        fetch(`${server.origin}/livez`),
        fetch(`${server.origin}/editors/ready`),
        fetch(`http://127.0.0.1:${server.metricsPort}/metrics`),
      ])
      expect([alive.status, ready.status, metrics.status]).toEqual([200, 200, 200])
      await restarted
    }
    done.abort()
    await Promise.all(loops)
    const refused = [...statuses.keys()].filter((kind) => / [45]\d\d$/.test(kind))
    expect(refused.filter((kind) => kind !== 'lost part 503')).toEqual([])
  },
  patience(300),
)
