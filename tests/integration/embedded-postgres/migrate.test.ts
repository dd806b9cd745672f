import { count } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrateDatabase } from '#server/db/migrate.ts'
import { presets, serverSecrets } from '#server/db/schema.ts'
import { loadSecrets } from '#server/db/secrets.ts'
import { catalogue } from '#recipes/presets.ts'
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

it('makes the secrets once: processes that start together share them', async () => {
  const clock = (): Date => new Date()
  const [first, ...others] = await Promise.all(
    Array.from({ length: 4 }, () => loadSecrets(database.db, clock)),
  )
  for (const other of others) expect(other).toEqual(first)
  expect(first?.session).toHaveLength(32)
  expect(first?.session).not.toEqual(first?.xsrf)
  expect(await database.db.select({ rows: count() }).from(serverSecrets)).toEqual([
    { rows: Object.keys(first ?? {}).length },
  ])
})
