/**
 * `npm test`: sets up what is missing, runs every check in one pool, and ends with one line: `N
 * passed, N failed`. `--keep-costs` writes the costs of all files to `tests/costs.json`.
 */
import { runCommand, type Command } from '#scripts/pool/command.ts'
import { judge, TIER_BUDGETS, TIERS } from '#scripts/pool/budgets.ts'
import { readCosts, writeCosts, type Cost } from '#scripts/pool/costs.ts'
import { runJobs, type Outcome } from '#scripts/pool/landing.ts'
import { countRepeats, keepLastRun } from '#scripts/pool/last-run.ts'
import { planRun } from '#scripts/pool/plan.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { landingTests } from '#scripts/source-files.ts'
import { SEED } from '#tests/seeds.ts'

await runCommand(landing)

async function landing({ env, stopped }: Command): Promise<number> {
  process.stdout.write(`Seed of all properties: ${SEED}\n`)
  const known = await readCosts()
  const jobs = await planRun(await landingTests(projectRoot), known)
  const outcome = await runJobs(jobs, { env, stopped })
  if (stopped.aborted) return 1
  if (process.argv.includes('--keep-costs')) await writeCosts(outcome.costs)
  return await conclude(outcome, known)
}

async function conclude(outcome: Outcome, known: ReadonlyMap<string, Cost>): Promise<number> {
  const { count, costs, tiers, isMeasured, slowness, minutes } = outcome
  // A line begins with its file: of vitest by its whole path, of Playwright by its name.
  const again = count.repeated.map((line) => line.split(' › ', 1)[0] ?? '')
  const isRepeated = (path: string): boolean =>
    again.some((file) => file.endsWith(`/${path}`) || path.endsWith(`/${file}`))
  const verdict = isMeasured
    ? judge(costs, tiers, known, slowness, isRepeated)
    : { warnings: [], failures: [] }
  const failures = [...count.failures, ...verdict.failures]
  const failed = count.failed + verdict.failures.length
  const repeats = await countRepeats(
    count.repeated.map((line) => line.split(' › ').slice(0, 2).join(' › ')),
  )
  if (isMeasured) {
    list('Processor seconds by part, with their budgets:', tierLines(outcome))
    list('The ten dearest files, and their change:', dearest(costs, known))
  } else list('Processor time:', ['is not counted on this machine, so no budget was judged'])
  list('Over their budget:', verdict.warnings)
  list(
    'Passed only at the second try (how often so far):',
    [...repeats].map(([test, times]) => `${test} (${times})`),
  )
  list('Failed:', failures)
  await keepLastRun({
    result: failed === 0 ? 'passed' : 'failed',
    minutes: Math.round(minutes * 10) / 10,
    processorSeconds: isMeasured ? tiers : null,
    repeated: count.repeated,
  })
  process.stdout.write(
    `\n${minutes.toFixed(1)} minutes\n${count.passed} passed, ${failed} failed\n`,
  )
  return failed === 0 ? 0 : 1
}

function tierLines({ tiers, slowness }: Outcome): string[] {
  const sum = TIERS.reduce((all, tier) => all + tiers[tier], 0)
  return [
    ...TIERS.map(
      (tier) => `${tier.padEnd(12)} ${tiers[tier].toFixed(0).padStart(5)} of ${TIER_BUDGETS[tier]}`,
    ),
    `${'together'.padEnd(12)} ${sum.toFixed(0).padStart(5)}, on a machine ${slowness.toFixed(2)} times as slow as the budgets'`,
  ]
}

function dearest(costs: ReadonlyMap<string, Cost>, known: ReadonlyMap<string, Cost>): string[] {
  return [...costs]
    .toSorted(([, one], [, other]) => other.cpuS - one.cpuS)
    .slice(0, 10)
    .map(([path, { cpuS }]) => {
      const before = known.get(path)?.cpuS
      const change =
        before === undefined ? 'new' : `${cpuS >= before ? '+' : ''}${(cpuS - before).toFixed(1)}`
      return `${cpuS.toFixed(1).padStart(6)} (${change}) ${path}`
    })
}

/** Printed at the end, because what the jobs print scrolls away. */
function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0)
    process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
