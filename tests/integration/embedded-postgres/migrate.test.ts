import { createHash } from 'node:crypto'
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { migrateDatabase, migrateUpTo, type Migration } from '#server/db/migrate.ts'
import { presets, serverSecrets } from '#server/db/schema.ts'
import { loadSecrets, rotateKeys } from '#server/db/secrets.ts'
import { catalogue } from '#recipes/presets.ts'
import { DESCRIBE_TABLES } from './describe-tables.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('migrates and seeds once, however often and from however many processes at once', async () => {
  const before = await database.db.select({ id: presets.id, slug: presets.slug }).from(presets)
  await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(database.connection, v7)))
  expect(await database.db.select({ id: presets.id, slug: presets.slug }).from(presets)).toEqual(
    expect.arrayContaining(before),
  )
  expect((await database.db.select({ rows: count() }).from(presets))[0]?.rows).toBe(
    catalogue.length,
  )
})

describe('the first migration', () => {
  const BASELINE: Migration = { tag: '0000_baseline', when: 1795987918627 }
  let empty: TestDatabase
  beforeEach(async () => {
    empty = await createTestDatabase({ ...inject('postgres'), database: 'template0' })
  })
  afterEach(() => empty.drop())

  it('makes the tables that the 59 before it made, to the order of their columns', async () => {
    await migrateUpTo(empty.connection, BASELINE)
    const { rows } = await empty.db.$client.query<{ line: string }>(DESCRIBE_TABLES)
    const text = rows.map(({ line }) => line).join('\n')
    // Taken of a database that those had made.
    expect([rows.length, createHash('sha256').update(text).digest('hex')]).toEqual([
      805,
      'bb6dd53c46f045a701f1cdb3d30b45fe508c692155a30d4149160ef71b40ceb2',
    ])
  })

  it('leaves a database alone that has all of those, and refuses one that lacks the last', async () => {
    await migrateUpTo(empty.connection, BASELINE)
    const knows = async (when: number): Promise<void> => {
      await empty.db.execute(sql`update drizzle.__drizzle_migrations
        set hash = 'of another file', created_at = ${when}`)
    }
    await knows(BASELINE.when - 1)
    await expect(migrateDatabase(empty.connection, v7)).rejects.toThrow(
      /from before the first release: start the Onecut of commit 86bd2717/,
    )
    expect((await empty.db.select({ rows: count() }).from(presets))[0]?.rows).toBe(0)
    await knows(BASELINE.when)
    await migrateDatabase(empty.connection, v7)
    expect((await empty.db.select({ rows: count() }).from(presets))[0]?.rows).toBe(catalogue.length)
  })
})

it('brings texts and prices back to the catalogue and hides what left it', async () => {
  await database.db.update(presets).set({ name: 'Old name', pricingStrategies: [] })
  await database.db.insert(presets).values({
    id: v7(),
    slug: 'gone',
    name: 'Gone',
    description: '',
    imageUrl: '',
    tab: 'promotional',
    hasOptions: false,
    pricingStrategies: [],
    position: 99,
  })
  await migrateDatabase(database.connection, v7)
  const rows = await database.db.select().from(presets)
  for (const preset of catalogue)
    expect(rows.find(({ slug }) => slug === preset.slug)).toMatchObject({
      name: preset.name,
      pricingStrategies: preset.pricingStrategies,
      isVisible: true,
    })
  expect(rows.find(({ slug }) => slug === 'gone')).toMatchObject({ isVisible: false })
})

describe('the keys that sign', () => {
  const DAY_MS = 86_400_000
  let file: string
  let now: Date
  const place = () => ({ file, clock: () => now })
  beforeEach(async () => {
    file = join(await mkdtemp(join(tmpdir(), 'onecut-keys-')), 'keys.json')
    now = new Date('2026-11-22T12:00:00Z')
  })
  afterEach(() => rm(dirname(file), { recursive: true, force: true }))

  it('TRU-03 are made once, in a file that only the server reads, and not in the database', async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => loadSecrets(database.db, place())),
    )
    for (const other of others) expect(other).toEqual(first)
    expect(first?.session.signing).toHaveLength(32)
    expect(first?.session.signing).not.toEqual(first?.xsrf.signing)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await database.db.select().from(serverSecrets)).toEqual([])
  })

  it('TRU-03 move out of a database of an older version, and check only what they signed before', async () => {
    const old = { session: Buffer.alloc(32, 1), mailbox: Buffer.alloc(32, 2) }
    await database.db.insert(serverSecrets).values(
      Object.entries(old).map(([name, value]) => ({
        name,
        value: value.toString('base64'),
        createdAt: now,
      })),
    )
    const { session, mailbox } = await loadSecrets(database.db, place())
    expect(session.signing).not.toEqual(old.session)
    expect(session.accepted).toEqual([session.signing, old.session])
    // The pseudonyms of deleted accounts are found again.
    expect(mailbox).toEqual({ signing: old.mailbox, accepted: [old.mailbox] })
    expect(await database.db.select().from(serverSecrets)).toEqual([])
    expect((await loadSecrets(database.db, place())).session).toEqual(session)
  })

  it('TRU-03 stay in the database where a process only migrates, whose folder may go with it', async () => {
    const old = { name: 'mailbox', value: Buffer.alloc(32, 2).toString('base64'), createdAt: now }
    await database.db.insert(serverSecrets).values(old)
    await loadSecrets(database.db, { ...place(), isReadOnly: true })
    expect(await database.db.select().from(serverSecrets)).toEqual([old])
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await database.db.delete(serverSecrets)
  })

  it('TRU-03 what an older version that ran again made of deleted mailboxes is found again', async () => {
    const { mailbox } = await loadSecrets(database.db, place())
    const other = Buffer.alloc(32, 3)
    await database.db
      .insert(serverSecrets)
      .values({ name: 'mailbox', value: other.toString('base64'), createdAt: now })
    await loadSecrets(database.db, place())
    now = new Date(now.getTime() + 400 * DAY_MS)
    expect((await loadSecrets(database.db, place())).mailbox).toEqual({
      signing: mailbox.signing,
      accepted: [mailbox.signing, other],
    })
    expect(await database.db.select().from(serverSecrets)).toEqual([])
  })

  it('TRU-03 are replaced: new ones sign, old ones check for half a year, or not at all', async () => {
    const before = await loadSecrets(database.db, place())
    await rotateKeys(place(), { forget: false })
    const after = await loadSecrets(database.db, place())
    expect(after.partUrl.accepted).toEqual([after.partUrl.signing, before.partUrl.signing])
    expect(after.partUrl.signing).not.toEqual(before.partUrl.signing)
    expect(after.mailbox).toEqual(before.mailbox)
    now = new Date(now.getTime() + 180 * DAY_MS)
    expect((await loadSecrets(database.db, place())).partUrl.accepted).toHaveLength(1)
    await rotateKeys(place(), { forget: true })
    const leaked = await loadSecrets(database.db, place())
    expect(leaked.partUrl.accepted).toHaveLength(1)
    expect(leaked.partUrl.signing).not.toEqual(after.partUrl.signing)
  })

  it.runIf(process.getuid?.() === 0)(
    "TRU-03 stay their owner's when root replaces them",
    async () => {
      await loadSecrets(database.db, place())
      await chown(file, 1234, 1235)
      await rotateKeys(place(), { forget: false })
      expect(await stat(file)).toMatchObject({ uid: 1234, gid: 1235 })
    },
  )

  it('TRU-03 are refused with a sentence when their file is damaged, and stay as they are', async () => {
    await writeFile(file, '{"session": [')
    await expect(loadSecrets(database.db, place())).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('are damaged') as string,
    })
    expect(await readFile(file, 'utf8')).toBe('{"session": [')
  })
})
