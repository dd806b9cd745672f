// @ts-check
/**
 * The first step of `npm start`, `npm test`, and of `npm run dev`, `bench`, `doctor`,
 * `operator`, `backup`, `restore` and `rotate-keys`.
 * Plain JavaScript without dependencies, because it runs on the Node that calls npm (20 or newer)
 * before anything is installed. Installs what the lockfile says, finds the Node that the TypeScript
 * scripts need, and hands over to it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldestNode = 24
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const script = process.argv[2] ?? ''
const SCRIPTS = [
  ...['start', 'dev', 'test', 'bench', 'soak', 'check'],
  ...['doctor', 'operator', 'rotate-keys', 'backup', 'restore'],
]
if (!SCRIPTS.includes(script)) fail(`Usage: node scripts/bootstrap.mjs ${SCRIPTS.join('|')}`)
if (!existsSync(join(root, 'scripts', `${script}.ts`)))
  fail(`scripts/${script}.ts is not there yet.`)

installDependencies()
run(findNode())

/**
 * Installs when node_modules differs from the lockfile; npm writes its own copy of it last, so
 * an interrupted install counts as different.
 */
function installDependencies() {
  if (isInstalled()) return
  process.stderr.write('Installing dependencies…\n')
  // Only what the lockfile names, with its checksum; `install` would take other packages.
  if (!runNpm('ci')) fail('The dependencies could not be installed; the lines above say why.')
}

/** @param {string} command */
function runNpm(command) {
  const npm = process.env['npm_execpath']
  const flags = [command, '--no-audit', '--no-fund', '--loglevel=error']
  // A production setting would leave out what the build needs.
  const env = { ...process.env, NODE_ENV: 'development', npm_config_loglevel: 'error' }
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env }
  return (
    (npm === undefined
      ? spawnSync('npm', flags, options)
      : spawnSync(process.execPath, [npm, ...flags], options)
    ).status === 0
  )
}

function isInstalled() {
  const wanted = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  if (wanted === null) fail('package-lock.json is missing.')
  if (present === null) return false
  return Object.entries(wanted).every(([path, entry]) => {
    // The root, and workspaces, whose links stand under node_modules.
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const installed = present[path]
    // Other platforms' packages are left out.
    if (installed === undefined) return entry.optional === true || entry.devOptional === true
    return installed.version === entry.version && existsSync(join(root, path))
  })
}

/**
 * @param {string} file @returns {Record<string, { version?: string, optional?: boolean,
 * devOptional?: boolean }> | null}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {}
  } catch {
    return null
  }
}

/** @returns {string} */
function findNode() {
  const own = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  for (const candidate of [own, process.execPath]) {
    const { stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' })
    if (Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= oldestNode) return candidate
  }
  return fail(
    `Onecut needs Node ${oldestNode} or newer and found only ${process.versions.node}; install it from https://nodejs.org and try again.`,
  )
}

/** @param {string} node */
function run(node) {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']]
    .filter(Boolean)
    .join(process.platform === 'win32' ? ';' : ':')
  const child = spawn(node, [join(root, 'scripts', `${script}.ts`), ...process.argv.slice(3)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  })
  // A terminal sends Ctrl-C to the child as well; a plain kill reaches only this process. The child
  // ignores a second signal.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)
  })
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}
