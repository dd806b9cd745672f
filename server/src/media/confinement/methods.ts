import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'

/**
 * What the system lets a media tool see and use, from the strongest:
 * - `bubblewrap`: a file system of its own with the inputs and one folder, no network, its own
 *   process numbers, and with a filter no user namespaces of its own
 * - `namespaces`: no network and its own process numbers by `unshare`; files as its user may
 * - `limits`: only another user, where the server is root, and the limits
 * - `none`: the same without the limits, on systems without util-linux
 */
export type Confinement =
  | ({
      readonly kind: 'bubblewrap'
      /** Of system calls (`namespaceFilter`); null where it does not work. */
      readonly filter: Buffer | null
    } & Helpers<'bwrap' | 'setpriv' | 'prlimit'> &
      Common)
  | ({ readonly kind: 'namespaces' } & Helpers<'unshare' | 'setpriv' | 'prlimit'> & Common)
  | ({ readonly kind: 'limits' } & Helpers<'setpriv' | 'prlimit'> & Common)
  | ({ readonly kind: 'none' } & Common)

interface Common {
  /** User and group of the tools; null where the server is not root and they share its user. */
  readonly uid: number | null
  /** Lets uploads and pages stay quick while a tool works; null where the system has none. */
  readonly nice: string | null
}
type Helpers<Name extends string> = Readonly<Record<Name, string>>

/** A file or folder and the path under which a tool sees it; a link is made again. */
export interface Seen {
  readonly from: string
  readonly at: string
}
export type Shared = Seen | { readonly linkTo: string; readonly at: string }

/** What a tool sees of the file system, where it has one of its own. */
export interface Sight {
  /** Programs and libraries. */
  readonly shared: readonly Shared[]
  readonly inputs: readonly Seen[]
  /** The one folder that it may write. */
  readonly folder: Seen
}

/**
 * The user of media tools where the server is root. No system gives it to a person, and it is not
 * the database's (65,534), whose files it could read.
 */
export const MEDIA_UID = 65_533

/** The first descriptor that a tool inherits: after standard input, output and error. */
export const FIRST_HANDLE = 3

/** What one run may use; the system enforces both where it has `prlimit`. */
export interface RunLimits {
  /** No file that the tool writes may grow over this. */
  readonly maxFileBytes: number
  /** Processor time of the whole run ([Note: processor time] in cost.ts). */
  readonly cpuSeconds: number
  /** Address space that the tool keeps free and never fills; left out = none. */
  readonly reservedBytes?: number
  /** Memory that it may write to; left out = `MAX_MEMORY_BYTES`, which is also the most. */
  readonly memoryBytes?: number
}

/** A command line for `spawn`, never a shell's. */
export interface ConfinedCommand {
  readonly command: readonly [string, ...string[]]
  /** The user that `spawn` takes itself; null where a helper does, or none is taken. */
  readonly uid: number | null
}

/**
 * Memory of one run, of which it may write to no more, nor name more, but for what it keeps free:
 * three quarters of the machine, at least what 4K needs, at most what nothing honest needs.
 */
const MAX_MEMORY_BYTES = Math.round(
  Math.min(16 * 1024 ** 3, Math.max(4 * 1024 ** 3, totalmem() * 0.75)),
)
/** Descriptors: a still pack opens some dozens of inputs. */
const MAX_OPEN_FILES = 1024
/**
 * Threads of all runs of one user: decoders, filters and encoders take some ten for each core, and
 * up to 64 runs may go on. Against a tool that does nothing but multiply.
 */
const MAX_PROCESSES = 1024 + 64 * 16 * availableParallelism()
/** After its processor time a tool is asked to end; if it does not, it is killed. */
const CPU_GRACE_S = 10

/** The words to start a tool under a confinement. */
export function confinedCommand(
  confinement: Confinement,
  sight: Sight,
  tool: readonly [string, ...string[]],
  limits: RunLimits,
): ConfinedCommand {
  const { uid, nice } = confinement
  const words = (...rest: readonly string[]): readonly [string, ...string[]] => {
    const [first, ...more] = [...(nice === null ? [] : [nice, '-n', '10']), ...rest, ...tool]
    return [first ?? tool[0], ...more]
  }
  switch (confinement.kind) {
    case 'bubblewrap':
      return {
        command: words(
          confinement.bwrap,
          ...(confinement.filter === null ? [] : ['--seccomp', String(FIRST_HANDLE)]),
          ...bubblewrapFlags(uid, sight),
          '--',
          ...(uid === null ? [] : [confinement.setpriv, ...userFlags(uid)]),
          ...limitWords(confinement.prlimit, limits, true),
        ),
        uid: null,
      }
    case 'namespaces':
      return {
        command: words(
          confinement.setpriv,
          ...DIES_WITH_SERVER,
          confinement.unshare,
          ...(uid === null ? ['--user', '--map-current-user'] : []),
          ...UNSHARED,
          '--',
          confinement.setpriv,
          ...(uid === null ? ['--no-new-privs'] : userFlags(uid)),
          ...DIES_WITH_SERVER,
          ...limitWords(confinement.prlimit, limits, true),
        ),
        uid: null,
      }
    case 'limits':
      return {
        command: words(
          confinement.setpriv,
          '--no-new-privs',
          ...DIES_WITH_SERVER,
          ...limitWords(confinement.prlimit, limits, uid !== null),
        ),
        uid,
      }
    case 'none':
      return { command: words(), uid }
  }
}

/** The kernel kills the tool when the server ends; ffmpeg would go on for hours otherwise. */
const DIES_WITH_SERVER = ['--pdeathsig', 'KILL'] as const
const UNSHARED = [
  '--net',
  '--ipc',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
] as const

function userFlags(uid: number): readonly string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
  ]
}

/**
 * A file system of nothing but programs and libraries, the inputs and one folder, all at the paths
 * they have outside. Root's rights but those to become another user are gone before it is made.
 */
function bubblewrapFlags(uid: number | null, { shared, inputs, folder }: Sight): readonly string[] {
  return [
    '--die-with-parent',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(uid === null
      ? ['--unshare-user']
      : ['--cap-drop', 'ALL', ...BECOMES_USER.flatMap((right) => ['--cap-add', right])]),
    // Made by bubblewrap itself, they would be closed to the user that root becomes.
    ...parentsOf([...shared, ...inputs, folder]).flatMap((path) => ['--dir', path]),
    ...shared.flatMap((place) =>
      'linkTo' in place
        ? ['--symlink', place.linkTo, place.at]
        : ['--ro-bind', place.from, place.at],
    ),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind',
    folder.from,
    folder.at,
    ...inputs.flatMap(({ from, at }) => ['--ro-bind', from, at]),
    // What is left is memory, which no limit counts.
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    folder.at,
  ]
}

/** The folders above some paths, each after its own parent. */
function parentsOf(places: readonly { readonly at: string }[]): readonly string[] {
  const parents = new Set<string>()
  const add = (path: string): void => {
    const parent = dirname(path)
    if (parent === path || parent === '/') return
    add(parent)
    parents.add(parent)
  }
  for (const { at } of places) add(at)
  return [...parents]
}

const BECOMES_USER = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'] as const

/**
 * The limit of processes counts all that the user has, so that it is set only where the user is the
 * tools' own, or counted by itself in a namespace.
 */
function limitWords(
  prlimit: string,
  { maxFileBytes, cpuSeconds, reservedBytes = 0, memoryBytes = MAX_MEMORY_BYTES }: RunLimits,
  isUserCounted: boolean,
): readonly string[] {
  const cpu = Math.ceil(cpuSeconds)
  return [
    prlimit,
    `--as=${MAX_MEMORY_BYTES + reservedBytes}`,
    `--data=${Math.min(memoryBytes, MAX_MEMORY_BYTES)}`,
    `--fsize=${Math.ceil(maxFileBytes)}`,
    '--core=0',
    `--nofile=${MAX_OPEN_FILES}`,
    ...(isUserCounted ? [`--nproc=${MAX_PROCESSES}`] : []),
    `--cpu=${cpu}:${cpu + CPU_GRACE_S}`,
  ]
}
