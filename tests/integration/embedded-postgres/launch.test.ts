import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isSuperuser, openDb } from '#server/db/client.ts'
import { CLUSTER_OWNER } from '#server/db/embedded/initialise.ts'
import { launchPostgres, type EmbeddedPostgres } from '#server/db/embedded/launch.ts'
import { socketFolder } from '#server/db/embedded/socket.ts'
import { livingPostmaster, lockedBy } from '#server/db/embedded/stale-locks.ts'

/** A cluster that was started and stopped once. */
let made: string
/** What that start was like, because making a cluster is dear. */
let firstStart: {
  readonly wasAdopted: boolean
  readonly listens: Record<string, unknown>[]
  readonly socketMode: number
}
let folder: string
/** Where the cluster is while a test has it. */
let borrowed: string | null
let running: EmbeddedPostgres[]
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'onecut-pg-made-'))
  await chmod(made, 0o711)
  const postgres = await launchPostgres(made)
  firstStart = {
    wasAdopted: postgres.wasAdopted,
    listens: await query(postgres, 'show listen_addresses'),
    socketMode: (await stat(postgres.connection.host)).mode & 0o777,
  }
  await postgres.stop()
  await rm(postgres.connection.host, { recursive: true, force: true })
})
afterAll(async () => {
  await rm(made, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-pg-'))
  await chmod(folder, 0o711)
  running = []
  borrowed = null
})
afterEach(async () => {
  for (const postgres of running) {
    await postgres.stop()
    await rm(postgres.connection.host, { recursive: true, force: true })
  }
  if (borrowed !== null) await rename(borrowed, join(made, 'postgres'))
  await rm(folder, { recursive: true, force: true })
})

async function launch(dataDir = folder): Promise<EmbeddedPostgres> {
  const postgres = await launchPostgres(dataDir)
  running.push(postgres)
  return postgres
}

/**
 * Takes the place of the first start, which makes the cluster. The next test gets what this one has
 * left of it, because a copy takes a processor second.
 */
async function borrowCluster(to = folder): Promise<void> {
  await rename(join(made, 'postgres'), join(to, 'postgres'))
  borrowed = join(to, 'postgres')
}

async function query(postgres: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded PostgreSQL', () => {
  it('makes its cluster at the first start, keeps its data, and listens on no network', async () => {
    expect(firstStart).toEqual({
      wasAdopted: false,
      listens: [{ listen_addresses: '' }],
      socketMode: 0o700,
    })
    await borrowCluster()
    const first = await launch()
    await query(first, 'create table kept (n int); insert into kept values (7)')
    await first.stop()
    await expect(query(first, 'select 1')).rejects.toThrow()
    const second = await launch()
    expect(second.wasAdopted).toBe(false)
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('TRU-03 gives the server a role that owns its database and is no superuser', async () => {
    await borrowCluster()
    const postgres = await launch()
    const db = openDb(postgres.connection, { onError: () => undefined })
    expect(await isSuperuser(db)).toBe(false)
    await db.$client.end()
    await query(postgres, 'create schema own; create table own.kept (n int)')
    for (const refused of [
      "select pg_read_file('/etc/passwd')",
      "copy (select 1) to program 'true'",
      'create role another superuser',
      "alter system set log_statement = 'all'",
      `set role ${CLUSTER_OWNER}`,
    ])
      await expect(query(postgres, refused), refused).rejects.toMatchObject({ code: '42501' })
  })

  it('TRU-03 gives a data folder from before the role to it, with all that is inside', async () => {
    await borrowCluster()
    const first = await launch()
    const owner = { ...first, connection: { ...first.connection, user: CLUSTER_OWNER } }
    // As an older Onecut left it: everything belongs to the superuser.
    await query(owner, `reassign owned by ${first.connection.user} to ${CLUSTER_OWNER}`)
    await query(
      owner,
      `create schema queue;
       create type queue.state as enum ('new', 'done');
       create table queue.job (id serial, way queue.state, at int generated always as identity)
         partition by list (way);
       create table queue.fresh partition of queue.job for values in ('new');
       create sequence queue.counter;
       create view queue.waiting as select * from queue.job;
       create function queue.twice(n int) returns int language sql as 'select 2 * n';
       insert into queue.job (way) values ('new')`,
    )
    await first.stop()
    const second = await launch()
    expect(await query(second, 'select id, way, queue.twice(2) from queue.waiting')).toEqual([
      { id: 1, way: 'new', twice: 4 },
    ])
    await query(
      second,
      `alter table queue.job add column more int; alter type queue.state add value 'late';
       select nextval('queue.counter'); drop table queue.fresh; drop schema queue cascade`,
    )
    const owners = 'select datdba::regrole::text as owner from pg_database where datname = $1'
    expect(await query(second, owners.replace('$1', "'onecut'"))).toEqual([
      { owner: second.connection.user },
    ])
  })

  it('is adopted by the next start when its launcher was killed', async () => {
    await borrowCluster()
    expect(() =>
      execFileSync(
        process.execPath,
        [join(process.cwd(), 'tests/fixtures/killed-launcher.ts'), folder],
        { stdio: 'pipe' },
      ),
    ).toThrow()
    const pid = await livingPostmaster(join(folder, 'postgres'))
    expect(pid).not.toBeNull()
    const adopted = await launch()
    expect(adopted.wasAdopted).toBe(true)
    expect(await livingPostmaster(join(folder, 'postgres'))).toBe(pid)
  })

  it('starts again after everything was killed, with committed rows and in spite of its old lock files', async () => {
    await borrowCluster()
    const first = await launch()
    await query(first, 'create table committed (n int); insert into committed values (1)')
    const pid = await livingPostmaster(join(folder, 'postgres'))
    execFileSync('kill', ['-9', String(pid)])
    const second = await launch()
    expect(await query(second, 'select n from committed')).toEqual([{ n: 1 }])
  })

  it('clears lock files that name a process which is another program by now', async () => {
    await borrowCluster()
    const lock = join(folder, 'postgres/postmaster.pid')
    // This very process is alive, but no PostgreSQL.
    await writeFile(lock, `${process.pid}\n${join(folder, 'postgres')}\n`)
    const second = await launch()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await lockedBy(lock)).not.toBe(process.pid)
  })

  it('works below a path that is too long for a socket', async () => {
    const deep = join(
      folder,
      'a-folder-with-quite-a-long-name'.repeat(3),
      'and-another-one-inside-it'.repeat(3),
    )
    await mkdir(deep, { recursive: true })
    await borrowCluster(deep)
    const postgres = await launch(deep)
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(socketFolder(deep, '/var/folders/'.padEnd(120, 'x'))).toMatch(
      /^\/tmp\/onecut-[0-9a-f]{12}$/,
    )
  })

  it('refuses data of another major version in one sentence', async () => {
    await borrowCluster()
    await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n')
    await expect(launchPostgres(folder)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /belongs to PostgreSQL 17, but this Onecut brings \d+/,
      ) as string,
    })
    await writeFile(join(folder, 'postgres/PG_VERSION'), '18\n')
  })

  it('stays up while another process of ours is connected', async () => {
    await borrowCluster()
    const postgres = await launch()
    const other = new Client(postgres.connection)
    other.on('error', () => undefined)
    await other.connect()
    await postgres.stop()
    expect((await other.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
    await other.end()
    await postgres.stop()
    expect(
      await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => null),
    ).toBeNull()
  })

  it.runIf(process.getuid?.() === 0)(
    'runs in a user namespace when root keeps the data where no other user may enter',
    async () => {
      await chmod(folder, 0o700)
      const postgres = await launch(join(folder, 'inside'))
      expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
      expect((await stat(join(folder, 'inside/postgres'))).uid).toBe(0)
      await postgres.stop()
      // The same data, moved to where everybody may enter.
      await chmod(folder, 0o711)
      const again = await launch(join(folder, 'inside'))
      expect(await query(again, 'select 1 as one')).toEqual([{ one: 1 }])
      expect((await stat(join(folder, 'inside/postgres'))).uid).toBe(65_534)
    },
  )

  it.runIf(process.getuid?.() === 0)(
    'leaves a cluster to the user that it belongs to when root starts it',
    async () => {
      // With its owner, which `cp` of Node loses.
      execFileSync('cp', ['-a', join(made, 'postgres'), folder])
      execFileSync('chown', ['-R', '1234:1234', folder])
      const again = await launch()
      expect(await query(again, 'select 1 as one')).toEqual([{ one: 1 }])
      for (const path of [join(folder, 'postgres/PG_VERSION'), again.connection.host])
        expect((await stat(path)).uid, path).toBe(1234)
    },
  )

  it('makes no new cluster in the place of one that cannot be read', async () => {
    await mkdir(join(folder, 'postgres/PG_VERSION'), { recursive: true })
    await expect(launch()).rejects.toThrow('cannot be read')
  })
})
