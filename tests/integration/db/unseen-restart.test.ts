import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '#server/db/client.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload } from '#tests/setup/upload.ts'

let server: TestServer
let me: SignedUp
let db: Db
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
  db = server.deps.db
})
afterAll(() => server.stop(AbortSignal.abort()))

/** Ends all connections, and lets none be opened until the result is called. */
async function takeAway(): Promise<() => void> {
  const { options } = db.$client
  const { port } = options
  const client = await db.$client.connect()
  // A socket that is not there.
  Object.assign(options, { port: 1 })
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  client.release(true)
  return () => Object.assign(options, { port })
}

it('SCL-04 calls and parts that come while the database is away are answered when it is back, and who watches the process is answered meanwhile', async () => {
  const open = await beginUpload(me.client, 1000)
  const part = new URL(open.upload.parts[0]?.presignedUrl ?? '', server.origin)
  const giveBack = await takeAway()
  const asked = [
    me.client.get('/v1/users/me'),
    me.client.get('/v1/media-jobs/paginated'),
    me.client.get(`/v1/upload-requests/${open._id}`),
    beginUpload(me.client, 1000).then(() => ({ status: 201 })),
    fetch(part, { method: 'PUT', body: new Uint8Array(1000) }),
  ].map(async (answer) => (await answer).status)
  const first = await Promise.race([
    ...asked,
    Promise.all([fetch(`${server.origin}/livez`), fetch(`${server.origin}/editors/ready`)]),
  ])
  giveBack()
  expect(await Promise.all(asked)).toEqual([200, 200, 200, 201, 200])
  expect(first).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(server.logged.map(({ event }) => event)).not.toContain('db/no-connection')
})

it('SCL-04 as many wait for the database as there is room for, and the next is refused at once', async () => {
  const giveBack = await takeAway()
  const waiting = Array.from({ length: 500 }, async () => await db.execute(sql`select 1`))
  await expect(db.execute(sql`select 1`)).rejects.toMatchObject({
    cause: { code: 'system/unavailable' },
  })
  giveBack()
  expect(await Promise.all(waiting)).toHaveLength(500)
})

const newUpload = {
  uploadRequest: {
    idempotencyKey: crypto.randomUUID(),
    upload: {
      provider: 's3-multipart',
      metadata: { clientFilename: 'scene.mp4', clientFileSize: 1000 },
    },
  },
}

it('SCL-04 a call with a key is run again where it is not known what of it has remained', async () => {
  const pool = db.$client
  const query = pool.query.bind(pool) as (...input: unknown[]) => Promise<unknown>
  let lost = 0
  const losing = async (...input: unknown[]): Promise<unknown> => {
    const answer = await query(...input)
    const { text } = input[0] as { readonly text: string }
    if (lost > 0 || !text.startsWith('update "idempotent_answers"')) return answer
    lost += 1
    throw Object.assign(new Error('The answer is lost'), { code: 'ECONNRESET' })
  }
  Object.assign(pool, { query: losing })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { status } = await me.client.post('/v2/upload-requests', newUpload, { headers })
  Object.assign(pool, { query })
  expect([status, lost]).toEqual([201, 1])
})
