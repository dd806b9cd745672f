import { execFile } from 'node:child_process'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from './binaries.ts'
import { commandFor, ownFolder, type Identity } from './identity.ts'
import { StartError } from '#server/start-error.ts'

/** The role that made the cluster: a superuser, only for its upkeep by this folder. */
export const CLUSTER_OWNER = 'onecut'

/**
 * Creates the cluster at the first start; afterwards checks that the programs are of its major
 * version, which only export and import can change. Made beside its place and renamed, so that an
 * interrupted first start leaves no half cluster.
 */
export async function ensureCluster(
  binaries: PostgresBinaries,
  identity: Identity,
  cluster: string,
): Promise<void> {
  const version = await readVersion(cluster)
  if (version !== null) {
    if (Number(version) !== binaries.major)
      throw new StartError(
        `The data in ${cluster} belongs to PostgreSQL ${version.trim()}, but this Onecut brings ${binaries.major}; start the older Onecut that made it.`,
      )
    return ownFolder(identity, cluster)
  }
  const unfinished = `${cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  await ownFolder(identity, unfinished)
  // No network access, no passwords: the socket's folder is the lock.
  const flags = [
    '-D',
    unfinished,
    '-U',
    CLUSTER_OWNER,
    '-E',
    'UTF8',
    '--locale=C',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ]
  const { command, args, options } = commandFor(identity, binaries.initdb, flags)
  await promisify(execFile)(command, args, options).catch((error: Error & { stderr?: string }) => {
    throw new StartError(
      `The database could not be created in ${cluster}: ${error.stderr?.trim().split('\n').at(-1) ?? error.message}`,
    )
  })
  await rename(unfinished, cluster)
}

/** What the cluster says of itself; null when there is none. */
async function readVersion(cluster: string): Promise<string | null> {
  return await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw new StartError(
        `The database in ${cluster} cannot be read (${error.message}); start Onecut as the user that it belongs to.`,
      )
    },
  )
}
