import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '#server/app.ts'
import { compose, type Composition, type Replacements } from '#server/compose.ts'
import type { Deps } from '#server/deps.ts'
import { adviceOn, type Settings } from '#server/env.ts'
import { newestMigration } from '#server/db/migrate.ts'
import { listen } from '#server/http/listen.ts'
import { listenForMetrics } from '#server/http/metrics-server.ts'
import { startConsumers } from '#server/consumers/start.ts'
import type { Log } from '#server/log.ts'
import { mailboxUrl } from '#server/operations/core/mail/local-mailbox.ts'
import { watchFigures } from '#server/operations/workflows/upkeep/figures.ts'
import { keepSayingWhatWorks } from '#server/operations/core/workers.ts'
import { selfTest } from './self-test.ts'

/** A started server of any role. `port` is null for roles that do not listen. */
export interface RunningServer {
  readonly deps: Deps
  readonly port: number | null
  /** Where `/metrics` is answered; null unless a setting asks for it. */
  readonly metricsPort: number | null
  readonly origin: string
  /** What a terminal shows of the started server, line by line. */
  readonly announcement: string
  /**
   * Stops without a loss to callers ([Note: stop without a loss] in http/listen.ts), then ends
   * running ffmpeg, closes pool and embedded database. When `hurry` aborts, calls that still run
   * are cut off. Idempotent.
   */
  stop(hurry?: AbortSignal): Promise<void>
}

/** What may be given to a start beside its settings. */
interface StartOptions {
  readonly replacements?: Replacements
  /** Ends a start that is under way; `startServer` then throws its reason. */
  readonly stop?: AbortSignal
}

/**
 * Starts what the role asks for and returns when it really answers. Throws `StartError` with one
 * sentence when it cannot, and leaves nothing running.
 */
export async function startServer(
  wanted: Settings,
  log: Log,
  { replacements, stop: wish = new AbortController().signal }: StartOptions = {},
): Promise<RunningServer> {
  const listener =
    wanted.role === 'all' || wanted.role === 'api' ? await listen(wanted.host, wanted.port) : null
  const settings = listener === null ? wanted : withPort(wanted, listener.port)
  let composition: Composition | null = null
  let stopSaying = async (): Promise<void> => undefined
  let metricsServer: Awaited<ReturnType<typeof openMetrics>> = null
  const stop = once(async (hurry?: AbortSignal) => {
    await listener?.close(hurry)
    await metricsServer?.close()
    await stopSaying()
    await composition?.close()
  })
  try {
    composition = await compose(settings, log, replacements)
    const { deps, queue, diskStore } = composition
    wish.throwIfAborted()
    metricsServer = await openMetrics(composition)
    await queue.start()
    await clearScratch(settings)
    if (listener !== null) {
      const { isStopping } = listener
      const { hono } = await buildApp(deps, { diskStore, isStopping })
      listener.serve(hono, (await newestMigration()).tag)
      await selfTest({ settings, port: listener.port, log }, wish)
    }
    wish.throwIfAborted()
    if (settings.role === 'all' || settings.role === 'worker') {
      await startConsumers(deps, queue)
      stopSaying = keepSayingWhatWorks(deps)
    }
    const port = listener?.port ?? null
    const metricsPort = metricsServer?.port ?? null
    return {
      deps,
      port,
      metricsPort,
      origin: settings.publicOrigin,
      announcement: announce(deps, port),
      stop,
    }
  } catch (error) {
    await stop(AbortSignal.abort())
    throw error
  }
}

/** The figures of this process, where a setting names a port for them. */
async function openMetrics({ deps, queue }: Composition) {
  const place = deps.settings.metrics
  if (place === null) return null
  watchFigures(deps, queue)
  return await listenForMetrics(deps.metrics, place)
}

/**
 * Removes what a crash left of attempts, before calls are taken: they use the folder as well. In a
 * process with only a part of the roles it may be another process's; there each attempt goes when
 * its lease has ended.
 */
async function clearScratch({ role, scratchDir }: Settings): Promise<void> {
  if (role !== 'all') return
  for (const name of await readdir(scratchDir))
    await rm(join(scratchDir, name), { recursive: true, force: true })
}

function announce(deps: Deps, port: number | null): string {
  if (port === null) return 'Onecut is ready to work'
  const mailbox = mailboxUrl(deps)
  return [
    `Onecut is ready at ${deps.settings.publicOrigin}`,
    ...(mailbox === null ? [] : [`Local mailbox: ${mailbox}`]),
    ...adviceOn(deps.settings),
  ].join('\n')
}

// Port 0 (tests) is a real one only now; an origin that was set stays.
function withPort(settings: Settings, port: number): Settings {
  const { publicOrigin, frameOrigin } = settings
  if (publicOrigin !== 'http://localhost:0') return { ...settings, port }
  return {
    ...settings,
    port,
    publicOrigin: `http://localhost:${port}`,
    frameOrigin: frameOrigin === 'http://127.0.0.1:0' ? `http://127.0.0.1:${port}` : frameOrigin,
  }
}

function once<A extends unknown[]>(work: (...input: A) => Promise<void>): typeof work {
  let running: Promise<void> | null = null
  return (...input) => (running ??= work(...input))
}
