import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SHARED_POSTGRES } from '#tests/setup/postgres.ts'
import { projectRoot } from '#scripts/project-root.ts'
import {
  afterSecondRun,
  NOTHING_FOUND,
  readPlaywright,
  readVitest,
  type Count,
} from '#scripts/test-reports.ts'
import { TIERS, type Tier } from './budgets.ts'
import type { Command } from './command.ts'
import { readMeasured, type Cost } from './costs.ts'
import { startDatabase } from './database.ts'
import type { Job } from './plan.ts'
import { runPool, type JobEnd } from './run-pool.ts'
import { measureSlowness } from './slowness.ts'

/** What a run of jobs came to. */
export interface Outcome {
  readonly count: Count
  /** By test file, as far as this machine counts processor time. */
  readonly costs: ReadonlyMap<string, Cost>
  readonly tiers: Readonly<Record<Tier, number>>
  readonly isMeasured: boolean
  /** The middle of all measurements during the run. */
  readonly slowness: number
  readonly minutes: number
}

/** Logs, reports and artefacts of the last run's jobs; a first try's stay beside the second's. */
const RUN_FOLDER = join(projectRoot, 'test-results/jobs')
/** What media tools did in this run, for all jobs of it (tests/setup/kept-runs.ts). */
const TOOL_RUNS = join(RUN_FOLDER, 'tool-runs')
/**
 * Their outcome hangs on other programs that the machine may hold up: browsers and servers that are
 * killed. They alone are tried again after a failure.
 */
const WAITS_ON_MACHINE = [/^tests\/e2e\//, /^tests\/integration\/(?:kill|start)\//]

/** Runs jobs in the pool and gathers what they find. Prints a line for each, and what fails. */
export async function runJobs(jobs: readonly Job[], { env, stopped }: Command): Promise<Outcome> {
  const begunAt = performance.now()
  await rm(RUN_FOLDER, { recursive: true, force: true })
  await mkdir(TOOL_RUNS, { recursive: true })
  const costsFile = join(RUN_FOLDER, 'costs.jsonl')
  const needsDatabase = jobs.some(({ tier }) => tier === 'contract' || tier === 'integration')
  const database = needsDatabase ? await startDatabase() : null
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>
  const counts = new Map<string, Count>()
  const slownesses = [measureSlowness()]
  let isMeasured = true
  const seconds = (): string => `${((performance.now() - begunAt) / 1000).toFixed(0)} s`
  await runPool(jobs, {
    folder: RUN_FOLDER,
    costs: costsFile,
    env: {
      ...env,
      ONECUT_TOOL_RUNS: TOOL_RUNS,
      ...(database === null ? {} : { [SHARED_POSTGRES]: database.connection }),
    },
    stopped,
    onEnd: async (end) => {
      slownesses.push(measureSlowness())
      if (end.cpuS === null) isMeasured = false
      tiers[end.job.tier] += end.cpuS ?? 0
      const count = await countOf(end)
      await show(end, count, seconds())
      const first = counts.get(end.job.name.replace(AGAIN, ''))
      if (first !== undefined && end.job.name.endsWith(AGAIN)) {
        counts.set(end.job.name.replace(AGAIN, ''), afterSecondRun(first, count))
        return []
      }
      counts.set(end.job.name, count)
      const again = secondTry(end, count)
      return again === null || stopped.aborted ? [] : [again]
    },
  })
  tiers.database += (await database?.stop()) ?? 0
  await rm(TOOL_RUNS, { recursive: true, force: true })
  const all = [...counts.values()]
  return {
    count: {
      passed: all.reduce((sum, { passed }) => sum + passed, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
      failures: all.flatMap(({ failures }) => failures),
      repeated: all.flatMap(({ repeated }) => repeated),
      failedFiles: all.flatMap(({ failedFiles }) => failedFiles),
    },
    costs: await readMeasured(costsFile),
    tiers,
    isMeasured,
    slowness: slownesses.toSorted((one, other) => one - other)[slownesses.length >> 1] ?? 1,
    minutes: (performance.now() - begunAt) / 60_000,
  }
}

const AGAIN = ', again'

/** A job with the failed files of another, where all of them wait on the machine. */
function secondTry({ job, endedFor }: JobEnd, { failedFiles }: Count): Job | null {
  if (endedFor !== null || job.name.endsWith(AGAIN)) return null
  // Vitest names files by their whole path, Playwright from the folder of its tests.
  const files = job.files.filter((file) =>
    failedFiles.some((failed) => failed.endsWith(file) || file.endsWith(failed)),
  )
  const mayRepeat = files.every((file) => WAITS_ON_MACHINE.some((kind) => kind.test(file)))
  if (files.length === 0 || files.length < failedFiles.length || !mayRepeat) return null
  // The budget of a file holds for one try.
  return { ...job, name: `${job.name}${AGAIN}`, files, env: { ...job.env, ONECUT_COSTS: '' } }
}

async function countOf({ job, isWell, report, endedFor }: JobEnd): Promise<Count> {
  const count = await readReport(job, report)
  const missing = isWell || count.failed > 0 ? [] : [`${job.name}: see above`]
  const ended = endedFor === null ? [] : [`${job.name}: ${endedFor}`]
  const more = ended.length > 0 ? ended : missing
  return { ...count, failed: count.failed + more.length, failures: [...count.failures, ...more] }
}

async function readReport({ work }: Job, report: string): Promise<Count> {
  if (work.kind === 'vitest') return await readVitest(report)
  if (work.kind === 'playwright') return await readPlaywright(report)
  return NOTHING_FOUND
}

async function show(end: JobEnd, count: Count, at: string): Promise<void> {
  const { job, cpuS, log, leftRunning } = end
  const cost = cpuS === null ? '' : `, ${cpuS.toFixed(0)} processor seconds`
  const left = leftRunning === 0 ? '' : `, left ${leftRunning} processes running`
  const sign = count.failed === 0 ? '✓' : '✗'
  const tests = job.files.length === 0 ? '' : `: ${count.passed} passed, ${count.failed} failed`
  process.stdout.write(`${at.padStart(6)} ${sign} ${job.name}${tests}${cost}${left}\n`)
  if (count.failed === 0) return
  process.stdout.write(`\n${await readFile(log, 'utf8')}\n`)
}
