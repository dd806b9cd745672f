import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { livingPostmaster } from '#server/db/embedded/stale-locks.ts'
import { startNewE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { patience } from '#tests/setup/patience.ts'
import { PROGRAM_ENV, serverProgram } from '#tests/setup/server-programs.ts'

let server: E2eServer | null = null
afterEach(async () => {
  await server?.dispose()
  server = null
})

async function isTakingCalls(origin: string): Promise<boolean> {
  return await fetch(`${origin}/editors/api/v1/capabilities`).then(
    ({ ok }) => ok,
    () => false,
  )
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the server's entry to its end. */
async function run(env: Record<string, string>): Promise<Ended> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onecut-start-'))
  const child = spawn(process.execPath, [await serverProgram()], {
    env: { ...process.env, ...PROGRAM_ENV, ONECUT_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  await once(child, 'close')
  await rm(dataDir, { recursive: true, force: true })
  return { code: child.exitCode, out, err }
}

describe('starting', () => {
  it('TRU-04 says that it is ready when it is, keeps its data and the database that a killed server left running, and takes calls only when what a crash left of attempts is gone', async () => {
    server = await startNewE2eServer()
    const { origin, dataDir } = server
    const postgres = join(dataDir, 'postgres')
    expect(await isTakingCalls(origin)).toBe(true)
    expect(await server.stop()).toBe(0)
    expect(await livingPostmaster(postgres)).toBeNull()
    // Written once, when the database is made.
    const version = join(postgres, 'PG_VERSION')
    const madeAt = (await stat(version)).mtimeMs
    const mailboxUrl = server.mailboxUrl()
    expect(mailboxUrl).toMatch(/\/dev\/mail\?token=[\w-]{43}$/)
    await server.start()
    expect(server.mailboxUrl()).toBe(mailboxUrl)
    expect(await isTakingCalls(origin)).toBe(true)
    expect((await stat(version)).mtimeMs).toBe(madeAt)

    const pid = await livingPostmaster(postgres)
    await server.kill()
    expect(await livingPostmaster(postgres)).toBe(pid)
    const left = join(dataDir, 'scratch/task-of-a-crash')
    await mkdir(left, { recursive: true })
    const starting = server.start()
    await expect
      .poll(() => isTakingCalls(origin), { timeout: patience(60), interval: 5 })
      .toBe(true)
    expect(existsSync(left)).toBe(false)
    await starting
    expect(await livingPostmaster(postgres)).toBe(pid)
  })

  it('a start that is told to stop ends without an error and leaves nothing running', async () => {
    const port = await freePort()
    const dataDir = await mkdtemp(join(tmpdir(), 'onecut-start-'))
    const child = spawn(process.execPath, [await serverProgram()], {
      env: { ...process.env, ...PROGRAM_ENV, ONECUT_DATA_DIR: dataDir, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const readiness = `http://127.0.0.1:${port}/editors/ready`
    await expect
      .poll(async () => await fetch(readiness).then(({ status }) => status), { interval: 10 })
      .toBe(503)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(child.stdout.read()).toBeNull()
    expect(await livingPostmaster(join(dataDir, 'postgres'))).toBeNull()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('refuses a port that is in use, before it starts anything', async () => {
    const other = createServer()
    const port = await freePort()
    other.listen(port, '127.0.0.1')
    await once(other, 'listening')
    const { code, out, err } = await run({ PORT: String(port) })
    other.close()
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `Port ${port} is already in use; stop the program that uses it, or choose another one, for example PORT=${port + 1}.\n`,
    })
  })

  it('ends with one sentence and no stack when a database cannot be reached', async () => {
    const unreachable = await run({
      PORT: '0',
      DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
    })
    expect(unreachable).toMatchObject({ code: 2, out: '' })
    expect(unreachable.err).toMatch(/^The database of DATABASE_URL cannot be used: .*\n$/)
  })

  it('does not give tokens away where other people can reach it, unless that is meant', async () => {
    expect(await run({ PORT: '0', ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com' })).toEqual({
      code: 2,
      out: '',
      err: 'Payments are only a test here and move no money, but other people can reach https://edits.example.com; set ONECUT_ALLOW_TEST_PAYMENTS=1 if tokens may be had for nothing, or ONECUT_PAYMENTS=false if edits cost none.\n',
    })
  })

  it('migrates and ends when that is its role', async () => {
    expect(await run({ ONECUT_ROLE: 'migrate' })).toEqual({
      code: 0,
      out: 'The database is up to date.\n',
      err: '',
    })
  })
})
