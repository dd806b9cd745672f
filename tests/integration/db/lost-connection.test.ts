import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

/** A transaction that ends its own connection before its `commit`, `times` times. */
async function cutOff(times: number, last: 'statement' | 'commit') {
  let runs = 0
  const made = database.db.transaction(async (tx) => {
    runs += 1
    await tx.execute(sql`insert into runs_of_test values (${runs})`)
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    if (runs > times) return
    await database.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`)
    if (last === 'statement') await tx.execute(sql`select 1`)
  })
  const outcome = await made.then(
    () => 'made',
    () => 'failed',
  )
  return { runs, outcome }
}

it('SCL-04 a transaction that is cut off before its commit is run again as a whole, and twice at most', async () => {
  const { db } = database
  await db.execute(sql`create table runs_of_test (run integer)`)
  expect(await cutOff(1, 'statement')).toEqual({ runs: 2, outcome: 'made' })
  expect((await db.execute(sql`select run from runs_of_test`)).rows).toEqual([{ run: 2 }])
  expect(await cutOff(9, 'statement')).toEqual({ runs: 3, outcome: 'failed' })
  expect((await db.execute(sql`select run from runs_of_test`)).rows).toEqual([{ run: 2 }])
})

it('SCL-04 a transaction whose commit got no answer is not run again', async () => {
  expect(await cutOff(1, 'commit')).toEqual({ runs: 1, outcome: 'failed' })
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

/** Ends an idle connection; the pool has not heard of it yet when it hands the connection out. */
async function endIdle(): Promise<void> {
  const client = await database.db.$client.connect()
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  client.release()
  stream.destroy()
}

it('SCL-04 a transaction that cannot begin gives its connection back, and begins on another', async () => {
  const { db } = database
  const pool = db.$client
  await endIdle()
  const { rows } = await db.transaction(async (tx) => await tx.execute(sql`select 4 as four`))
  expect(rows).toEqual([{ four: 4 }])
  expect(pool.totalCount).toBe(pool.idleCount)
})

it('SCL-04 a read whose connection broke is sent again, and a write is not', async () => {
  const { db } = database
  await endIdle()
  expect((await db.execute(sql`select 5 as five`)).rows).toEqual([{ five: 5 }])
  await endIdle()
  await expect(db.execute(sql`insert into runs_of_test values (6)`)).rejects.toThrow()
})

it('SCL-04 a write that a shutdown ends is sent again, and is there once', async () => {
  const { db, connection } = database
  const client = new Client(connection)
  await client.connect()
  await client.query('begin')
  await client.query('lock table runs_of_test')
  // It waits for the lock when it is ended.
  const write = async () => await db.execute(sql`insert into runs_of_test values (${7})`)
  const written = write()
  await expect
    .poll(async () => {
      const { rowCount } = await db.execute(sql`select pg_terminate_backend(pid)
        from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into runs%'`)
      return rowCount
    })
    .toBe(1)
  await client.query('commit')
  await client.end()
  await written
  const { rows } = await db.execute(sql`select count(*)::integer from runs_of_test where run = 7`)
  expect(rows).toEqual([{ count: 1 }])
})
