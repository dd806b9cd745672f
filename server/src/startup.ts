import { buildApp } from './app.ts'
import { compose, type Composition, type Replacements } from './compose.ts'
import type { Deps } from './deps.ts'
import type { Settings } from './env.ts'
import { API_ROOT } from '#server/http/contract.ts'
import { listen, type Listener } from '#server/http/listen.ts'
import { startConsumers } from '#server/consumers/start.ts'
import type { Log } from './log.ts'
import { PART_URL_PREFIX } from '#server/object-store/part-url.ts'
import { StartError } from './start-error.ts'

/** A started server of any role. `port` is null for roles that do not listen. */
export interface RunningServer {
  readonly deps: Deps
  readonly port: number | null
  readonly origin: string
  /**
   * Stops taking work, ends running ffmpeg, closes connections, pool and embedded database.
   * Idempotent.
   */
  stop(): Promise<void>
}

/**
 * Starts what the role asks for and returns when it really answers. Throws `StartError` with one
 * sentence when it cannot, and leaves nothing running.
 */
export async function startServer(
  wanted: Settings,
  log: Log,
  replacements: Replacements = {},
): Promise<RunningServer> {
  const listener =
    wanted.role === 'all' || wanted.role === 'api' ? await listen(wanted.host, wanted.port) : null
  const settings = listener === null ? wanted : withPort(wanted, listener.port)
  let composition: Composition | null = null
  const stop = once(async () => {
    const closing = listener?.close()
    await composition?.close()
    await closing
  })
  try {
    composition = await compose(settings, log, replacements)
    const { deps, queue } = composition
    await queue.start()
    if (listener !== null) {
      listener.serve((await buildApp(deps, composition)).hono)
      await selfTest(settings, listener)
    }
    if (settings.role === 'all' || settings.role === 'worker') await startConsumers(deps, queue)
    return { deps, port: listener?.port ?? null, origin: settings.publicOrigin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Port 0 (tests) is a real one only now; an origin that was set stays.
function withPort(settings: Settings, port: number): Settings {
  return {
    ...settings,
    port,
    publicOrigin:
      settings.publicOrigin === 'http://127.0.0.1:0'
        ? `http://127.0.0.1:${port}`
        : settings.publicOrigin,
  }
}

/**
 * Checks the server before it is announced: the API answers, and part URLs let browsers read
 * `ETag` (docs/product-decisions.md#storage-self-test).
 */
async function selfTest(settings: Settings, listener: Listener): Promise<void> {
  const host =
    settings.host === '0.0.0.0'
      ? '127.0.0.1'
      : settings.host === '::'
        ? '[::1]'
        : settings.host.includes(':')
          ? `[${settings.host}]`
          : settings.host
  const here = `http://${host}:${listener.port}`
  const limit = { signal: AbortSignal.timeout(10_000) }
  const capabilities = await fetch(`${here}${API_ROOT}/v1/capabilities`, limit)
  if (!capabilities.ok)
    throw new StartError(
      `The server started but does not answer (${capabilities.status}); the lines above say why.`,
    )
  await capabilities.body?.cancel()
  const part = await fetch(`${here}${PART_URL_PREFIX}/self-test/1`, {
    method: 'PUT',
    body: '',
    ...limit,
  })
  await part.body?.cancel()
  const exposed = (part.headers.get('access-control-expose-headers') ?? '').toLowerCase()
  if (part.status !== 403 || !exposed.includes('etag'))
    throw new StartError(
      'The server started, but browsers could not read the ETag of uploaded parts.',
    )
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => (running ??= work())
}
