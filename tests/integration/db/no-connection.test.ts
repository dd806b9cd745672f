import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload } from '#tests/setup/upload.ts'

const refusal = {
  status: 503,
  body: {
    error: {
      code: 'system/unavailable',
      message: 'Onecut is busy or restarting. Please try again in a moment.',
    },
  },
}
let server: TestServer
let me: SignedUp
beforeEach(async () => {
  server = await startTestServer()
  me = await server.signUp()
})
afterEach(() => server.stop())

/** Takes every connection of the pool and lets no call wait for one; gives them back. */
async function takeAllConnections(): Promise<() => void> {
  const pool = server.deps.db.$client
  const taken = await Promise.all(
    Array.from({ length: pool.options.max ?? 0 }, async () => await pool.connect()),
  )
  Object.assign(pool.options, { connectionTimeoutMillis: 1 })
  return () => {
    Object.assign(pool.options, { connectionTimeoutMillis: 20_000 })
    for (const client of taken) client.release()
  }
}

it('SAF-09 a call that gets no connection to the database is refused with 503 and a time, and works afterwards', async () => {
  const giveBack = await takeAllConnections()
  for (const answer of [
    await me.client.get('/v1/users/me'),
    await me.client.get('/v1/media-jobs/paginated'),
    await me.client.post('/v2/upload-requests', {
      uploadRequest: {
        idempotencyKey: crypto.randomUUID(),
        upload: {
          provider: 's3-multipart',
          metadata: { clientFilename: 'scene.mp4', clientFileSize: 1000 },
        },
      },
    }),
  ]) {
    expect(answer).toMatchObject(refusal)
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  giveBack()
  expect((await me.client.get('/v1/users/me')).status).toBe(200)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  expect(server.logged.map(({ event }) => event)).toContain('db/no-connection')
})

it('SAF-09 a part that gets no connection to the database is refused with 503 and can be sent again', async () => {
  const upload = await beginUpload(me.client, 1000)
  const url = new URL(upload.upload.parts[0]?.presignedUrl ?? '', server.origin)
  const giveBack = await takeAllConnections()
  const refused = await fetch(url, { method: 'PUT', body: new Uint8Array(1000) })
  expect({ status: refused.status, body: await refused.json() }).toEqual(refusal)
  expect(refused.headers.get('retry-after')).toBe('1')
  giveBack()
  const stored = await fetch(url, { method: 'PUT', body: new Uint8Array(1000) })
  expect(stored.status).toBe(200)
})
