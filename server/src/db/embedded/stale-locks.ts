import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SOCKET_PORT } from './socket.ts'

/** The process id in the first line of a lock file, or null when there is none. */
export async function lockedBy(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Math.abs(Number.parseInt(text, 10))
  return Number.isInteger(pid) && pid > 0 ? pid : null
}

/** The postmaster that the data folder's lock names, when it is alive. */
export async function livingPostmaster(cluster: string): Promise<number | null> {
  const pid = await lockedBy(join(cluster, 'postmaster.pid'))
  return pid !== null && (await isLivingPostgres(pid)) ? pid : null
}

/**
 * Removes lock files whose process is gone. After a crash of everything their pid may be free, a
 * zombie (containers without an init) or, after a reboot, another program; PostgreSQL itself would
 * then refuse to start.
 */
export async function removeStaleLocks(cluster: string, socketDir: string): Promise<void> {
  const locks = [join(cluster, 'postmaster.pid'), join(socketDir, `.s.PGSQL.${SOCKET_PORT}.lock`)]
  for (const lock of locks) {
    const pid = await lockedBy(lock)
    if (pid === null || (await isLivingPostgres(pid))) continue
    await rm(lock, { force: true })
    if (lock.endsWith('.lock')) await rm(lock.slice(0, -'.lock'.length), { force: true })
  }
}

/** Whether a pid is a running PostgreSQL; without /proc, any running process counts. */
async function isLivingPostgres(pid: number): Promise<boolean> {
  if (!exists(pid)) return false
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return process.platform !== 'linux'
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? []
  return state !== 'Z' && state !== 'X' && (name ?? '').startsWith('postgres')
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
