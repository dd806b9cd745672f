/**
 * `npm run check [commit]`: what concerns a change, in some minutes: types, lint, the unit tests
 * that import a changed file, and the tests of the subjects that it touches. The change is what
 * differs from the commit, from `HEAD` unless one is named; where nothing does, the last commit.
 */
import { execFileSync } from 'node:child_process'
import { runCommand, type Command } from '#scripts/pool/command.ts'
import { readCosts } from '#scripts/pool/costs.ts'
import { runJobs } from '#scripts/pool/landing.ts'
import { planTests, READINGS, type Job } from '#scripts/pool/plan.ts'
import { testsTouchedBy } from '#scripts/pool/touched.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { landingTests } from '#scripts/source-files.ts'

/** Processor seconds of a check, and what types, lint and unit tests take of them. */
const BUDGET_S = 240
const BASE_S = 140

await runCommand(check)

async function check({ env, stopped }: Command): Promise<number> {
  const changed = changedFiles(process.argv[2] ?? 'HEAD')
  const costs = await readCosts()
  const tests = await landingTests(projectRoot)
  const { chosen, left } = testsTouchedBy(changed, tests, costs, BUDGET_S - BASE_S)
  const jobs = [...READINGS, ...relatedUnits(changed), ...(await planTests(chosen, costs))]
  const { count } = await runJobs(jobs, { env, stopped })
  if (stopped.aborted) return 1
  if (left.length > 0) process.stdout.write(`\nLeft to npm test:\n  ${left.join('\n  ')}\n`)
  if (count.failed > 0) process.stdout.write(`\nFailed:\n  ${count.failures.join('\n  ')}\n`)
  process.stdout.write(
    `\n${changed.length} changed files: ${count.passed} passed, ${count.failed} failed\n`,
  )
  return count.failed === 0 ? 0 : 1
}

/** Vitest's import graph says which unit tests a file can break. */
function relatedUnits(changed: readonly string[]): Job[] {
  const code = changed.filter((file) => /\.tsx?$/.test(file))
  if (code.length === 0) return []
  const args = ['exec', '--', 'vitest', 'related', '--run', '--project=unit', '--maxWorkers=1']
  return [
    {
      name: 'unit tests of the changed files',
      tier: 'unit',
      files: [],
      work: { kind: 'npm', args: [...args, '--passWithNoTests', ...code] },
      needsBuild: false,
      env: {},
      expected: { cpuS: 25, wallS: 25 },
    },
  ]
}

function changedFiles(base: string): string[] {
  const lines = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean)
  const since = (commit: string): string[] => [
    ...lines('diff', '--name-only', '--diff-filter=d', commit),
    ...lines('ls-files', '--others', '--exclude-standard'),
  ]
  const changed = since(base)
  return changed.length > 0 ? changed : since('HEAD~1')
}
