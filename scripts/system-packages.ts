import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AdvisoryVerdict } from '#scripts/advisories.ts'

/**
 * Packages of a Debian or Ubuntu that open files of strangers, and what confines them. Those that
 * they need (decoders, the C library) count too.
 */
const PROGRAMS = ['ffmpeg', 'bubblewrap', 'util-linux']
const LISTS = '/var/lib/apt/lists'
/** Security archives are signed again within a week, so an older list was not fetched since. */
const OLD_DAYS = 8
const DAY_MS = 86_400_000

/** What the package lists of this system say, as apt tells it. */
interface SystemPackages {
  /** What `apt-cache policy` prints of the packages; null where there is no apt. */
  readonly policy: string | null
  /** When the security archive's list was signed; null where there is none. */
  readonly listedAt: string | null
}

/** Reads what is on this machine's disk; asks nothing of a network. */
export function readSystemPackages(): SystemPackages {
  const needed = run('apt-cache', [
    'depends',
    '--recurse',
    '--installed',
    ...['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
      (kind) => `--no-${kind}`,
    ),
    ...PROGRAMS,
  ])
  if (needed === null) return { policy: null, listedAt: null }
  const names = needed.split('\n').filter((line) => /^[a-z0-9]/.test(line))
  return { policy: run('apt-cache', ['policy', ...new Set(names)]), listedAt: readListedAt() }
}

function run(program: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    maxBuffer: 64 << 20,
  })
  return status === 0 ? stdout : null
}

/** The oldest, where there are several. */
function readListedAt(): string | null {
  try {
    const times = readdirSync(LISTS)
      .filter((name) => name.endsWith('security_InRelease'))
      .map((name) => /^Date: (.+)$/m.exec(readFileSync(join(LISTS, name), 'utf8'))?.[1] ?? '')
      .map((text) => Date.parse(text))
      .filter((time) => Number.isFinite(time))
    return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
  } catch {
    return null
  }
}

interface Package {
  readonly name: string
  readonly installed: string
  readonly newest: string
}

/**
 * Whether the system's ffmpeg and what it needs are as new as the package lists of this system. A
 * hole that no newer version mends is in no list, so nothing is said of those.
 */
export function systemVerdict({ policy, listedAt }: SystemPackages, now: Date): AdvisoryVerdict {
  const packages = policy === null ? [] : packagesIn(policy)
  if (!packages.some(({ name }) => name === 'ffmpeg'))
    return {
      kind: 'unknown',
      text: 'Whether ffmpeg has known holes was not looked up, because it is no package of Debian or Ubuntu here.',
    }
  const older = packages.filter(({ installed, newest }) => installed !== newest)
  const days =
    listedAt === null ? null : Math.floor((now.getTime() - Date.parse(listedAt)) / DAY_MS)
  const lists =
    listedAt === null
      ? 'package lists without a security archive'
      : `package lists of ${listedAt.slice(0, 10)}`
  const isOld = days === null || days > OLD_DAYS
  if (older.length > 0) {
    const named = older
      .slice(0, NAMED)
      .map((each) => `${each.name} ${each.installed} to ${each.newest}`)
    const rest = older.length - named.length
    return {
      kind: 'bad',
      text: `By ${lists}, ${older.length} of the ${packages.length} packages that ffmpeg and its confinement need are to be updated (apt-get upgrade): ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
    }
  }
  const ffmpeg = packages.find(({ name }) => name === 'ffmpeg')
  return {
    kind: isOld ? 'unknown' : 'good',
    text: `ffmpeg ${ffmpeg?.installed ?? ''} and all that it and its confinement need (${packages.length} packages) are as new as the ${lists}${isOld ? ', which say little of today: run apt-get update' : ''}.`,
  }
}

/** A sentence names no more of them. */
const NAMED = 5

/** Those that are installed. */
function packagesIn(policy: string): readonly Package[] {
  return policy.split(/^(?=\S+:\n)/m).flatMap((text) => {
    const [, name] = /^(\S+):\n/.exec(text) ?? []
    const [, installed] = /^ {2}Installed: (\S+)$/m.exec(text) ?? []
    const [, newest] = /^ {2}Candidate: (\S+)$/m.exec(text) ?? []
    return name === undefined ||
      installed === undefined ||
      installed === '(none)' ||
      newest === undefined
      ? []
      : [{ name, installed, newest }]
  })
}
