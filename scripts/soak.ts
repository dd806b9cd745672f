/**
 * `npm run soak [minutes]`: repeats, with seeds of chance, what `npm test` does once, and runs what
 * is too long for it, for 30 minutes unless told. docs/soak.md says how to read what it finds.
 */
import { randomInt } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '#scripts/build-app.ts'
import { runCommand, type Command } from '#scripts/pool/command.ts'
import { startDatabase } from '#scripts/pool/database.ts'
import type { Job } from '#scripts/pool/plan.ts'
import { runPool, type JobEnd } from '#scripts/pool/run-pool.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { landingTests, sourceFiles } from '#scripts/source-files.ts'
import { SHARED_POSTGRES } from '#tests/setup/postgres.ts'

const FOUND = join(projectRoot, 'soak-found')
const LAST_SOAK = join(projectRoot, 'node_modules/.cache/onecut/last-soak.json')
const USUAL_MINUTES = 30
/** How many times more tries a property has than in `npm test`. */
const RUNS = '20'

const minutes = Number(process.argv[2] ?? USUAL_MINUTES)
if (minutes > 0) await runCommand(soak)
else {
  process.stderr.write('Usage: npm run soak -- MINUTES\n')
  process.exitCode = 2
}

/** Begins no turn after that time; the turns that run then end by themselves. */
async function soak({ env, stopped }: Command): Promise<number> {
  const until = performance.now() + minutes * 60_000
  await buildApp()
  await rm(FOUND, { recursive: true, force: true })
  const folder = join(projectRoot, 'test-results/soak')
  const turns = endlessly(await allTurns())
  const database = await startDatabase()
  let ended = 0
  const found: string[] = []
  await runPool([turns(), turns()], {
    folder,
    costs: join(folder, 'costs.jsonl'),
    env: { ...env, ONECUT_LOOKS: '1', [SHARED_POSTGRES]: database.connection },
    stopped,
    onEnd: async (end) => {
      ended += 1
      process.stdout.write(`${end.isWell ? '✓' : '✗'} ${end.job.name}\n`)
      if (!end.isWell && !stopped.aborted) found.push(await keepFinding(end, folder))
      return performance.now() < until && !stopped.aborted ? [turns()] : []
    },
  })
  await database.stop()
  const result = { minutes, turns: ended, found }
  await writeFile(LAST_SOAK, `${JSON.stringify(result, null, 2)}\n`)
  process.stdout.write(
    `\n${ended} turns, ${found.length} found${found.map((at) => `\n  ${at}`).join('')}\n`,
  )
  return found.length === 0 ? 0 : 1
}

/**
 * A turn is one file: of a property with another seed each time, of the soak's own tests, or of a
 * journey, whose screens axe looks at only here.
 */
async function allTurns(): Promise<readonly Omit<Job, 'name'>[]> {
  const landing = await landingTests(projectRoot)
  const properties = []
  for (const file of landing)
    if ((await readFile(join(projectRoot, file), 'utf8')).includes("from 'fast-check'"))
      properties.push(file)
  const own = (await sourceFiles(projectRoot, ['tests/soak'])).filter((file) =>
    /\.(?:test|spec)\.ts$/.test(file),
  )
  const journeys = landing.filter((file) => file.startsWith('tests/e2e/'))
  return interleave(
    [
      ...own.map((file) =>
        file.endsWith('.spec.ts')
          ? turn(file, { kind: 'playwright', project: 'soak', config: 'playwright.soak.config.ts' })
          : turn(file, { kind: 'vitest', project: 'soak', config: 'vitest.soak.config.ts' }),
      ),
      ...journeys.map((file) =>
        turn(file, { kind: 'playwright', project: 'journeys', config: 'playwright.config.ts' }),
      ),
    ],
    properties.map((file) => {
      const project = file.startsWith('tests/unit/') ? 'unit' : 'integration'
      return turn(file, { kind: 'vitest', project, config: 'vitest.config.ts' })
    }),
  )
}

function turn(file: string, work: Job['work']): Omit<Job, 'name'> {
  const expected = { cpuS: 60, wallS: 60 }
  return { tier: 'integration', files: [file], work, needsBuild: false, env: {}, expected }
}

/** The longer list spread evenly between the items of the shorter one. */
function interleave<T>(some: readonly T[], others: readonly T[]): T[] {
  const placed = [some, others].flatMap((list) =>
    list.map((item, at) => ({ item, place: (at + 0.5) / list.length })),
  )
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item)
}

/** Begins at a place of chance, so that short soaks do not always run the same turns. */
function endlessly(turns: readonly Omit<Job, 'name'>[]): () => Job {
  let next = randomInt(turns.length)
  let number = 0
  return () => {
    const chosen = turns[next % turns.length]
    if (chosen === undefined) throw new Error('There is nothing to soak.')
    next += 1
    number += 1
    const seed = String(randomInt(10 ** 9))
    const name = `${number} ${chosen.files.join(' ')} with seed ${seed}`
    return { ...chosen, name, env: { ONECUT_SEED: seed, ONECUT_RUNS: RUNS } }
  }
}

/** Copies the log, with fast-check's path, and the browser's trace; returns the folder. */
async function keepFinding(
  { job, log, report, endedFor }: JobEnd,
  folder: string,
): Promise<string> {
  const name = job.name.replaceAll(/[^\w-]+/g, '-')
  const kept = join(FOUND, name)
  await mkdir(kept, { recursive: true })
  const again = `ONECUT_SEED=${job.env['ONECUT_SEED'] ?? ''} ONECUT_RUNS=${RUNS}`
  await writeFile(
    join(kept, 'finding.txt'),
    `${job.files.join(' ')}\n${again}\n${endedFor ?? ''}\n`,
  )
  await cp(log, join(kept, 'log.txt'))
  await cp(report, join(kept, 'report.json')).catch(() => undefined)
  await cp(join(folder, name), join(kept, 'traces'), { recursive: true }).catch(() => undefined)
  return `soak-found/${name}`
}
