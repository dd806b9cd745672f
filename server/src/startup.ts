import { ownHost } from './addresses.ts'
import { buildApp } from './app.ts'
import { compose, type Composition, type Replacements } from './compose.ts'
import type { Deps } from './deps.ts'
import type { Settings } from './env.ts'
import { API_ROOT } from '#server/http/contract.ts'
import { listen } from '#server/http/listen.ts'
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
  const stop = once(async (hurry?: AbortSignal) => {
    await listener?.close(hurry)
    await composition?.close()
  })
  try {
    composition = await compose(settings, log, replacements)
    const { deps, queue, diskStore } = composition
    wish.throwIfAborted()
    await queue.start()
    if (listener !== null) {
      const { isStopping } = listener
      listener.serve((await buildApp(deps, { diskStore, isStopping })).hono)
      await selfTest(settings, listener.port, log, wish)
    }
    wish.throwIfAborted()
    if (settings.role === 'all' || settings.role === 'worker') await startConsumers(deps, queue)
    return { deps, port: listener?.port ?? null, origin: settings.publicOrigin, stop }
  } catch (error) {
    await stop(AbortSignal.abort())
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

/** A start that takes this long says why; it goes on. */
const SLOW_MS = 15_000

/**
 * Checks the server before it is announced: the API answers, and part URLs let browsers read
 * `ETag` (docs/product-decisions.md#storage-self-test). How long that takes says nothing about the
 * server, only about the machine, so the time has no limit of its own: a start that gives up on a
 * busy machine would be started again, for ever. What cannot work ends by itself, a connection
 * that is not taken by the system's limit and an answer that does not come by `fetch`'s 300 s.
 */
async function selfTest(
  settings: Settings,
  port: number,
  log: Log,
  wish: AbortSignal,
): Promise<void> {
  const here = `http://${ownHost(settings.host)}:${port}`
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${here}${path}`, { ...init, signal: wish }).catch(
      (error: unknown) => {
        wish.throwIfAborted()
        throw new StartError(
          `The server started but cannot reach itself at ${here} (${reasonOf(error)}); check HOST and the rules of the firewall.`,
        )
      },
    )
    await answer.body?.cancel()
    return answer
  }
  const slow = setInterval(() => {
    log.warn('start/slow', {
      message: `The server waits for its own first answer at ${here}; the machine is busy, or HOST cannot be reached from here.`,
    })
  }, SLOW_MS)
  try {
    const capabilities = await ask(`${API_ROOT}/v1/capabilities`)
    if (!capabilities.ok)
      throw new StartError(
        `The server started but does not answer (${capabilities.status}); the lines above say why.`,
      )
    const part = await ask(`${PART_URL_PREFIX}/self-test/1`, { method: 'PUT', body: '' })
    const exposed = (part.headers.get('access-control-expose-headers') ?? '').toLowerCase()
    if (part.status !== 403 || !exposed.includes('etag'))
      throw new StartError(
        'The server started, but browsers could not read the ETag of uploaded parts.',
      )
  } finally {
    clearInterval(slow)
  }
}

/** `fetch` fails with one sentence for everything; its cause says what happened. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

function once<A extends unknown[]>(work: (...input: A) => Promise<void>): typeof work {
  let running: Promise<void> | null = null
  return (...input) => (running ??= work(...input))
}
