/**
 * `npm test`: sets up what is missing, runs every check, and ends with one line: `N passed, N
 * failed`.
 */
import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '#scripts/build-app.ts'
import {
  bubblewrap,
  chromium,
  ensureTool,
  ffmpeg,
  firefox,
  headlessShell,
  ToolMissing,
  tryTool,
} from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'
import {
  afterSecondRun,
  filesThatFailed,
  NOTHING_FOUND,
  readPlaywright,
  readVitest,
  type Count,
} from '#scripts/test-reports.ts'

interface Step {
  readonly title: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The step writes it; a file from an earlier run is deleted first. */
  readonly report?: string
  readonly count?: () => Promise<Count>
}

const reports = join(projectRoot, 'node_modules/.cache/onecut')
const vitestReport = join(reports, 'vitest.json')

/** They only read, so they run side by side, and beside the build. */
const readings: readonly Step[] = [
  { title: 'contract: generated types are fresh', args: ['run', 'contract:check'] },
  { title: 'contract: lint', args: ['run', 'contract:lint'] },
  { title: 'types', args: ['run', 'types'] },
  { title: 'lint and import rules', args: ['run', 'lint'] },
  // Asks the registry, so only where packages were just taken from it.
  ...(process.env['ONECUT_CHECK_SIGNATURES'] === '1'
    ? [{ title: 'signatures of packages', args: ['run', 'signatures'] }]
    : []),
]
/** @param files only these, or all of them where none is named */
const vitest = (title: string, files: readonly string[]): Step => ({
  title,
  args: [
    'exec',
    '--',
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
    ...files,
  ],
  report: vitestReport,
  count: () => readVitest(vitestReport),
})
/** More broken files than this are a broken product, not a slow machine. */
const AGAIN_AT_MOST = 12
/** The projects of playwright.config.ts: those that judge no time at once, then the others. */
const browserTests: readonly Step[] = ['side-by-side', 'measuring'].map((name) => {
  const report = join(reports, `playwright-${name}.json`)
  return {
    title: `browser tests, ${name}`,
    args: [
      'exec',
      '--',
      'playwright',
      'test',
      '--reporter=list,json',
      `--project=${name}*`,
      '--output',
      `test-results/${name}`,
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    report,
    count: () => readPlaywright(report),
  }
})

/**
 * Ctrl-C ends the running step; no further step begins, and there is no sum.
 */
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof ToolMissing ? error.message : String(error)}\n`)
  process.exitCode = 2
}

async function main(): Promise<number> {
  ensureTool(ffmpeg)
  if (process.platform === 'linux') tryTool(bubblewrap)
  const shell = tryTool(headlessShell)
  const env = {
    CHROMIUM_PATH: ensureTool(chromium),
    ...(shell === null ? {} : { HEADLESS_SHELL_PATH: shell }),
    FIREFOX_PATH: ensureTool(firefox),
    // Dozens of tests start servers, which spend a third of their start on compiling.
    NODE_COMPILE_CACHE: join(reports, 'compiled'),
  }
  await mkdir(reports, { recursive: true })
  const counts: Count[] = []
  const beingRead = Promise.all(readings.map((reading) => run(reading, 'at its end')))
  // The build keeps one core busy, and the last of the readings leave one idle.
  counts.push(await build(), ...(await beingRead))
  counts.push(await runVitest(env))
  for (const test of browserTests) counts.push(await run({ ...test, env: { ...test.env, ...env } }))
  if (stopped.signal.aborted) return 130
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  list(
    'Passed only when repeated:',
    counts.flatMap(({ repeated }) => repeated),
  )
  list(
    'Failed:',
    counts.flatMap(({ failures }) => failures),
  )
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

/**
 * On the integration machine the files that failed run again, alone: that tells a slow machine
 * from a broken product. The list at the end names the tests that needed it.
 */
async function runVitest(env: Readonly<Record<string, string>>): Promise<Count> {
  const all = { ...vitest('unit, contract, integration and screen tests', []), env }
  const first = await run(all)
  const files = await filesThatFailed(vitestReport)
  const isWorthIt = files.length > 0 && files.length <= AGAIN_AT_MOST
  if (process.env['CI'] === undefined || !isWorthIt) return first
  return afterSecondRun(first, await run({ ...vitest('those that failed, again', files), env }))
}

/**
 * Runs one step. A step that fails without a failed test (types, lint, a file that does not load)
 * counts as one failure.
 * @param shown a step beside others shows what it prints at its end, in one piece
 */
async function run(
  step: Step,
  shown: 'as it comes' | 'at its end' = 'as it comes',
): Promise<Count> {
  if (stopped.signal.aborted) return NOTHING_FOUND
  const title = `\n── ${step.title}\n`
  if (shown === 'as it comes') process.stdout.write(title)
  if (step.report !== undefined) await rm(step.report, { force: true })
  const { isWell, printed } = await runNpm(step.args, step.env ?? {}, shown)
  if (shown === 'at its end') process.stdout.write(title + printed)
  const count = (await step.count?.()) ?? NOTHING_FOUND
  return isWell || count.failed > 0
    ? count
    : { ...count, failed: 1, failures: [...count.failures, `${step.title}: see above`] }
}

async function build(): Promise<Count> {
  if (stopped.signal.aborted) return NOTHING_FOUND
  process.stdout.write('\n── build\n')
  try {
    await buildApp()
    return NOTHING_FOUND
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return { ...NOTHING_FOUND, failed: 1, failures: ['build: see above'] }
  }
}

/** Printed at the end, because the runners' own reports scroll away. */
function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0)
    process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

/** Runs npm; `printed` is what it printed, unless that was shown as it came. */
function runNpm(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  shown: 'as it comes' | 'at its end',
): Promise<{ readonly isWell: boolean; readonly printed: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      'npm',
      args[0] === 'run' ? ['run', '--silent', ...args.slice(1)] : [...args],
      {
        cwd: projectRoot,
        stdio: shown === 'as it comes' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      },
    )
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
    const end = (): void => {
      child.kill('SIGTERM')
    }
    stopped.signal.addEventListener('abort', end, { once: true })
    child.on('error', (error) => resolve({ isWell: false, printed: printed + error.message }))
    child.on('close', (code) => {
      stopped.signal.removeEventListener('abort', end)
      resolve({ isWell: code === 0, printed })
    })
  })
}
