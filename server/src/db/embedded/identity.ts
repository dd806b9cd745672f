import { spawnSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from './binaries.ts'
import { StartError } from '#server/start-error.ts'

/**
 * The user that PostgreSQL runs as. It refuses to run as root, so root starts it under an
 * unprivileged uid or, where that uid cannot reach the folders (a project below /root), in a user
 * namespace in which root's files belong to another user. A cluster that belongs to a user stays
 * that user's: the server may run as that user, and root only one command.
 */
export type Identity =
  | { readonly kind: 'self' }
  | { readonly kind: 'unprivileged'; readonly uid: number }
  | { readonly kind: 'namespace' }

/** The uid without rights on Debian, Fedora, Alpine and macOS images that run as root. */
const UNPRIVILEGED_UID = 65_534
const NAMESPACE_COMMAND = [
  'unshare',
  '--user',
  '--map-user=1000',
  '--map-group=1000',
  '--',
] as const

/**
 * Chooses the identity for a data folder that exists; throws `StartError` when root has no way.
 * @param owner the uid that the cluster belongs to; null before the first start
 */
export function chooseIdentity(
  binaries: PostgresBinaries,
  dataDir: string,
  owner: number | null,
): Identity {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  if (owner !== null && owner !== 0 && missingFor(owner, binaries, dataDir) === null)
    return { kind: 'unprivileged', uid: owner }
  const unreachable = missingFor(UNPRIVILEGED_UID, binaries, dataDir)
  if (unreachable === null) return { kind: 'unprivileged', uid: UNPRIVILEGED_UID }
  const [command, ...flags] = NAMESPACE_COMMAND
  const works =
    spawnSync(command, [...flags, binaries.postgres, '--version'], { cwd: '/', stdio: 'ignore' })
      .status === 0
  if (works) return { kind: 'namespace' }
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can reach ${unreachable}; start Onecut as another user, or move it to a folder that everybody may enter, such as /srv/onecut.`,
  )
}

/** What a user cannot reach of the programs and the data; null when nothing is missing. */
function missingFor(uid: number, { postgres }: PostgresBinaries, dataDir: string): string | null {
  const options = { uid, gid: uid, cwd: '/', stdio: 'ignore' } as const
  if (spawnSync(postgres, ['--version'], options).status !== 0) return postgres
  return spawnSync('test', ['-x', dataDir], options).status === 0 ? null : dataDir
}

/** The command line and spawn options of a program under an identity. */
export function commandFor(
  identity: Identity,
  program: string,
  args: readonly string[],
): { command: string; args: string[]; options: { cwd: string; uid?: number; gid?: number } } {
  switch (identity.kind) {
    case 'self':
      return { command: program, args: [...args], options: { cwd: '/' } }
    case 'unprivileged':
      return {
        command: program,
        args: [...args],
        options: { cwd: '/', uid: identity.uid, gid: identity.uid },
      }
    case 'namespace': {
      const [command, ...flags] = NAMESPACE_COMMAND
      return { command, args: [...flags, program, ...args], options: { cwd: '/' } }
    }
  }
}

/**
 * Makes a folder that only the identity may enter. If the folder belonged to another identity,
 * gives it everything inside as well.
 */
export async function ownFolder(identity: Identity, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (process.getuid?.() !== 0) return
  const owner = identity.kind === 'unprivileged' ? identity.uid : 0
  if ((await lstat(folder)).uid !== owner) await chownTree(folder, owner)
}

async function chownTree(path: string, owner: number): Promise<void> {
  const stats = await lstat(path)
  if (stats.isDirectory())
    for (const name of await readdir(path)) await chownTree(join(path, name), owner)
  if (!stats.isSymbolicLink()) await chown(path, owner, owner)
}
