import { setTimeout } from 'node:timers/promises'
import { ownHost } from '#server/addresses.ts'
import type { Settings } from '#server/env.ts'
import { API_ROOT } from '#server/http/contract.ts'
import type { Log } from '#server/log.ts'
import { PART_URL_PREFIX } from '#server/object-store/part-url.ts'

/** A start that takes this long says why; it goes on. */
const SLOW_MS = 15_000
const FIRST_WAIT_MS = 500
/** Half a minute together: a restarted database and a busy disk are back by then. */
const TRIES = 7

/** What the self-test asks with; tests have their own. */
interface Asking {
  readonly fetch: typeof fetch
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const OUTSIDE: Asking = {
  fetch,
  wait: async (ms, signal) => await setTimeout(ms, undefined, { signal }),
}

/**
 * Checks the server before it is announced: the API answers, and part URLs let browsers read
 * `ETag` (docs/product-decisions.md#storage-self-test). What fails is tried again; at last the
 * server is announced with a warning. It answers others by then, and a start that ended itself
 * would be started again for ever, with the same machine as busy as before. The time of an answer
 * has no limit: it says nothing about the server, only about the machine. Throws the reason of
 * `wish` when that aborts.
 */
export async function selfTest(
  { settings, port, log }: { settings: Settings; port: number; log: Log },
  wish: AbortSignal,
  asking: Asking = OUTSIDE,
): Promise<void> {
  const here = `http://${ownHost(settings.host)}:${port}`
  const slow = setInterval(() => {
    log.warn('start/slow', {
      message: `The server waits for its own first answer at ${here}; the machine is busy, or HOST cannot be reached from here.`,
    })
  }, SLOW_MS)
  try {
    for (let tried = 1, waitMs = FIRST_WAIT_MS; ; tried += 1, waitMs *= 2) {
      const complaint = await ask(here, wish, asking)
      if (complaint === null) return
      const isLast = tried === TRIES
      const message = `${complaint} ${isLast ? 'It goes on without an answer of its own.' : 'It asks itself again.'}`
      log.warn('start/self-test', { message })
      if (isLast) return
      await asking.wait(waitMs, wish)
    }
  } catch (error) {
    wish.throwIfAborted()
    throw error
  } finally {
    clearInterval(slow)
  }
}

/** What is wrong, in a sentence, or null. */
async function ask(here: string, wish: AbortSignal, { fetch }: Asking): Promise<string | null> {
  try {
    const capabilities = await fetch(`${here}${API_ROOT}/v1/capabilities`, { signal: wish })
    await capabilities.body?.cancel()
    if (!capabilities.ok)
      return `The server started but does not answer (${capabilities.status}); the lines above say why.`
    const part = await fetch(`${here}${PART_URL_PREFIX}/self-test/1`, {
      method: 'PUT',
      body: '',
      signal: wish,
    })
    await part.body?.cancel()
    const exposed = (part.headers.get('access-control-expose-headers') ?? '').toLowerCase()
    return part.status === 403 && exposed.includes('etag')
      ? null
      : 'The server started, but browsers could not read the ETag of uploaded parts.'
  } catch (error) {
    wish.throwIfAborted()
    return `The server started but cannot reach itself at ${here} (${reasonOf(error)}); check HOST and the rules of the firewall.`
  }
}

/** `fetch` fails with one sentence for everything; its cause says what happened. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
