import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { patience } from './patience.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
export const HAS_PGBOUNCER = existsSync(PGBOUNCER)

/** A pooler in transaction mode before a database that lets everybody of this machine in. */
export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

interface Behind {
  readonly host: string
  readonly port: number
  readonly user: string
}

/**
 * Starts PgBouncer in transaction mode.
 * @param folder takes its settings, and others may pass through it
 * @param owner it does not run as root, and reaches the database's socket as this one
 */
export async function startPgBouncer(
  { host, port, user }: Behind,
  folder: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<PgBouncer> {
  const ownPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${host} port=${port} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  )
  const { uid, gid } = owner
  if (process.getuid?.() === 0) await chown(file, uid, gid)
  const pooler = spawn(PGBOUNCER, [file], { uid, gid, stdio: 'ignore' })
  for (const end = performance.now() + patience(20); !(await listens(ownPort));)
    if (performance.now() > end) throw new Error('PgBouncer did not start')
    else await setTimeout(50)
  return {
    port: ownPort,
    async stop() {
      if (pooler.exitCode !== null) return
      pooler.kill('SIGKILL')
      await once(pooler, 'exit')
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const is = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return is
}
