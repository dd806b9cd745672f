import { spawn, type ChildProcess } from 'node:child_process'
import { inject } from 'vitest'
import type { TestServer } from './server.ts'
import { PROGRAM_ENV, PROGRAM_FLAGS, serverProgram } from './server-programs.ts'

/** Where a worker process runs, if not beside the server. */
interface Place {
  /** Of another machine (`workerMachine` in cluster.ts). */
  readonly settings?: Readonly<Record<string, string>>
  /** The command that runs another one, as a meter does. */
  readonly wrap?: (command: readonly string[]) => readonly string[]
}

/**
 * Starts a worker process of a server's database and folder; the caller kills it.
 * @param env TEST_STOP_AT_PROGRESS: it stops itself in the middle of its first edit
 */
export async function startWorker(
  { deps }: TestServer,
  env: Readonly<Record<string, string>> = {},
  { settings: own = {}, wrap = (command) => command }: Place = {},
): Promise<ChildProcess> {
  const { options } = deps.db.$client
  const settings = {
    ONECUT_DATA_DIR: deps.settings.dataDir,
    ONECUT_DIVIDE_FROM_S: String(deps.settings.divideFromMs / 1000),
    ONECUT_SEGMENT_S: String(deps.settings.segmentMs / 1000),
    ...own,
  }
  const program = await serverProgram('tests/fixtures/worker-process.ts')
  const [command = '', ...args] = wrap([process.execPath, ...PROGRAM_FLAGS, program])
  const worker = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      ...PROGRAM_ENV,
      ...env,
      TEST_SETTINGS: JSON.stringify(settings),
      TEST_CONNECTION: JSON.stringify({ ...inject('postgres'), database: options.database }),
    },
  })
  await new Promise<void>((resolve, reject) => {
    worker.stdout?.once('data', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
  })
  return worker
}
