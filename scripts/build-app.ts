import { spawnSync } from 'node:child_process'
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { hashInputs } from '#scripts/input-hash.ts'
import { projectRoot } from '#scripts/project-root.ts'

const inputs = [
  'src',
  'workers',
  'recipes',
  'checks',
  'spec',
  'public',
  'openapi',
  'front.html',
  'index.html',
  'vite.config.ts',
  'scripts/vite-after-build.ts',
  'scripts/vite-chunks.ts',
  'scripts/vite-font.ts',
  'scripts/vite-front-page.ts',
  'scripts/vite-install-pack.ts',
  'server/src/routes/content-types.ts',
  'scripts/vite-shells.ts',
  'scripts/vite-precompress.ts',
  'scripts/vite-licences.ts',
  'scripts/licences',
  'package-lock.json',
]
// Relative, because plugins join it to the root; on the same disk as dist/, so that a rename swaps
// the builds.
const freshFolder = 'node_modules/.cache/onecut/dist'
const stampFile = '.build-hash'
/** Tabs that were opened before an update still ask for the files of their own build. */
const oldAssetsKeptMs = 30 * 86_400_000

/**
 * Builds the page into `dist/` if its inputs changed, and returns true if it did. The new build is
 * made beside the old one, gets the old build's hashed files, and replaces it by a rename, so that
 * a running server never misses a file. Throws with the builder's output when the build fails.
 */
export async function buildApp(): Promise<boolean> {
  const dist = join(projectRoot, 'dist')
  const hash = await hashInputs(inputs, pageSettings())
  if ((await readFile(join(dist, stampFile), 'utf8').catch(() => '')) === hash) return false
  process.stderr.write('Building the app…\n')
  const fresh = join(projectRoot, freshFolder)
  await rm(fresh, { recursive: true, force: true })
  runBuild(freshFolder)
  await keepOldAssets(join(dist, 'assets'), join(fresh, 'assets'))
  await writeFile(join(fresh, stampFile), hash)
  const old = `${fresh}-old`
  await rm(old, { recursive: true, force: true })
  await rename(dist, old).catch(ignoreMissing)
  await rename(fresh, dist)
  await rm(old, { recursive: true, force: true })
  return true
}

function runBuild(outDir: string): void {
  const steps = [
    ['run', '--silent', 'contract:check'],
    ['exec', '--', 'vite', 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'],
  ]
  for (const step of steps) {
    const { status, stdout, stderr } = spawnSync('npm', step, {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (status !== 0) throw new Error(`The app could not be built:\n${stdout}${stderr}`)
  }
}

/** Build settings of the page come from the environment. */
function pageSettings(): string {
  return Object.entries(process.env)
    .filter(([name]) => name.startsWith('VITE_'))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `${name}=${value ?? ''}\n`)
    .join('')
}

async function keepOldAssets(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => [])
  await mkdir(to, { recursive: true })
  for (const name of names) {
    const { mtimeMs } = await stat(join(from, name))
    const isThere = await stat(join(to, name)).then(
      () => true,
      () => false,
    )
    if (isThere || Date.now() - mtimeMs > oldAssetsKeptMs) continue
    // The copy keeps its age, else it would never be old enough to go.
    await copyFile(join(from, name), join(to, name))
    await utimes(join(to, name), mtimeMs / 1000, mtimeMs / 1000)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
