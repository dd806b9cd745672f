import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
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
  const list = holes.map(({ name, severity, range }) => `${name} ${range} (${severity})`).join(', ')
  return holes.some(({ severity }) => GRAVE.has(severity))
    ? {
        kind: 'bad',
        text: `The registry knows holes, so update Onecut or these packages: ${list}.`,
      }
    : { kind: 'good', text: `The registry knows only lesser holes: ${list}.` }
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

/** What `npm audit` answered once, and of which packages. */
export interface KeptAdvisories {
  readonly takenAt: string
  /** SHA-256 of the lockfile that was asked about. */
  readonly lockfile: string
  readonly report: unknown
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

/** The lockfile's SHA-256, which changes with every package. */
export function lockfileDigest(): string {
  return createHash('sha256')
    .update(readFileSync(join(projectRoot, 'package-lock.json')))
    .digest('hex')
}

/** The kept answer as text; null where none was taken. */
export function readKept(): string | null {
  try {
    return readFileSync(KEPT_FILE, 'utf8')
  } catch {
    return null
  }
}

/** What `readAdvisories` says of a kept answer, its age, and whether it is of these packages. */
export function keptVerdict(
  kept: string | null,
  { now, lockfile }: { readonly now: Date; readonly lockfile: string },
): AdvisoryVerdict {
  if (kept === null)
    return {
      kind: 'unknown',
      text: 'No earlier answer is kept either: run npm run advisories where the registry answers.',
    }
  const { takenAt, lockfile: asked, report } = JSON.parse(kept) as KeptAdvisories
  const { kind, text } = readAdvisories(JSON.stringify(report))
  const days = Math.floor((now.getTime() - Date.parse(takenAt)) / DAY_MS)
  const age = `${takenAt.slice(0, 10)}, ${days === 1 ? '1 day' : `${days} days`} old`
  if (asked !== lockfile)
    return {
      kind: kind === 'bad' ? 'bad' : 'unknown',
      text: `Kept (${age}), of other packages: ${text}`,
    }
  if (days > OLD_DAYS && kind === 'good')
    return { kind: 'unknown', text: `Kept (${age}), too old to rely on: ${text}` }
  return { kind, text: `Kept (${age}): ${text}` }
}
