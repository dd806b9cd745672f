import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchPostgres, type EmbeddedPostgres } from '#server/db/embedded/launch.ts'
import { socketFolder } from '#server/db/embedded/socket.ts'
import { livingPostmaster, lockedBy } from '#server/db/embedded/stale-locks.ts'

let folder: string
let running: EmbeddedPostgres[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-pg-'))
  await chmod(folder, 0o711)
  running = []
})
afterEach(async () => {
  for (const postgres of running) {
    await postgres.stop()
    await rm(postgres.connection.host, { recursive: true, force: true })
  }
  await rm(folder, { recursive: true, force: true })
})

async function launch(dataDir = folder): Promise<EmbeddedPostgres> {
  const postgres = await launchPostgres(dataDir)
  running.push(postgres)
  return postgres
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
    const first = await launch()
    expect(first.wasAdopted).toBe(false)
    await query(first, 'create table kept (n int); insert into kept values (7)')
    expect(await query(first, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700)
    await first.stop()
    await expect(query(first, 'select 1')).rejects.toThrow()
    const second = await launch()
    expect(second.wasAdopted).toBe(false)
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('is adopted by the next start when its launcher was killed', async () => {
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
    const first = await launch()
    await query(first, 'create table kept (n int); insert into kept values (1)')
    const pid = await livingPostmaster(join(folder, 'postgres'))
    execFileSync('kill', ['-9', String(pid)])
    const second = await launch()
    expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('clears lock files that name a process which is another program by now', async () => {
    const first = await launch()
    await first.stop()
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
    const postgres = await launch(deep)
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(socketFolder(deep, '/var/folders/'.padEnd(120, 'x'))).toMatch(
      /^\/tmp\/onecut-[0-9a-f]{12}$/,
    )
  })

  it('refuses data of another major version in one sentence', async () => {
    const first = await launch()
    await first.stop()
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
})
