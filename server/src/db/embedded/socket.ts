import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownFolder, type Identity } from './identity.ts'
import { StartError } from '#server/start-error.ts'

/** Only names the socket file; nothing listens on a network. */
export const SOCKET_PORT = 5432

// sockaddr_un holds 108 bytes with the final zero on Linux, 104 on macOS.
const LONGEST_SOCKET_PATH = 103

/**
 * The folder of the database's socket: short and private, named by the data folder, so that a later
 * start finds a server that is still running. The data folder itself may have any length.
 * @param dataDir absolute and resolved
 */
export function socketFolder(dataDir: string, temporary = tmpdir()): string {
  const name = `onecut-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  const fits = (folder: string): boolean =>
    Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= LONGEST_SOCKET_PATH
  const preferred = join(temporary, name)
  return fits(preferred) ? preferred : join('/tmp', name)
}

/** Makes the socket folder; refuses a folder that another user put there. */
export async function ensureSocketFolder(identity: Identity, folder: string): Promise<void> {
  const present = await lstat(folder).catch(() => null)
  const ours = [
    process.getuid?.() ?? 0,
    0,
    ...(identity.kind === 'unprivileged' ? [identity.uid] : []),
  ]
  if (present !== null && (!present.isDirectory() || !ours.includes(present.uid))) {
    throw new StartError(
      `${folder} belongs to another user; remove it, or set TMPDIR to a folder of your own.`,
    )
  }
  await ownFolder(identity, folder)
}
