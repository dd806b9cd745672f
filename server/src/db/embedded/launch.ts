import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, open, readFile, realpath, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { chooseIdentity, commandFor, type Identity } from './identity.ts'
import { CLUSTER_OWNER, ensureCluster } from './initialise.ts'
import { APP_ROLE, ensureAppRole, giveToAppRole } from './role.ts'
import { ensureSocketFolder, socketFolder, SOCKET_PORT } from './socket.ts'
import { removeStaleLocks } from './stale-locks.ts'
import { stopServer } from './stop.ts'
import { withOwnClient } from '#server/db/own-client.ts'
import { StartError } from '#server/start-error.ts'

/** A running embedded database. */
export interface EmbeddedPostgres {
  /** For `pg`: the socket's folder as host, and a role that is no superuser. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** It was already running: left by a process that was killed, or started by another one. */
  readonly wasAdopted: boolean
  /** Ends it unless another process is connected; idempotent. Close all pools first. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL of a data folder, or uses the one that already runs there. First start
 * about 0.6 s, later 0.1 s. Throws `StartError` with one sentence when it cannot.
 * @param dataDir absolute; the cluster lives in `postgres` below it
 */
export async function launchPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  // PostgreSQL may run as another user: users may pass through the folder and not list it.
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const root = await realpath(dataDir)
  const place: Place = {
    cluster: join(root, 'postgres'),
    socketDir: socketFolder(root),
    logFile: join(root, 'postgres.log'),
  }
  const wasAdopted = await isUp(place)
  if (!wasAdopted) {
    const binaries = await findBinaries()
    const owner = await stat(place.cluster).then(
      ({ uid }) => uid,
      () => null,
    )
    const identity = chooseIdentity(binaries, root, owner)
    await ensureCluster(binaries, identity, place.cluster)
    await ensureSocketFolder(identity, place.socketDir)
    await start(binaries, identity, place)
  }
  await ensureDatabase(place)
  return {
    connection: { ...ownerConnection(place, DATABASE_NAME), user: APP_ROLE },
    wasAdopted,
    stop: () => stopServer(place.cluster, ownerConnection(place, 'postgres')),
  }
}

interface Place {
  readonly cluster: string
  readonly socketDir: string
  readonly logFile: string
}

const DATABASE_NAME = 'onecut'
/**
 * A crashed server replays its log before it takes connections; on a slow disk that takes a while.
 */
const LONGEST_RECOVERY_MS = 300_000
/** Backends of a killed server may hold its shared memory for some seconds. */
const LONGEST_LOCK_MS = 15_000
/**
 * Per process: a pool of 12, 4 of the queue, and one for each of up to 64 renders; for two
 * processes, with some to spare.
 */
const MOST_CONNECTIONS = 200
const LOG_LIMIT_BYTES = 5_000_000

async function start(binaries: PostgresBinaries, identity: Identity, place: Place): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    await removeStaleLocks(place.cluster, place.socketDir)
    const server = await spawnServer(binaries, identity, place)
    while (server.exitCode === null && server.signalCode === null) {
      if (await isUp(place)) return server.unref()
      if (Date.now() - startedAt > LONGEST_RECOVERY_MS)
        throw await failure(place, 'does not answer')
      await delay(25)
    }
    // Another process was faster, or an older server is about to end.
    if (await isUp(place)) return
    if (Date.now() - startedAt > LONGEST_LOCK_MS) throw await failure(place, 'ended at once')
    await delay(250)
  }
}

async function spawnServer(
  binaries: PostgresBinaries,
  identity: Identity,
  place: Place,
): Promise<ChildProcess> {
  if (
    await stat(place.logFile).then(
      ({ size }) => size > LOG_LIMIT_BYTES,
      () => false,
    )
  )
    await truncate(place.logFile)
  const log = await open(place.logFile, 'a', 0o600)
  try {
    const flags = [
      '-D',
      place.cluster,
      '-k',
      place.socketDir,
      '-p',
      String(SOCKET_PORT),
      '-c',
      'listen_addresses=',
      '-c',
      'unix_socket_permissions=0700',
      '-c',
      'shared_buffers=64MB',
      '-c',
      `max_connections=${MOST_CONNECTIONS}`,
      '-c',
      'log_min_messages=warning',
    ]
    const { command, args, options } = commandFor(identity, binaries.postgres, flags)
    // A session of its own: otherwise Ctrl-C in the terminal ends it before our own shutdown has
    // finished.
    const server = spawn(command, args, {
      ...options,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    server.on('error', () => {
      /* shows as an exit code, which the caller waits for */
    })
    return server
  } finally {
    await log.close()
  }
}

async function isUp(place: Place): Promise<boolean> {
  return withClient(ownerConnection(place, 'postgres'), async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === place.cluster
  }).catch(() => false)
}

async function ensureDatabase(place: Place): Promise<void> {
  await withClient(ownerConnection(place, 'postgres'), async (client) => {
    await ensureAppRole(client)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      DATABASE_NAME,
    ])
    // 42P04: made by a process that starts beside us.
    if (rowCount === 0)
      await client.query(`create database ${DATABASE_NAME}`).catch((error: { code?: string }) => {
        if (error.code !== '42P04') throw error
      })
  })
  await withClient(ownerConnection(place, DATABASE_NAME), async (client) => {
    await giveToAppRole(client, DATABASE_NAME)
  })
}

function ownerConnection(place: Place, database: string): EmbeddedPostgres['connection'] {
  return { host: place.socketDir, port: SOCKET_PORT, user: CLUSTER_OWNER, database }
}

async function withClient<T>(
  connection: EmbeddedPostgres['connection'],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return await withOwnClient({ ...connection, connectionTimeoutMillis: 5_000 }, work)
}

async function failure(place: Place, what: string): Promise<StartError> {
  const log = await readFile(place.logFile, 'utf8').catch(() => '')
  const last =
    log
      .trim()
      .split('\n')
      .filter((line) => /FATAL|PANIC|ERROR|could not|cannot/.test(line))
      .at(-1) ?? 'it left no reason'
  return new StartError(
    `The database in ${place.cluster} ${what}: ${last.trim()} (more in ${place.logFile}).`,
  )
}
