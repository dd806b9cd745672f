/**
 * `npm run bench -- NAME [arguments]`: builds the app and runs `tests/bench/NAME.ts`; without a
 * name it lists the benchmarks.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from '#scripts/build-app.ts'
import { chromium, ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'

const benches = [
  'upload',
  'parts',
  'bucket',
  'probe',
  'previews',
  'kills',
  'mixed-kills',
  'browser-kills',
  'share',
  'attack',
  'strangers',
  'import',
  'connections',
  'lighthouse',
  'library',
  'edits',
  'first-post',
  'make-now',
] as const
const [name = '', ...rest] = process.argv.slice(2)
const file = join(projectRoot, 'tests/bench', `${name}.ts`)

try {
  process.exitCode =
    (benches as readonly string[]).includes(name) && existsSync(file) ? await run() : usage()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}

function usage(): number {
  process.stderr.write(`Usage: npm run bench -- ${benches.join('|')}\n`)
  return 2
}

async function run(): Promise<number> {
  ensureTool(ffmpeg)
  const browserPath = ensureTool(chromium)
  await buildApp()
  const child = spawn(process.execPath, [file, ...rest], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: browserPath },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
