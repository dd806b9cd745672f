import { lstat, mkdtemp, open, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import { FIRST_HANDLE, type Confinement, type Seen, type Shared, type Sight } from './methods.ts'

/** The inputs of one run while its command line is made. */
export interface Inputs {
  /** The path under which the tool sees a file. What no argument names stays unseen. */
  readonly seen: (path: string) => string
  /** Makes them visible; `close` after the run. */
  open(): Promise<OpenInputs>
}

interface OpenInputs {
  readonly sight: Sight
  /** Descriptors that the tool inherits, from 3 on. */
  readonly handles: readonly number[]
  close(): Promise<void>
}

/**
 * Programs and libraries of Linux distributions. Not the whole of /usr: a server may be installed
 * there.
 */
const SYSTEM = [
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/local/bin',
  '/usr/local/lib',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ld.so.cache',
]

/** The programs and libraries that a tool outside the system's folders needs as well. */
export async function sharedPlaces(programs: readonly string[]): Promise<readonly Shared[]> {
  const shared: Shared[] = []
  for (const at of SYSTEM) {
    const facts = await lstat(at).catch(() => null)
    if (facts === null) continue
    shared.push(facts.isSymbolicLink() ? { linkTo: await readlink(at), at } : { from: at, at })
  }
  const isShared = (path: string): boolean => SYSTEM.some((each) => path.startsWith(each + sep))
  for (const program of programs) {
    const real = await realpath(program)
    if (!isShared(program)) shared.push({ from: real, at: program })
    // A build with libraries of its own keeps them beside its `bin`.
    const libraries = join(dirname(dirname(real)), 'lib')
    const hasOwn = basename(dirname(real)) === 'bin' && !isShared(real)
    if (hasOwn && (await lstat(libraries).catch(() => null))?.isDirectory() === true)
      shared.push({ from: libraries, at: libraries })
  }
  return shared
}

/**
 * How a tool gets at its inputs: under their own paths in a file system of its own; by descriptors
 * where it is another user, who cannot reach them; and plainly where it is the server's user.
 */
export function inputsOf(
  confinement: Confinement,
  shared: readonly Shared[],
  folder: string,
): Inputs {
  const { kind, uid } = confinement
  if (kind === 'bubblewrap') return mountedInputs(shared, folder, confinement)
  return uid === null ? plainInputs(folder) : handedInputs(folder)
}

function mountedInputs(
  shared: readonly Shared[],
  folder: string,
  { uid, filter }: Extract<Confinement, { readonly kind: 'bubblewrap' }>,
): Inputs {
  const paths = new Set<string>()
  return {
    seen: (path) => {
      paths.add(path)
      return path
    },
    async open() {
      const own = await realpath(folder)
      const inputs: Seen[] = []
      for (const path of paths) {
        // A file that is gone is the tool's to report.
        const from = await realpath(path).catch(() => null)
        if (from === null || isWithin(own, from)) continue
        if (uid !== null) {
          await using file = await open(from, 'r')
          await letOthersRead(file)
        }
        // Of a link in the folder, what it points to must be seen.
        const link = isWithin(folder, path) ? await readlink(path).catch(() => null) : null
        inputs.push({ from, at: link === null ? path : resolve(folder, link) })
      }
      const sight: Sight = { shared, inputs, folder: { from: own, at: folder } }
      if (filter === null) return { sight, handles: [], close }
      const file = await openBytes(filter)
      return { sight, handles: [file.fd], close: async () => await file.close() }
    },
  }
}

/** A file without a name that holds some bytes, to be read from its beginning. */
async function openBytes(bytes: Buffer): Promise<FileHandle> {
  const place = await mkdtemp(join(tmpdir(), 'onecut-filter-'))
  try {
    const file = await open(join(place, 'bytes'), 'wx+', 0o600)
    await file.write(bytes, 0, bytes.length, 0)
    return file
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

const close = (): Promise<void> => Promise.resolve()

function plainInputs(folder: string): Inputs {
  const sight: Sight = { shared: [], inputs: [], folder: { from: folder, at: folder } }
  return {
    seen: (path) => path,
    open: () => Promise.resolve({ sight, handles: [], close }),
  }
}

/**
 * Links in the folder to descriptors that the tool inherits: it can open these files, and no other
 * of the folders that they are in.
 */
function handedInputs(folder: string): Inputs {
  const links = new Map<string, string>()
  return {
    seen: (path) => {
      const real = realPathOrNull(path)
      if (real === null || isWithin(realpathSync(folder), real)) return path
      const known = links.get(path)
      if (known !== undefined) return known
      // The end of a name can tell a format.
      const link = join(folder, `input-${links.size}-${basename(path)}`)
      links.set(path, link)
      return link
    },
    async open() {
      const files: FileHandle[] = []
      for (const [path, link] of links) {
        const file = await open(path, 'r')
        await letOthersRead(file)
        await rm(link, { force: true })
        await symlink(`/proc/self/fd/${FIRST_HANDLE + files.length}`, link)
        files.push(file)
      }
      return {
        sight: { shared: [], inputs: [], folder: { from: folder, at: folder } },
        handles: files.map(({ fd }) => fd),
        async close() {
          for (const file of files) await file.close()
          for (const link of links.values()) await rm(link, { force: true })
        },
      }
    },
  }
}

/**
 * The tool opens an input as its own user. The folders above stay closed to that user, so that only
 * what it is shown is open to it.
 */
async function letOthersRead(file: FileHandle): Promise<void> {
  const { mode } = await file.stat()
  if ((mode & 0o004) === 0) await file.chmod((mode & 0o777) | 0o004)
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}
