import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

it('a database that drops a connection in mid-transaction fails that transaction and nothing else', async () => {
  const { db } = database
  const begun = Promise.withResolvers<number>()
  const resumed = Promise.withResolvers<void>()
  const broken = db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    begun.resolve(rows[0]?.pid ?? 0)
    await resumed.promise
    await tx.execute(sql`select 1`)
  })
  await db.execute(sql`select pg_terminate_backend(${await begun.promise})`)
  resumed.resolve()
  await expect(broken).rejects.toThrow()
  expect((await db.execute(sql`select 2 as two`)).rows).toEqual([{ two: 2 }])
})

it('a connection in use that ends between two queries does not end the process', async () => {
  const { db } = database
  const client = await db.$client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const lost = new Promise((resolve) => client.once('end', resolve))
  await db.execute(sql`select pg_terminate_backend(${rows[0]?.pid})`)
  await lost
  client.release(true)
  expect((await db.execute(sql`select 3 as three`)).rows).toEqual([{ three: 3 }])
})

it('a transaction that cannot begin gives its connection back', async () => {
  const { db } = database
  const pool = db.$client
  const client = await pool.connect()
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  client.release()
  // The pool has not heard of it yet when it hands the connection out.
  stream.destroy()
  await expect(db.transaction(async (tx) => await tx.execute(sql`select 1`))).rejects.toThrow()
  expect(pool.totalCount).toBe(pool.idleCount)
  expect((await db.execute(sql`select 4 as four`)).rows).toEqual([{ four: 4 }])
})
