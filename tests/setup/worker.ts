import { spawn, type ChildProcess } from 'node:child_process'
import { inject } from 'vitest'
import type { TestServer } from './server.ts'
import { PROGRAM_ENV, PROGRAM_FLAGS, serverProgram } from './server-programs.ts'

/**
 * Starts a worker process of a server's database and folder; the caller kills it.
 * @param env TEST_STOP_AT_PROGRESS: it stops itself in the middle of its first edit
 */
export async function startWorker(
  { deps }: TestServer,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const { options } = deps.db.$client
  const worker = spawn(
    process.execPath,
    [...PROGRAM_FLAGS, await serverProgram('tests/fixtures/worker-process.ts')],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        ...PROGRAM_ENV,
        ...env,
        TEST_DATA_DIR: deps.settings.dataDir,
        ONECUT_DIVIDE_FROM_S: String(deps.settings.divideFromMs / 1000),
        ONECUT_SEGMENT_S: String(deps.settings.segmentMs / 1000),
        TEST_CONNECTION: JSON.stringify({ ...inject('postgres'), database: options.database }),
      },
    },
  )
  await new Promise<void>((resolve, reject) => {
    worker.stdout?.once('data', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
  })
  return worker
}
