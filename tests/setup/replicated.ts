import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { v7 } from 'uuid'
import { findBinaries, type PostgresBinaries } from '#server/db/embedded/binaries.ts'
import {
  chooseIdentity,
  commandFor,
  ownFolder,
  type Identity,
} from '#server/db/embedded/identity.ts'
import { CLUSTER_OWNER, ensureCluster } from '#server/db/embedded/initialise.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { startCutRelay } from './cut-relay.ts'
import { freePort } from './free-port.ts'
import { patience } from './patience.ts'

/**
 * A PostgreSQL with a replica that has each commit before it is answered, both of this machine's
 * programs.
 */
interface Replicated {
  readonly port: number
  /**
   * Ends the first one as a service is restarted, and starts it again after `awayMs`. Then commits
   * wait for the replica no more.
   */
  restart(awayMs: number): Promise<void>
  /** Kills the first one as a machine dies, and makes the replica the one that takes writes. */
  failOver(): Promise<{ readonly port: number }>
  stop(): Promise<void>
}

/** Starts both. Anybody on this machine may log in. */
export async function startReplicated(): Promise<Replicated> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-replicated-'))
  await chmod(folder, 0o711)
  const binaries = await findBinaries()
  const identity = chooseIdentity(binaries, folder, null)
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await ensureCluster(binaries, identity, first)
  await writeFile(join(first, 'pg_hba.conf'), 'host all,replication all 127.0.0.1/32 trust\n')
  const ports = [await freePort(), await freePort()] as const
  const servers: ChildProcess[] = []
  const start = async (cluster: string, port: number): Promise<ChildProcess> => {
    const server = startServer(binaries, identity, cluster, port)
    servers.push(server)
    await untilUp(port)
    return server
  }
  let primary = await start(first, ports[0])
  await copyTo(second, { first, port: ports[0], identity })
  await start(second, ports[1])
  await query(ports[0], "alter system set synchronous_standby_names = '*'")
  await query(ports[0], 'select pg_reload_conf()')
  return {
    port: ports[0],
    async restart(awayMs) {
      // The replica comes back seconds later, and each commit would wait for it.
      await query(ports[0], "alter system set synchronous_standby_names = ''")
      const gone = once(primary, 'exit')
      // A fast shutdown: what runs is cut off.
      primary.kill('SIGINT')
      await gone
      await setTimeout(awayMs)
      primary = await start(first, ports[0])
    },
    async failOver() {
      const gone = once(primary, 'exit')
      primary.kill('SIGKILL')
      await gone
      await query(ports[1], 'select pg_promote(true, 60)')
      return { port: ports[1] }
    },
    async stop() {
      for (const server of servers) server.kill('SIGQUIT')
      await Promise.all(
        servers.map(async (s) => s.exitCode ?? s.signalCode ?? (await once(s, 'exit'))),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same with a database for servers, which reach it by a relay: the `template` of theirs. */
export async function startRelayed() {
  const database = await startReplicated()
  const relay = await startCutRelay(database.port)
  await query(database.port, 'create database onecut')
  const place = { host: '127.0.0.1', port: relay.port, user: CLUSTER_OWNER }
  const template = { ...place, database: 'onecut' }
  await migrateDatabase(template, v7)
  return { database, relay, template }
}

function startServer(
  { postgres }: PostgresBinaries,
  identity: Identity,
  cluster: string,
  port: number,
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '100',
    // What the replica has not fetched yet stays.
    wal_keep_size: '512MB',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, args, options } = commandFor(identity, postgres, ['-D', cluster, ...flags])
  return spawn(command, args, { ...options, stdio: 'ignore' })
}

/** Copies a running cluster, as its documentation says it of a file system copy. */
async function copyTo(
  second: string,
  {
    first,
    port,
    identity,
  }: { readonly first: string; readonly port: number; readonly identity: Identity },
): Promise<void> {
  const client = await connected(port)
  await client.query("select pg_backup_start('replica', true)")
  await cp(first, second, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') })
  const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop(false)')
  await client.end()
  await writeFile(join(second, 'backup_label'), rows[0]?.labelfile ?? '')
  await writeFile(join(second, 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${port} user=${CLUSTER_OWNER}`
  await appendFile(join(second, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  if (identity.kind === 'unprivileged')
    spawnSync('chown', ['-R', `${identity.uid}:${identity.uid}`, second])
  await ownFolder(identity, second)
}

async function connected(port: number): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user: CLUSTER_OWNER, database: 'postgres' })
  await client.connect()
  return client
}

async function query(port: number, statement: string): Promise<void> {
  const client = await connected(port)
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function untilUp(port: number): Promise<void> {
  for (const end = performance.now() + patience(60); ;)
    try {
      return await query(port, 'select 1')
    } catch (error) {
      if (performance.now() > end) throw error
      await setTimeout(100)
    }
}
