import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'
import { tierOf, type Tier } from './budgets.ts'
import type { Cost } from './costs.ts'

/** One command of a run: a reading, the build, or a runner with some test files. */
export interface Job {
  readonly name: string
  readonly tier: Tier
  readonly files: readonly string[]
  /** What runs: npm's arguments, or a runner with its project. */
  readonly work:
    | { readonly kind: 'npm'; readonly args: readonly string[] }
    | { readonly kind: 'node'; readonly script: string }
    | { readonly kind: 'vitest' | 'playwright'; readonly project: string; readonly config: string }
  /** It looks at the built app, so it begins after the build. */
  readonly needsBuild: boolean
  /** Variables beside those of the run. */
  readonly env: Readonly<Record<string, string>>
  readonly expected: Cost
}

export const BUILD = 'build'

/**
 * Processor seconds that the files of one job have in sum: a runner takes 2 to 8 to start and to
 * load what its files share, and the last jobs should end together. Screens are one job, which
 * begins early because it is long: Vite and the browser take 16 to make and load the app again.
 */
const JOB_SIZES: Readonly<Partial<Record<Tier, number>>> = {
  unit: 160,
  contract: 40,
  integration: 300,
  screens: Infinity,
  journeys: 140,
}
const PROJECTS: Readonly<Partial<Record<Tier, string>>> = {
  unit: 'unit',
  contract: 'integration',
  integration: 'integration',
  screens: 'screens',
}
/** For a file that no run has measured yet. */
const GUESSES: Readonly<Partial<Record<Tier, Cost>>> = {
  unit: { cpuS: 0.4, wallS: 0.5 },
  contract: { cpuS: 10, wallS: 12 },
  integration: { cpuS: 5, wallS: 8 },
  screens: { cpuS: 8, wallS: 9 },
  journeys: { cpuS: 20, wallS: 30 },
}

/** They only read, so they wait for nothing. */
export const READINGS: readonly Job[] = [
  reading('types', ['run', '--silent', 'types'], { cpuS: 36, wallS: 22 }),
  reading('lint', ['run', '--silent', 'lint'], { cpuS: 75, wallS: 60 }),
  reading('contract: generated types are fresh', ['run', '--silent', 'contract:check'], {
    cpuS: 3,
    wallS: 3,
  }),
  reading('contract: lint', ['run', '--silent', 'contract:lint'], { cpuS: 3, wallS: 3 }),
]
/** Asks the registry, so only where packages were just taken from it. */
const SIGNATURES = reading('signatures of packages', ['run', '--silent', 'signatures'], {
  cpuS: 3,
  wallS: 10,
})

function reading(name: string, args: readonly string[], expected: Cost): Job {
  return {
    name,
    tier: 'readings',
    files: [],
    work: { kind: 'npm', args },
    needsBuild: false,
    env: {},
    expected,
  }
}

/**
 * All jobs of a run over test files, from the costs of an earlier run alone: the same commit gives
 * the same jobs everywhere.
 * @param files paths of test files from the project's root
 */
export async function planRun(
  files: readonly string[],
  costs: ReadonlyMap<string, Cost>,
): Promise<Job[]> {
  const build: Job = {
    name: BUILD,
    tier: 'readings',
    files: [],
    work: { kind: 'node', script: 'scripts/pool/build.ts' },
    needsBuild: false,
    env: {},
    expected: { cpuS: 25, wallS: 20 },
  }
  const signatures = process.env['ONECUT_CHECK_SIGNATURES'] === '1' ? [SIGNATURES] : []
  return [build, ...READINGS, ...signatures, ...(await planTests(files, costs))]
}

/** The jobs of test files alone. */
export async function planTests(
  files: readonly string[],
  costs: ReadonlyMap<string, Cost>,
): Promise<Job[]> {
  const bases = new Map<string, Base>()
  for (const file of files) bases.set(file, await baseOf(file))
  const kinds = Map.groupBy(files, (file) => `${tierOf(file)} ${String(bases.get(file))}`)
  return [...kinds.values()].flatMap((ofOne) => {
    const [first = ''] = ofOne
    const [tier, base] = [tierOf(first), bases.get(first) ?? null]
    return pack(ofOne, costs, base === 'gallery' ? Infinity : JOB_SIZES[tier]).map((group, at) => ({
      name: `${tier} ${base === null ? '' : `of the ${base} `}${at + 1}`,
      tier,
      work: workOf(tier),
      env: {},
      needsBuild: base === 'build',
      ...group,
    }))
  })
}

function workOf(tier: Tier): Job['work'] {
  const project = PROJECTS[tier]
  return project === undefined
    ? { kind: 'playwright', project: 'journeys', config: 'playwright.config.ts' }
    : { kind: 'vitest', project, config: 'vitest.config.ts' }
}

/**
 * What test files share and one of them, or a job before, makes: the build, or the renders of the
 * gallery. Files of the gallery are one job, so that the same one pays for the renders each time.
 */
type Base = 'build' | 'gallery' | null

/** The build is for journeys, and for what starts the server as a process of its own. */
async function baseOf(file: string): Promise<Base> {
  if (tierOf(file) === 'journeys') return 'build'
  if (tierOf(file) !== 'integration') return null
  const text = await readFile(join(projectRoot, file), 'utf8')
  if (/e2e-server|build-app|build-server|'dist/.test(text)) return 'build'
  return text.includes('#tests/setup/gallery') ? 'gallery' : null
}

/** Groups of about the size of a job: the dearest file first, each to the lightest group. */
function pack(
  files: readonly string[],
  costs: ReadonlyMap<string, Cost>,
  size = Infinity,
): { readonly files: readonly string[]; readonly expected: Cost }[] {
  const tier = tierOf(files[0] ?? '')
  const guess = GUESSES[tier] ?? { cpuS: 1, wallS: 1 }
  const costOf = (file: string): Cost => costs.get(file) ?? guess
  const sum = files.reduce((cpuS, file) => cpuS + costOf(file).cpuS, 0)
  const groups = Array.from({ length: Math.max(1, Math.ceil(sum / size)) }, () => ({
    files: [] as string[],
    expected: { cpuS: 0, wallS: 0 },
  }))
  const dearestFirst = files.toSorted(
    (one, other) => costOf(other).cpuS - costOf(one).cpuS || (one < other ? -1 : 1),
  )
  for (const file of dearestFirst) {
    const lightest = groups.reduce((one, other) =>
      other.expected.cpuS < one.expected.cpuS ? other : one,
    )
    const { cpuS, wallS } = costOf(file)
    lightest.files.push(file)
    lightest.expected = {
      cpuS: lightest.expected.cpuS + cpuS,
      wallS: lightest.expected.wallS + wallS,
    }
  }
  return groups.filter((group) => group.files.length > 0)
}

/**
 * Which job begins next, or null while the processors are busy: the build first, for what waits for
 * it; then the longest. There are as many jobs as processors, and more of them only while
 * processors idle, because jobs wait for networks, and because two jobs on one processor cost more
 * together than one after the other: each reads again what the other has driven out of its cache.
 */
export function chooseNext(
  waiting: readonly Job[],
  running: readonly Job[],
  room: { readonly cores: number; readonly isIdle: boolean; readonly isBuilt: boolean },
): Job | null {
  const ready = waiting.filter((job) => room.isBuilt || !job.needsBuild)
  const most = room.isIdle ? MOST_PER_CORE * room.cores : room.cores
  if (running.length >= most) return null
  return (
    ready.find(({ name }) => name === BUILD) ??
    ready.reduce<Job | null>(
      (longest, job) =>
        longest !== null && longest.expected.wallS >= job.expected.wallS ? longest : job,
      null,
    )
  )
}

/** Each holds a server or a browser in memory. */
const MOST_PER_CORE = 3
