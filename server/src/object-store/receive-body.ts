import type { Readable } from 'node:stream'
import { Problem } from '#server/problems.ts'

/** How a body is received. */
interface Receiving {
  /** Aborting ends it with the signal's reason. */
  readonly signal: AbortSignal
  /**
   * Without `LEAST_BYTES` more in this time, or when the connection breaks, it ends with
   * `parts/idle`.
   */
  readonly idleMs: number
  /** The exact length of the body. */
  readonly sizeBytes: number
  /** Takes one chunk; a promise pauses the body until it resolves. */
  take(chunk: Buffer): Promise<void> | undefined
}

/**
 * One byte a minute would hold the room of a part for ever. Of five parts at once on 0.5 Mbit/s,
 * the slowest network that counts as usable, each gets 50 times as much in a minute.
 */
const LEAST_BYTES = 16 * 1024

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
  const onProgress = paced(timer)
  const resume = (): void => {
    if (body.listenerCount('data') > 0) body.resume()
  }
  let received = 0
  const onData = (chunk: Buffer): void => {
    onProgress(chunk.length)
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

/** Lets a timer begin again whenever `LEAST_BYTES` more of a body have arrived. */
export function paced(timer: NodeJS.Timeout): (bytes: number) => void {
  let sinceRefresh = 0
  return (bytes) => {
    sinceRefresh += bytes
    if (sinceRefresh < LEAST_BYTES) return
    sinceRefresh = 0
    timer.refresh()
  }
}

/** The body is not as long as it has to be. */
export function wrongSize(expected: number): Problem {
  return new Problem('parts/wrong-size', `This part must have exactly ${expected} bytes.`)
}

/** The bytes of a part stopped coming before it was whole. */
export function stalled(): Problem {
  return new Problem('parts/idle', 'The connection stalled. This part will be sent again.', {
    retryAfterS: 1,
  })
}
