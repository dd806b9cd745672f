/**
 * `npm run dev`: Vite serves the page with hot reload and forwards calls to the server (API, worker
 * and embedded database in one process), which restarts when its code or the contract changes.
 * Arguments go to the server's Node: `npm run dev -- --inspect`. Ctrl-C ends everything.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { createServer } from 'vite'
import { ensureMediaTools, ToolMissing } from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { readSettings, SettingError, type Settings } from '#server/env.ts'

/**
 * Development has a port and a folder of its own: at the address of `npm start` its service worker
 * would answer instead of Vite, and unfinished migrations must not touch its data.
 */
const DEFAULTS = { PORT: '4500', ONECUT_DATA_DIR: '.onecut-dev' }
/** A change of these files restarts the server. */
const SERVER_INPUT = /^(?:server\/(?:src|migrations)|recipes|checks|spec|openapi)\//
/** Editors and git write several files at once; one restart is enough. */
const SETTLED_AFTER_MS = 150

try {
  await develop({ ...DEFAULTS, ...process.env })
} catch (error) {
  if (error instanceof SettingError || error instanceof ToolMissing)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}

async function develop(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment)
  if (settings.ffmpegPath === null) ensureMediaTools()
  const apiPort = await freePort()
  const page = await startPage(settings, apiPort)
  const server = createServerProcess({
    ...environment,
    // Answers that break the contract fail instead of being logged.
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    ONECUT_PUBLIC_ORIGIN: settings.publicOrigin,
  })
  const change = debounced((file) => {
    process.stderr.write(`Restarting the server: ${file} changed.\n`)
    void server.restart()
  })
  page.watcher.on('all', (_event, path) => {
    const file = relative(projectRoot, path).replaceAll('\\', '/')
    if (SERVER_INPUT.test(file) && !file.includes('node_modules/')) change(file)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      void Promise.all([page.close(), server.stop()]).then(() => process.exit(0))
    })
  await server.restart()
}

/** Starts Vite on the port that people open. Calls go on to the server on `apiPort`. */
async function startPage(settings: Settings, apiPort: number) {
  const target = `http://127.0.0.1:${apiPort}`
  const page = await createServer({
    root: projectRoot,
    configFile: join(projectRoot, 'vite.config.ts'),
    logLevel: 'warn',
    // Vite looks for packages in the page's imports only. It reloads the page when a worker imports
    // another one, which breaks that worker's first task.
    optimizeDeps: { entries: ['index.html', 'workers/*/*.worker.ts'] },
    server: {
      host: settings.host,
      port: settings.port,
      strictPort: true,
      proxy: { '/editors': target, '/dev/mail': target },
      // Data folders and builds change often and concern no page.
      watch: { ignored: ['**/.onecut*/**', '**/dist/**', '**/dist-server/**'] },
    },
  })
  return page.listen()
}

/** The server as a child process. Restarts and the stop happen one after the other. */
function createServerProcess(env: NodeJS.ProcessEnv) {
  let child: ChildProcess | null = null
  let work = Promise.resolve()
  const inOrder = (step: () => Promise<void>): Promise<void> => (work = work.then(step))
  return {
    /** Ends the running server and starts another. It prints its address when it answers. */
    restart: () =>
      inOrder(async () => {
        await end(child)
        child = start(env)
      }),
    stop: () =>
      inOrder(async () => {
        await end(child)
        child = null
      }),
  }
}

function start(env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(
    process.execPath,
    [...process.argv.slice(2), join(projectRoot, 'server/src/main.ts')],
    { cwd: projectRoot, env, stdio: 'inherit' },
  )
  child.on('exit', (code) => {
    if (code !== 0 && !child.killed)
      process.stderr.write('The server has ended; it starts again at the next change.\n')
  })
  return child
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function debounced(action: (file: string) => void): (file: string) => void {
  let timer: NodeJS.Timeout | undefined
  return (file) => {
    clearTimeout(timer)
    timer = setTimeout(() => action(file), SETTLED_AFTER_MS)
  }
}

/** Finds a free port, which the server keeps over restarts. */
async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}
