import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mails } from '#server/db/schema.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer, type RunningServer } from '#server/process/startup.ts'
import { createFakeHuman, humanToken } from '#tests/fakes/human.ts'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { keptRuns } from '#tests/setup/kept-runs.ts'
import { makeClip } from '#tests/setup/media.ts'
import { withoutFaces, withoutSearches } from '#tests/setup/no-searches.ts'
import { fetchJob, paidWatermark } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { HAS_PGBOUNCER, startPgBouncer, type PgBouncer } from '#tests/setup/pgbouncer.ts'
import { uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

describe.skipIf(!HAS_PGBOUNCER)(
  'PgBouncer in transaction mode (the Debian package pgbouncer)',
  () => {
    let folder: string
    let database: TestDatabase
    let pooler: PgBouncer
    let env: Readonly<Record<'DATABASE_URL' | 'DATABASE_SESSION_URL', string>>

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'onecut-pooler-'))
      await chmod(folder, 0o711)
      await makeClip(join(folder, 'clip.mp4'), 2, { size: '160x90' })
      database = await createTestDatabase()
      const { host, user, port, database: name } = database.connection
      // It does not run as root, and only the database's own user reaches its socket.
      pooler = await startPgBouncer({ host, port, user }, folder, await stat(host))
      env = {
        DATABASE_URL: `postgres://${user}@127.0.0.1:${pooler.port}/${name}`,
        DATABASE_SESSION_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
      }
    }, patience(60))
    afterAll(async () => {
      await pooler?.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    })

    const settingsWith = (given: Partial<typeof env>): Settings =>
      readSettings({
        NODE_ENV: 'test',
        PORT: '0',
        ONECUT_DATA_DIR: join(folder, 'data'),
        ONECUT_FRAME_ORIGIN: 'none',
        ...given,
      })
    const start = async (settings: Settings): Promise<RunningServer> => {
      const replacements = { human: createFakeHuman(), toolRunner: withoutFaces(keptRuns) }
      const server = await startServer(
        settings,
        createLog(() => undefined),
        { replacements },
      )
      withoutSearches(server.deps)
      return server
    }

    it('SCL-04 a start by it alone is refused', async () => {
      const { DATABASE_URL } = env
      await expect(start(settingsWith({ DATABASE_URL }))).rejects.toThrow(
        /^DATABASE_URL leads to a pooler in transaction mode/,
      )
    })

    it('SCL-04 two servers one after the other make an edit each by it, and leave no lock', async () => {
      for (const email of ['first@example.com', 'second@example.com']) {
        const server = await start(settingsWith(env))
        const client = createTestClient(server.origin)
        await signUp(client, database, email)
        await makeEdit(client, join(folder, 'clip.mp4'))
        await server.stop()
      }
      const { rows } = await database.db.execute(sql`
        select locktype from pg_locks join pg_database d on d.oid = pg_locks.database
        where locktype = 'advisory' and d.datname = current_database()`)
      expect(rows).toEqual([])
    })
  },
)

async function signUp(client: TestClient, { db }: TestDatabase, email: string): Promise<void> {
  const wanted = { user: { email }, captchaToken: humanToken, redirectUri: '/' }
  await client.post('/v1/auth/magic-link/signup', wanted)
  const [mail] = await db.select().from(mails).where(eq(mails.recipient, email))
  const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1]
  expect((await client.post('/v1/auth/magic-link/code', { email, code })).status).toBe(200)
}

async function makeEdit(client: TestClient, clip: string): Promise<void> {
  const { _id } = await uploadFile(client, clip)
  const state = async () =>
    (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)).body
      .uploadRequest.state
  await expect.poll(state, { timeout: patience(60) }).toBe('validated')
  const { jobId } = await paidWatermark(client, _id)
  const status = async () => (await fetchJob(client, jobId)).tasks[0]?.status
  await expect.poll(status, { timeout: patience(60) }).toBe('succeeded')
}
