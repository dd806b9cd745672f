import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'
import { startServer, type RunningServer } from '#server/process/startup.ts'
import { bucketSettings } from '#tests/setup/bucket-settings.ts'
import { withoutSearches } from '#tests/setup/no-searches.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

/** An API process without ffmpeg and a worker, which share a database, a bucket and the keys. */
export interface Cluster {
  readonly api: TestServer
  readonly worker: RunningServer
  /** A folder for the test's own files. */
  readonly folder: string
  stop(): Promise<void>
}

/**
 * Starts both in this process, with the files in a bucket. Call `stop` in `afterAll`.
 * @param env settings of both
 */
export async function startCluster(
  place: S3Place,
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-cluster-'))
  const api = await startTestServer({ env: { ...bucketSettings(place), FFMPEG_PATH: '', ...env } })
  const worker = await joinWorker(api, folder, env)
  return {
    api,
    worker,
    folder,
    async stop() {
      await worker.stop()
      await api.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a worker in this process, with a folder of its own. Call `stop` at the end. */
export async function joinWorker(
  api: TestServer,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const { options } = api.deps.db.$client
  const connection = { ...inject('postgres'), database: options.database ?? '' }
  const machine = await workerMachine(api, folder)
  const settings = readSettings({
    NODE_ENV: 'test',
    ONECUT_ROLE: 'worker',
    ...env,
    ...machine,
  })
  const log = createLog(() => undefined)
  const worker = await startServer(settings, log, { replacements: { connection } })
  withoutSearches(worker.deps)
  return worker
}

/** Settings of a worker machine that has a folder of its own, and the bucket and keys of an API. */
export async function workerMachine(
  { deps: { settings } }: TestServer,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  if (settings.s3 === null) throw new Error('The API has no bucket')
  return {
    ...bucketSettings(settings.s3),
    ONECUT_DATA_DIR: join(folder, 'worker'),
    ONECUT_SCRATCH_DIR: join(folder, 'scratch'),
    ONECUT_KEYS: await readFile(settings.keysFile, 'utf8'),
  }
}
