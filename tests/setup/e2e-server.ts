import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { socketFolder } from '#server/db/embedded/socket.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { fillWithReadyData } from '#tests/setup/ready-data.ts'
import { PROGRAM_ENV, PROGRAM_FLAGS, serverProgram } from '#tests/setup/server-programs.ts'

/**
 * The real server in a process, with a folder and database of its own. A test may kill and restart
 * it.
 */
export interface E2eServer {
  readonly origin: string
  readonly dataDir: string
  /** Standard error so far: the log. */
  log(): string
  /** Process id of the running server, or null. */
  pid(): number | null
  /** Starts it on the same data, port and origin; resolves when it reports that it is ready. */
  start(): Promise<void>
  /** Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, without a clean end. The embedded database keeps running, as after a crash. */
  kill(): Promise<void>
  /** The address that opens the local mailbox, as the start printed it. */
  mailboxUrl(): string
  /** Mails of the local mailbox, newest first. */
  mails(): Promise<
    readonly { readonly to: string; readonly subject: string; readonly text: string }[]
  >
  /** Stops everything, the database too, and deletes the data. */
  dispose(): Promise<void>
}

/** Only a start that hangs takes this long, however busy the machine is. */
const longestStartMs = 300_000
const MAILBOX = 'Local mailbox: '

/**
 * Starts the bundled server in a process, by the Node that runs the test; `env` adds to the
 * settings. `entry` is another program of `server-programs.ts`. It finds the data of an earlier
 * start.
 */
export async function startE2eServer(
  env: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<E2eServer> {
  const dataDir = await makeDataDir()
  await fillWithReadyData(dataDir)
  return await startOn(dataDir, env, entry)
}

/** The same for the first time, on an empty folder. */
export async function startNewE2eServer(): Promise<E2eServer> {
  return await startOn(await makeDataDir(), {})
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onecut-e2e-'))
  // As the server makes it: its PostgreSQL may run as another user, who passes through.
  await chmod(dataDir, 0o711)
  return dataDir
}

async function startOn(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  entry?: string,
): Promise<E2eServer> {
  const program = await serverProgram(entry)
  const port = Number(env['PORT'] ?? (await freePort()))
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let log = ''
  let mailboxUrl = ''

  async function start(): Promise<void> {
    const server = spawn(process.execPath, [...PROGRAM_FLAGS, program], {
      env: {
        ...process.env,
        ...PROGRAM_ENV,
        NODE_ENV: 'production',
        ONECUT_PUBLIC_ORIGIN: origin,
        ...env,
        PORT: String(port),
        ONECUT_DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = server
    server.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    const lines = createInterface(server.stdout)
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`The server was not ready in time:\n${log}`)),
        longestStartMs,
      )
      lines.on('line', (line) => {
        // Comes in one piece with the line that says the server is ready.
        if (line.startsWith(MAILBOX)) mailboxUrl = line.slice(MAILBOX.length)
        if (line === `Onecut is ready at ${env['ONECUT_PUBLIC_ORIGIN'] ?? origin}`) {
          clearTimeout(limit)
          resolve()
        }
      })
      server.once('exit', (code) => {
        clearTimeout(limit)
        reject(new Error(`The server ended (${String(code)}):\n${log}`))
      })
    })
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const server = child
    child = null
    if (server === null || server.exitCode !== null || server.signalCode !== null)
      return server?.exitCode ?? null
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
    return server.exitCode
  }

  await start()
  return {
    origin,
    dataDir,
    start,
    log: () => log,
    mailboxUrl: () => mailboxUrl,
    pid: () => child?.pid ?? null,
    stop: () => end('SIGINT'),
    kill: async () => {
      await end('SIGKILL')
    },
    async mails() {
      const { search } = new URL(mailboxUrl)
      const answer = await fetch(`${origin}/dev/mail${search}&format=json`)
      return ((await answer.json()) as { mails: { to: string; subject: string; text: string }[] })
        .mails
    },
    async dispose() {
      await end('SIGINT')
      // After a kill the database may still be up: adopt it to end it.
      await (await launchPostgres(dataDir)).stop()
      await rm(dataDir, { recursive: true, force: true })
      await rm(socketFolder(dataDir), { recursive: true, force: true })
    },
  }
}
