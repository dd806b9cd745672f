import type { Cost } from './costs.ts'

/** The parts that `npm test` is made of. */
export const TIERS = [
  'readings',
  'unit',
  'contract',
  'integration',
  'screens',
  'journeys',
  'database',
] as const
export type Tier = (typeof TIERS)[number]

/**
 * Processor seconds that a part may cost in sum. `readings` are types, lint, contract and build;
 * `database` is the PostgreSQL that contract and integration tests share.
 */
export const TIER_BUDGETS: Readonly<Record<Tier, number>> = {
  readings: 200,
  unit: 150,
  contract: 60,
  integration: 520,
  screens: 400,
  journeys: 260,
  database: 160,
}

/** Processor seconds that one file of a part may cost. */
const FILE_BUDGETS: Readonly<Partial<Record<Tier, number>>> = {
  unit: 1.5,
  contract: 20,
  integration: 20,
  screens: 15,
  journeys: 25,
}

/**
 * Past its budget a file or part is named at the end. Past this many times its budget the run
 * fails; where it was dearer than that when `tests/costs.json` was written, of what it took then.
 */
const FAILS_AT = 2

/** What costs more than it may. */
export interface Verdict {
  readonly warnings: readonly string[]
  readonly failures: readonly string[]
}

/**
 * Holds the costs of a run against the budgets.
 * @param known the checked-in costs
 * @param slowness how many times longer this machine takes now for the same work than the one on
 * which the budgets were set: a processor that others use too has less cache and a slower clock
 * @param isRepeated whether a file had a second try, which counts to its cost: it is named and
 * fails nothing, or the second try would be none
 */
export function judge(
  files: ReadonlyMap<string, Cost>,
  tiers: Readonly<Record<Tier, number>>,
  known: ReadonlyMap<string, Cost>,
  slowness: number,
  isRepeated: (path: string) => boolean = () => false,
): Verdict {
  const rows = [
    ...[...files].map(([path, { cpuS }]) => ({
      name: path,
      cpuS,
      budget: FILE_BUDGETS[tierOf(path)] ?? Infinity,
      was: known.get(path)?.cpuS ?? 0,
    })),
    ...TIERS.map((tier) => ({
      name: `all ${tier}`,
      cpuS: tiers[tier],
      budget: TIER_BUDGETS[tier],
      was: sumOf(tier, known),
    })),
  ]
  const over = rows.filter(({ cpuS, budget }) => cpuS / slowness > budget)
  const fails = ({ name, cpuS, budget, was }: (typeof rows)[number]): boolean =>
    cpuS / slowness > FAILS_AT * Math.max(budget, was) && !isRepeated(name)
  const line = ({ name, cpuS, budget }: (typeof rows)[number]): string =>
    `${name} took ${cpuS.toFixed(1)} processor seconds; its budget is ${budget}`
  return {
    warnings: over.filter((row) => !fails(row)).map(line),
    failures: over.filter(fails).map(line),
  }
}

function sumOf(tier: Tier, costs: ReadonlyMap<string, Cost>): number {
  return [...costs]
    .filter(([path]) => tierOf(path) === tier)
    .reduce((sum, [, { cpuS }]) => sum + cpuS, 0)
}

/** The part that a test file belongs to. */
export function tierOf(path: string): Tier {
  const folder = path.split('/')[1] ?? ''
  return FOLDERS[folder] ?? 'unit'
}

const FOLDERS: Readonly<Record<string, Tier>> = {
  contract: 'contract',
  integration: 'integration',
  screens: 'screens',
  e2e: 'journeys',
}
