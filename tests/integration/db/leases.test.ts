import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createLeases, type Leases } from '#server/db/leases.ts'
import { awaitMigration } from '#server/db/migrate.ts'
import { hasEnded, nameThisProcess } from '#server/db/process-name.ts'
import { isPooledByTransaction } from '#server/db/pooler.ts'
import { createLog } from '#server/log.ts'
import { createMetrics, type Metrics } from '#server/metrics.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts'
import { patience } from '#tests/setup/patience.ts'

let database: TestDatabase
const opened: Leases[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const leases of opened.splice(0)) await leases.close()
  await database.db.execute(sql`delete from leases`)
})
afterAll(() => database.drop())

interface Process {
  readonly leases: Leases
  readonly metrics: Metrics
  /** What its tools were allowed, in ms from then on. */
  readonly allowed: (number | null)[]
}

/** One process that renews `renewMs` apart: never, unless a test says so. */
function startProcess(owner: string, renewMs = 1_000_000, giveUpMs = 12_000): Process {
  const metrics = createMetrics()
  const allowed: (number | null)[] = []
  const leases = createLeases(database.db, {
    owner,
    log: createLog(() => undefined),
    metrics,
    guard: { allowFor: (ms) => void allowed.push(ms) },
    times: { renewMs, giveUpMs, leaseMs: 15_000 },
  })
  opened.push(leases)
  return { leases, metrics, allowed }
}

/** As if no holder had renewed for 15 s. */
async function letExpire(): Promise<void> {
  await database.db.execute(sql`update leases set expires_at = now() - interval '1 ms'`)
}

async function countLiving(): Promise<number> {
  const { rows } = await database.db.execute(sql`select from leases where expires_at > now()`)
  return rows.length
}

it('SCL-03 a living lease is taken by no other, and one that its process no longer renews is', async () => {
  const [first, second] = [startProcess('first', 20), startProcess('second')]
  const lease = await first.leases.take('task:1')
  expect(lease).not.toBeNull()
  expect(await second.leases.take('task:1')).toBeNull()
  expect(await first.leases.take('task:1')).toBeNull()
  // Expired and not taken, it is renewed; taken, it is lost for good.
  await letExpire()
  await expect.poll(countLiving, { timeout: patience(10), interval: 5 }).toBe(1)
  expect(await second.leases.take('task:1')).toBeNull()
  expect(lease?.lost.aborted).toBe(false)
  await lease?.release()
  const silent = startProcess('silent')
  const lost = await silent.leases.take('task:2')
  await letExpire()
  const taken = await second.leases.take('task:2')
  expect(taken).not.toBeNull()
  expect(second.metrics.total('onecut_leases_taken_over_total')).toBe(1)
  // Its release ends nothing of the new holder.
  await lost?.release()
  expect(await first.leases.take('task:2')).toBeNull()
  await taken?.release()
  expect(await first.leases.take('task:2')).not.toBeNull()
})

it('SCL-03 a holder hears at its next renewal that another process has its lease, and keeps the others', async () => {
  const [first, second] = [startProcess('first', 20), startProcess('second')]
  const [one, two] = [await first.leases.take('task:1'), await first.leases.take('task:2')]
  await database.db.execute(sql`update leases
    set owner = 'second', generation = nextval('leases_generation_seq') where name = 'task:1'`)
  await expect.poll(() => one?.lost.aborted, { timeout: patience(10) }).toBe(true)
  expect(two?.lost.aborted).toBe(false)
  expect(first.metrics.total('onecut_leases_lost_total')).toBe(1)
  expect(await second.leases.take('task:2')).toBeNull()
})

it('SCL-03 a process that cannot renew gives up before its leases end, with its tools', async () => {
  const { leases, allowed } = startProcess('cut-off', 1_000_000, 30)
  const lease = await leases.take('task:1')
  await expect.poll(() => lease?.lost.aborted, { timeout: patience(10) }).toBe(true)
  const [first] = allowed
  expect(first).toBeLessThanOrEqual(30)
  expect(first).toBeGreaterThanOrEqual(0)
  expect(allowed.at(-1)).toBeNull()
  // By the row it is still held: another process waits for the rest of the time.
  expect(await startProcess('other').leases.take('task:1')).toBeNull()
  await lease?.release()
  expect(await startProcess('other').leases.take('task:1')).not.toBeNull()
})

it('SCL-03 a broken connection to the database loses no lease', async () => {
  const { leases } = startProcess('first', 20)
  const lease = await leases.take('task:1')
  const expiry = async () =>
    (await database.db.execute<{ at: string }>(sql`select expires_at::text as at from leases`))
      .rows[0]?.at
  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%leases%'`)
  const before = await expiry()
  await expect.poll(expiry, { timeout: patience(10) }).not.toBe(before)
  expect(lease?.lost.aborted).toBe(false)
})

it('SCL-03 twenty leases are renewed by one statement at a time', async () => {
  const { leases, metrics } = startProcess('first', 20)
  for (let index = 0; index < 20; index += 1) await leases.take(`task:${index}`)
  await letExpire()
  const renewals = () => metrics.total('onecut_lease_renewals_total')
  const before = renewals()
  await expect.poll(countLiving, { timeout: patience(10), interval: 5 }).toBe(20)
  // One that had begun before may have been enough.
  await expect.poll(renewals, { timeout: patience(10), interval: 5 }).toBeGreaterThan(before)
  // Whenever one looks, all of them are as the same statement left them.
  const { rows } = await database.db.execute(sql`select distinct xmin::text from leases`)
  expect(rows).toHaveLength(1)
})

it.runIf(process.platform === 'linux')(
  'SCL-03 leases of a process of this machine that has ended are ended at once, and no others',
  async () => {
    const own = await nameThisProcess()
    expect(await hasEnded(own)).toBe(false)
    const [boot, namespace, pid, start] = own.split('/')
    const dead = `${boot}/${namespace}/${pid}/${Number(start) - 1}/before`
    const elsewhere = `other-machine/${namespace}/${pid}/1/there`
    expect([await hasEnded(dead), await hasEnded(elsewhere)]).toEqual([true, false])
    for (const owner of [own, dead, elsewhere]) await startProcess(owner).leases.take(owner)
    await startProcess('new').leases.forgetDead()
    const { rows } = await database.db.execute<{ owner: string }>(sql`select owner from leases`)
    expect(rows.map(({ owner }) => owner).toSorted()).toEqual([own, elsewhere].toSorted())
  },
)

it('SCL-04 two connections that are served by one process of the database show a pooler', async () => {
  expect(await isPooledByTransaction(database.connection)).toBe(false)
  const served = (pids: readonly number[]) => {
    let asked = 0
    const pid = () => Promise.resolve(pids[asked++ % pids.length] ?? 0)
    return () => Promise.resolve({ pid, end: () => Promise.resolve() })
  }
  expect(await isPooledByTransaction({}, served([7]))).toBe(true)
  expect(await isPooledByTransaction({}, served([7, 8, 9]))).toBe(true)
  expect(await isPooledByTransaction({}, served([7, 8, 7]))).toBe(false)
})

it('SCL-04 a process that leaves migrations to others waits for the one that it needs', async () => {
  const { connection, db } = database
  await awaitMigration(connection, { longestMs: 0 })
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`)
  await expect(awaitMigration(connection, { longestMs: 0, lookMs: 1 })).rejects.toThrow(
    /lacks the migration \d{4}_\w+; start a process with ONECUT_ROLE=migrate first/,
  )
  const waited = awaitMigration(connection, { longestMs: patience(20), lookMs: 5 })
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`)
  await waited
})
