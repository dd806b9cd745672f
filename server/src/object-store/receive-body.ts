import type { Readable } from 'node:stream'
import { Problem } from '#server/problems.ts'

/** How a body is received. */
interface Receiving {
  /** Aborting ends it with the signal's reason. */
  readonly signal: AbortSignal
  /** Without a byte for this long, or when the connection breaks, it ends with `parts/idle`. */
  readonly idleMs: number
  /** The exact length of the body. */
  readonly sizeBytes: number
  /** Takes one chunk; a promise pauses the body until it resolves. */
  take(chunk: Buffer): Promise<void> | undefined
}

/**
 * Hands every chunk of a body to `take` and returns when the body has ended. Throws what `take`
 * throws, the signal's reason, or a `Problem` when bytes stop coming. The body stays open, so that
 * an answer can be sent.
 *
 * Plain events instead of an iterator: a race between the next chunk and the signal would keep
 * every chunk of the part in memory, since each race adds a reaction to the signal's promise.
 */
export async function receiveBody(
  body: Readable,
  { signal, idleMs, sizeBytes, take }: Receiving,
): Promise<void> {
  signal.throwIfAborted()
  if (body.destroyed) throw stalled()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(stalled()), idleMs)
  const resume = (): void => {
    if (body.listenerCount('data') > 0) body.resume()
  }
  let received = 0
  const onData = (chunk: Buffer): void => {
    timer.refresh()
    received += chunk.length
    if (received > sizeBytes) return reject(wrongSize(sizeBytes))
    const busy = take(chunk)
    if (busy === undefined) return
    body.pause()
    busy.then(resume, reject)
  }
  const onAbort = (): void => reject(signal.reason)
  const onClose = (): void => reject(stalled())
  body.on('data', onData).on('end', resolve).on('close', onClose).on('error', onClose)
  signal.addEventListener('abort', onAbort)
  try {
    await promise
    if (received !== sizeBytes) throw wrongSize(sizeBytes)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    body.off('data', onData).off('end', resolve).off('close', onClose).off('error', onClose)
    body.pause()
  }
}

/** The body is not as long as it has to be. */
export function wrongSize(expected: number): Problem {
  return new Problem('parts/wrong-size', `This part must have exactly ${expected} bytes.`)
}

function stalled(): Problem {
  return new Problem('parts/idle', 'The connection stalled. This part will be sent again.', {
    retryAfterS: 1,
  })
}
