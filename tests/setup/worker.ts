import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestServer } from './server.ts'

/** Starts a worker process of a server's database and folder; the caller kills it. */
export async function startWorker({ deps }: TestServer): Promise<ChildProcess> {
  const { options } = deps.db.$client
  const worker = spawn(
    process.execPath,
    [join(import.meta.dirname, '../fixtures/worker-process.ts')],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        TEST_DATA_DIR: deps.settings.dataDir,
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
