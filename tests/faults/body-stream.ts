import type { IncomingMessage } from 'node:http'
import type { Throttle } from './throttle.ts'

type Chunks = AsyncIterable<Buffer>

/**
 * The request's body, reported chunk by chunk; `passage` delays it while the network is cut. Where
 * the server answers before it has all, the rest is dropped: a body that is destroyed after its
 * answer keeps its connection open, and no later request on that is ever read.
 */
export async function* receive(
  incoming: IncomingMessage,
  passage: () => Promise<void>,
  throttles: readonly Throttle[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of chunks) {
      for (const throttle of throttles) await throttle.take(chunk.length)
      await passage()
      onBytes(chunk.length)
      yield chunk
    }
  } finally {
    incoming.resume()
  }
}

/** Passes the first `bytes` of the body on; reads the rest and drops it. */
export async function* keepFirst(chunks: Chunks, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (left > 0) yield chunk.subarray(0, left)
    left -= chunk.length
  }
}

/** Calls `onReached` once this many bytes have passed, and breaks there, as a connection does. */
export async function* cutAt(
  chunks: Chunks,
  bytes: number,
  onReached: () => void,
): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    left -= chunk.length
    if (left <= 0) break
    yield chunk
  }
  onReached()
  throw new Error('the line broke')
}

/** Flips one bit of the byte at `position`. */
export async function* flipBit(chunks: Chunks, position: number): AsyncGenerator<Buffer> {
  let offset = 0
  for await (const chunk of chunks) {
    const index = position - offset
    const flipped = index >= 0 && index < chunk.length ? Buffer.from(chunk) : chunk
    if (flipped !== chunk) flipped[index] = (flipped[index] ?? 0) ^ 1
    offset += chunk.length
    yield flipped
  }
}

/** Reads the whole body. */
export async function readAll(chunks: Chunks): Promise<Buffer> {
  const read: Buffer[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read)
}
