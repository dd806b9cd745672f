import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'
import type { Tier } from './budgets.ts'

/** What `npm test` leaves behind of its last run. */
export interface LastRun {
  /** Of the work tree; with `+` where it had changes that were not committed. */
  readonly commit: string
  readonly result: 'passed' | 'failed'
  readonly minutes: number
  /** By part; null where this machine counts none. */
  readonly processorSeconds: Readonly<Record<Tier, number>> | null
  /** Lines for people: what passed only at its second try. */
  readonly repeated: readonly string[]
}

const CACHE = join(projectRoot, 'node_modules/.cache/onecut')
const LAST_RUN = join(CACHE, 'last-run.json')
const REPEATS = join(CACHE, 'repeats.json')

/** Writes `node_modules/.cache/onecut/last-run.json`. */
export async function keepLastRun(run: Omit<LastRun, 'commit'>): Promise<void> {
  await writeJson(LAST_RUN, { commit: commitHere(), ...run } satisfies LastRun)
}

/**
 * Counts tests that passed only at their second try, over all runs of this checkout. Returns how
 * often each of `tests` was repeated so far, this time included.
 */
export async function countRepeats(tests: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const before = JSON.parse(await readFile(REPEATS, 'utf8').catch(() => '{}')) as Record<
    string,
    number
  >
  const counts = new Map(Object.entries(before))
  for (const test of tests) counts.set(test, (counts.get(test) ?? 0) + 1)
  if (tests.length > 0) await writeJson(REPEATS, Object.fromEntries(counts))
  return new Map(tests.map((test) => [test, counts.get(test) ?? 1]))
}

function commitHere(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
