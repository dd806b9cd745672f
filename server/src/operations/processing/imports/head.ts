import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { OutgoingError } from '#server/net/outgoing.ts'

/** With the size, so much of its beginning tells one video from another. */
const HEAD_BYTES = 64 * 1024

/** Asks for the beginning of a file. */
export const HEAD_RANGE = { range: `bytes=0-${HEAD_BYTES - 1}` } as const

/**
 * The SHA-256 (base64) of the beginning of a file, from the answer to `HEAD_RANGE`, whose rest is
 * not read. Throws `OutgoingError` when it breaks off.
 */
export async function readHead(message: IncomingMessage, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256')
  let left = Math.min(HEAD_BYTES, sizeBytes)
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      hash.update(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      if (left === 0) break
    }
  } catch {
    throw new OutgoingError('away')
  } finally {
    message.destroy()
  }
  if (left > 0) throw new OutgoingError('away')
  return hash.digest('base64')
}
