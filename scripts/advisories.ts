import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'

/** What the registry knows of holes in the packages of production, with a sentence. */
export interface AdvisoryVerdict {
  readonly kind: 'good' | 'bad' | 'unknown'
  readonly text: string
}

/** What `npm audit --json` says of one package (report version 2). */
interface Hole {
  readonly name: string
  readonly severity: string
  readonly range: string
  /** Where those of them lie that were asked about. */
  readonly nodes?: readonly string[]
}

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical'])

/**
 * Reads what `npm audit --json` printed. Grave holes are bad; of lesser ones the sentence speaks.
 * Whatever is no report means that nothing is known: not every registry answers such questions.
 */
export function readAdvisories(json: string): AdvisoryVerdict {
  const holes = holesIn(json)
  if (holes === null)
    return {
      kind: 'unknown',
      text: 'Known holes of packages were not looked for, because the registry does not answer that question.',
    }
  if (holes.length === 0)
    return { kind: 'good', text: 'The registry knows no hole in the packages that run here.' }
  return isGrave(holes)
    ? {
        kind: 'bad',
        text: `The registry knows holes, so update Onecut or these packages: ${listOf(holes)}.`,
      }
    : { kind: 'good', text: `The registry knows only lesser holes: ${listOf(holes)}.` }
}

function isGrave(holes: readonly Pick<Hole, 'severity'>[]): boolean {
  return holes.some(({ severity }) => GRAVE.has(severity))
}

function listOf(holes: readonly Pick<Hole, 'name' | 'range' | 'severity'>[]): string {
  return holes.map(({ name, severity, range }) => `${name} ${range} (${severity})`).join(', ')
}

function holesIn(json: string): readonly Hole[] | null {
  try {
    const report = JSON.parse(json) as {
      readonly auditReportVersion?: unknown
      readonly vulnerabilities?: Readonly<Record<string, Hole>>
    } | null
    if (report?.auditReportVersion !== 2 || report.vulnerabilities === undefined) return null
    return Object.values(report.vulnerabilities)
  } catch {
    return null
  }
}

/** A package as it is locked: `name@version`. */
type Locked = string

/** What the registry was asked, and what it answered last. */
interface KeptAdvisories {
  readonly triedAt: string
  /** Null where it never answered. */
  readonly answer: {
    readonly takenAt: string
    readonly packages: readonly Locked[]
    readonly holes: readonly (Omit<Hole, 'nodes'> & { readonly packages: readonly Locked[] })[]
  } | null
}

export const KEPT_FILE = join(projectRoot, 'scripts/advisories.json')
const DAY_MS = 86_400_000
/** Holes are published daily; older than this, an answer says little of today. */
const OLD_DAYS = 30

/**
 * Asks the registry of the packages in the lockfile, without a second try: one that is not there
 * must not hold this up. Returns what npm printed.
 */
export function askRegistry(): string {
  const audit = ['audit', '--json', '--omit=dev', '--package-lock-only', '--fetch-retries=0']
  const options = { cwd: projectRoot, encoding: 'utf8' } as const
  return spawnSync('npm', [...audit, '--fetch-timeout=10000'], options).stdout
}

/** The packages of production by their folder below the project, as the lockfile has them. */
export function lockedPackages(): ReadonlyMap<string, Locked> {
  const lockfile = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly version?: string; readonly dev?: boolean; readonly link?: boolean }>
    >
  }
  return new Map(
    Object.entries(lockfile.packages).flatMap(([folder, { version, dev, link }]) => {
      const name = folder.split('node_modules/').at(-1)
      const isOurs = !folder.includes('node_modules/') || link === true
      return isOurs || dev === true ? [] : [[folder, `${name ?? ''}@${version ?? ''}`] as const]
    }),
  )
}

/** What is kept of an answer; where it is none, the one before it and that it was asked for. */
export function keepAdvisories(
  json: string,
  before: KeptAdvisories | null,
  { now, locked }: { readonly now: Date; readonly locked: ReadonlyMap<string, Locked> },
): KeptAdvisories {
  const triedAt = now.toISOString()
  const holes = holesIn(json)?.map(({ name, severity, range, nodes = [] }) => ({
    name,
    severity,
    range,
    packages: [...new Set(nodes.flatMap((folder) => locked.get(folder) ?? []))].toSorted(),
  }))
  const packages = [...new Set(locked.values())].toSorted()
  return {
    triedAt,
    answer: holes === undefined ? (before?.answer ?? null) : { takenAt: triedAt, packages, holes },
  }
}

/** What was kept; null where nothing was. */
export function readKept(): KeptAdvisories | null {
  try {
    return JSON.parse(readFileSync(KEPT_FILE, 'utf8')) as KeptAdvisories
  } catch {
    return null
  }
}

/**
 * What a kept answer says of the packages that are locked now, and how old it is. Only of packages
 * that it was asked about does it say that no hole is known, and for 30 days.
 */
export function keptVerdict(
  kept: KeptAdvisories | null,
  { now, locked }: { readonly now: Date; readonly locked: ReadonlyMap<string, Locked> },
): AdvisoryVerdict {
  const here = [...new Set(locked.values())].toSorted()
  if (kept?.answer == null)
    return {
      kind: 'unknown',
      text: `Known holes of the ${here.length} packages that run here were never looked up${kept === null ? '' : `: on ${dayOf(kept.triedAt)} the registry did not answer`}. Run npm run advisories where it does.`,
    }
  const { takenAt, packages, holes } = kept.answer
  const days = Math.floor((now.getTime() - Date.parse(takenAt)) / DAY_MS)
  const asked = new Set(packages)
  const others = here.filter((each) => !asked.has(each))
  const concern = holes.filter((hole) => hole.packages.some((each) => here.includes(each)))
  const isOld = days > OLD_DAYS
  const words = [
    `Looked up on ${dayOf(takenAt)}, ${days === 1 ? '1 day' : `${days} days`} ago${isOld ? ', which says little of today' : ''}:`,
    concern.length === 0
      ? `no hole was known in ${here.length - others.length} of the ${here.length} packages that run here.`
      : `update Onecut or these packages: ${listOf(concern)}.`,
    ...(others.length === 0 ? [] : [`Not looked up: ${namesOf(others)}.`]),
  ].join(' ')
  if (isGrave(concern)) return { kind: 'bad', text: words }
  return { kind: isOld || others.length > 0 ? 'unknown' : 'good', text: words }
}

function dayOf(time: string): string {
  return time.slice(0, 10)
}

/** A sentence names no more of them. */
const NAMED = 5

function namesOf(packages: readonly Locked[]): string {
  const rest = packages.length - NAMED
  return `${packages.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
