import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { backUp, type BackupResult, type Progress } from '#server/backup/back-up.ts'
import { ensureBackupFolder, lockBackupFolder, type BackupFolder } from '#server/backup/folder.ts'
import { restore } from '#server/backup/restore.ts'
import { takeSnapshot } from '#server/backup/snapshot.ts'
import { placesOf } from '#server/object-store/disk.ts'
import { createPins } from '#server/object-store/pins.ts'
import { verifyBackup } from '#server/backup/verify.ts'
import { nameThisProcess } from '#server/db/process-name.ts'
import { LEFT_OUT } from '#server/backup/tables.ts'
import { openDb, type Db } from '#server/db/client.ts'
import type { Connection } from '#server/db/connection.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { newestMigration, type Migration } from '#server/db/migrate.ts'
import { mails, mediaJobs, securityEvents, uploadRequests } from '#server/db/schema.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer, type RunningServer } from '#server/process/startup.ts'
import { createFakeHuman, humanToken } from '#tests/fakes/human.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { balance, payFor } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { storeResults } from '#tests/setup/saved-results.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

let server: TestServer
let work: string
let folder: BackupFolder
beforeAll(async () => {
  server = await startTestServer({ env: { ONECUT_PART_SIZE_BYTES: '5242880' } })
}, patience(60))
afterAll(async () => await server?.stop())
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'onecut-backup-'))
  folder = await ensureBackupFolder(join(work, 'backups'), server.deps.settings.dataDir)
})
afterEach(async () => await rm(work, { recursive: true, force: true }))

const signal = new AbortController().signal
const quiet = (): void => undefined

function connection(): Connection {
  return { ...inject('postgres'), database: server.deps.db.$client.options.database ?? '' }
}

/** What `npm run backup` does, once its database runs. */
async function back(
  report: (progress: Progress) => Promise<void> | void = quiet,
  keep = 7,
): Promise<BackupResult> {
  const source = { ...server.deps.settings, connection: connection() }
  return await backUp(source, folder, { clock: () => new Date(), keep, signal, report })
}

/** Settings of a server on a restored folder. */
function restored(): Settings {
  return readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    ONECUT_DATA_DIR: join(work, 'restored'),
    ONECUT_FRAME_ORIGIN: 'none',
    ONECUT_ROLE: 'api',
    ONECUT_PART_SIZE_BYTES: '5242880',
  })
}

/** A finished edit with its video, and the bytes of both. */
async function makeEdit({ userId }: SignedUp) {
  const { deps } = server
  const made = await storeResults(deps, userId, [2000])
  await put(`test/${made.uploadId}`, randomBytes(1000))
  return { ...made, outputId: made.results[0]?.outputId ?? '' }
}

async function put(key: string, bytes: Uint8Array): Promise<void> {
  const path = join(work, 'put')
  await writeFile(path, bytes)
  await server.deps.store.putFile(key, path, 'video/mp4')
}

const PART_BYTES = 5_242_880

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A hash of all rows of each table that a backup holds. */
async function rowsOf(db: Db): Promise<Record<string, unknown>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const hashes: Record<string, unknown> = {}
  for (const { name } of tables) {
    if (LEFT_OUT.has(name)) continue
    const { rows } = await db.execute(
      sql`select count(*), md5(string_agg(t::text, '|' order by t::text)) as hash
        from ${sql.identifier(name)} t`,
    )
    hashes[name] = rows[0]
  }
  return hashes
}

/** Logs in by the six digits of the mail. */
async function logIn({ deps }: RunningServer, email: string): Promise<TestClient> {
  const client = createTestClient(deps.settings.publicOrigin)
  const wish = { user: { email }, captchaToken: humanToken, redirectUri: '/' }
  expect((await client.post('/v1/auth/magic-link/login', wish)).status).toBe(202)
  const [mail] = await deps.db.select().from(mails).orderBy(desc(mails.createdAt)).limit(1)
  const code = /\b\d{6}\b/.exec((mail?.text ?? '').replaceAll(/https?:\S+/g, ''))?.[0]
  expect((await client.post('/v1/auth/magic-link/code', { email, code })).status).toBe(200)
  return client
}

it(
  'SCL-09 a backup holds one moment while orders, uploads and deletions go on, and a server that begins on it goes on there',
  async () => {
    const me = await server.signUp()
    const kept = await makeEdit(me)
    const doomed = await makeEdit(me)
    const bytes = randomBytes(PART_BYTES + 1000)
    const begun = await beginUpload(me.client, bytes.length)
    const [first, second] = begun.upload.parts
    if (first === undefined || second === undefined) throw new Error('The upload has two parts')
    const only = (part: typeof first): UploadRequest => ({
      ...begun,
      upload: { ...begun.upload, parts: [part] },
    })
    const sentBefore = await sendParts(me.client, only(first), bytes)
    const pending = await storeJob(server.deps, me.userId, ['teaser-15s'])
    await put(`test/${pending.uploadId}`, randomBytes(1000))
    const tokens = await balance(me.client)
    // What a text format may lose.
    await server.deps.db.insert(securityEvents).values({
      at: new Date('2026-01-02T03:04:05.678Z'),
      event: 'signed-in',
      facts: { odd: 'a\tb\\N\n\r"\u2028😀', none: '\\.' },
    })
    const rows = await rowsOf(server.deps.db)

    // All of this happens between the rows and the first file.
    let isHeld = true
    const result = await back(async () => {
      if (!isHeld) return
      isHeld = false
      expect((await me.client.delete(`/v1/storage/${doomed.uploadId}`)).status).toBe(204)
      const sent = [...sentBefore, ...(await sendParts(me.client, only(second), bytes))]
      const whole = { uploadRequest: { upload: { parts: sent } } }
      expect((await me.client.patch(`/v1/upload-requests/${begun._id}`, whole)).status).toBe(200)
      await uploadBytes(me.client, randomBytes(3000))
      await payFor(me.client, pending.jobId)
      expect(await balance(me.client)).toBeLessThan(tokens)
    })
    expect(isHeld).toBe(false)
    expect(result.faults).toEqual([])
    // Of the deleted edit no byte is left on the server.
    const store = join(server.deps.settings.dataDir, 'store')
    expect(await readdir(join(store, 'pins'))).toEqual([])
    expect(await server.deps.store.head(`test/${doomed.uploadId}`)).toBeNull()

    const settings = restored()
    const { faults } = await restore(folder, result.name, settings, { signal, report: quiet })
    expect(faults).toEqual([])
    const postgres = await launchPostgres(settings.dataDir)
    const db = openDb(postgres.connection, { onError: quiet })
    expect(await rowsOf(db)).toEqual(rows)
    await db.$client.end()
    await postgres.stop()

    const again = await startServer(settings, createLog(quiet), {
      replacements: { human: createFakeHuman() },
    })
    try {
      // Sessions are not restored.
      const old = createTestClient(again.origin)
      for (const [name, value] of me.client.cookies) old.cookies.set(name, value)
      expect((await old.get('/v1/wallets')).status).toBe(401)

      const client = await logIn(again, me.email)
      expect(await balance(client)).toBe(tokens)
      for (const { outputId, results } of [kept, doomed]) {
        const file = await client.get(
          `/v1/media-job-tasks/${results[0]?.taskId}/outputs/${outputId}/download`,
        )
        expect([file.status, sha256(file.bytes)]).toEqual([200, results[0]?.sha256])
      }
      const found = await client.get<{ uploadRequest: UploadRequest }>(
        `/v1/upload-requests/${begun._id}`,
      )
      const parts = await sendParts(client, found.body.uploadRequest, bytes)
      expect(parts.map(({ eTag }) => eTag)).toContain(sentBefore[0]?.eTag)
      const whole = { uploadRequest: { upload: { parts } } }
      expect((await client.patch(`/v1/upload-requests/${begun._id}`, whole)).status).toBe(200)
      const object = await again.deps.store.read(`uploads/${begun._id}`)
      expect(Buffer.concat(await object.toArray()).equals(bytes)).toBe(true)
    } finally {
      await again.stop()
    }
  },
  patience(120),
)

it('SCL-09 a file that is deleted between the rows and its turn is in neither, and one that is lost is named', async () => {
  const me = await server.signUp()
  const doomed = await makeEdit(me)
  const lost = await storeJob(server.deps, me.userId, ['teaser-15s'])
  const places = placesOf(join(server.deps.settings.dataDir, 'store'))
  const pins = await createPins(join(server.deps.settings.dataDir, 'store'), 'elsewhere/test')
  let deletions = 0
  const client = new Client(connection())
  await client.connect()
  try {
    await mkdir(join(work, 'backup/database'), { recursive: true })
    const { objects, missing } = await takeSnapshot(
      client,
      join(work, 'backup'),
      {
        places,
        pins: {
          ...pins,
          async pin(path) {
            if (deletions++ === 0)
              expect((await me.client.delete(`/v1/storage/${doomed.uploadId}`)).status).toBe(204)
            return await pins.pin(path)
          },
        },
      },
      signal,
    )
    const keys = objects.map(({ file }) => file.key)
    expect(keys).not.toContain(`test/${doomed.uploadId}`)
    expect(keys).not.toContain(doomed.results[0]?.objectKey)
    expect(missing).toEqual([`test/${lost.uploadId}`])
  } finally {
    await client.end()
    await pins.end()
    await server.deps.db.delete(mediaJobs).where(eq(mediaJobs.id, lost.jobId))
    await server.deps.db.delete(uploadRequests).where(eq(uploadRequests.id, lost.uploadId))
  }
})

it('SCL-09 a second backup copies only what is new, one that breaks off leaves the first whole, and a file goes with the last backup that names it', async () => {
  const me = await server.signUp()
  const early = await makeEdit(me)
  const first = await back()
  expect(first.copied.count).toBe(first.files.count)
  const late = await makeEdit(me)
  expect((await me.client.delete(`/v1/storage/${early.uploadId}`)).status).toBe(204)
  const filesOf = async (): Promise<readonly string[]> =>
    await readdir(join(folder.path, 'files'), { recursive: true })
  const has = async ({ uploadId }: typeof late): Promise<boolean> =>
    (await filesOf()).some((path) => path.startsWith(`test/${uploadId}~`))

  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const broken = back(({ doneBytes }) => (doneBytes > 0 ? Promise.reject(full) : undefined))
  await expect(broken).rejects.toThrow(/is full\. .*the backups before are whole/)
  expect(await folder.names()).toEqual([first.name])
  expect((await verifyBackup(folder, first.name, { signal, report: quiet })).faults).toEqual([])
  expect(await readdir(folder.path)).not.toContain('in-use')

  const second = await back()
  expect(second.faults).toEqual([])
  expect(second.copied.count).toBeLessThanOrEqual(2)
  expect([await has(early), await has(late)]).toEqual([true, true])
  const third = await back(quiet, 2)
  expect([third.copied.count, third.removed]).toEqual([0, [first.name]])
  expect(await folder.names()).toEqual([second.name, third.name])
  expect([await has(early), await has(late)]).toEqual([false, true])
})

it('SCL-09 a damaged or lost file is named by the backup that meets it, and by its verification', async () => {
  const me = await server.signUp()
  const bytes = randomBytes(PART_BYTES + 1000)
  const { _id } = await uploadBytes(me.client, bytes)
  const object = join(server.deps.settings.dataDir, 'store/objects/uploads', _id)
  bytes.writeUInt8(bytes.readUInt8(PART_BYTES) ^ 1, PART_BYTES)
  await writeFile(object, bytes)
  const { name, faults } = await back()
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(`uploads/${_id}~`)
  expect(faults[0]).toMatch('is damaged on the server: part 2 of 2')

  const { deps } = server
  await deps.store.remove(`uploads/${_id}`)
  await deps.db.update(uploadRequests).set({ state: 'failed' }).where(eq(uploadRequests.id, _id))
  expect((await back()).faults).toEqual([`uploads/${_id} is not there`])
  await deps.db.delete(uploadRequests).where(eq(uploadRequests.id, _id))

  const kept = (await readdir(join(folder.path, 'files/uploads'))).find((file) =>
    file.startsWith(_id),
  )
  await writeFile(join(folder.path, 'files/uploads', kept ?? ''), randomBytes(bytes.length))
  await rm(join(folder.backupOf(name), 'keys.json'))
  const verdict = await verifyBackup(folder, name, { signal, report: quiet })
  expect(verdict.faults).toEqual([
    ...faults,
    'keys.json is missing or damaged',
    `uploads/${kept} is damaged`,
  ])
})

it('SCL-09 a folder with other things in it is neither restored into nor backed up to, and another Onecut is not restored', async () => {
  const { name } = await back()
  const settings = restored()
  const attempt = async (): Promise<unknown> =>
    await restore(folder, name, settings, { signal, report: quiet })
  await mkdir(settings.dataDir)
  await writeFile(join(settings.dataDir, 'photo.jpg'), '')
  await expect(attempt()).rejects.toThrow(/is not empty/)
  await expect(ensureBackupFolder(settings.dataDir, '/elsewhere')).rejects.toThrow(/other files/)
  const inside = join(settings.dataDir, 'backups')
  await expect(ensureBackupFolder(inside, settings.dataDir)).rejects.toThrow(/inside/)
  await rm(join(settings.dataDir, 'photo.jpg'))

  const unlock = await lockBackupFolder(folder)
  await expect(back()).rejects.toThrow(/Another backup is writing/)
  await unlock()
  // As a backup that was killed leaves it: of a process before the last start of this machine.
  await writeFile(
    join(folder.path, 'in-use'),
    (await nameThisProcess()).replace(/\d+\/[^/]*$/, '1/x'),
  )
  await back()

  const facts = join(folder.backupOf(name), 'backup.json')
  const text = await readFile(facts, 'utf8')
  const { tag, when } = await newestMigration()
  const of = async (migration: Migration): Promise<void> => {
    const named = text.replace(`"tag": "${tag}"`, `"tag": "${migration.tag}"`)
    await writeFile(facts, named.replace(`"when": ${when}`, `"when": ${migration.when}`))
  }
  await of({ tag: '9999_from_later', when: when + 1 })
  await expect(attempt()).rejects.toThrow(/of a newer Onecut: .*9999_from_later/)
  await of({ tag: '0012_from_before', when: 1 })
  await expect(attempt()).rejects.toThrow(/before the first release.*start the Onecut of commit/)
  await writeFile(facts, text)
  await writeFile(settings.keysFile, '{}')
  await expect(attempt()).rejects.toThrow(/holds other keys/)
  await rm(settings.keysFile)
  // Half of a restore: no server begins on it.
  await writeFile(join(settings.dataDir, 'restore-unfinished'), `${name}\n`)
  await expect(startServer(settings, createLog(quiet))).rejects.toThrow(/has not ended/)
})
