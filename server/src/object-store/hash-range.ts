import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Bytes that are read at once. */
const READ_BYTES = 256 * 1024

/**
 * SHA-256 of the bytes from `start` up to `end` (not included) of a file; of fewer where the file
 * ends earlier. Needs 256 KiB of memory. Rejects with the reason of `signal`.
 */
export async function hashRange(
  file: FileHandle,
  start: number,
  end: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const hash = createHash('sha256')
  await readInto(hash, file, { start, end, signal })
  return hash.digest()
}

interface Stretch {
  readonly start: number
  /** Not included. */
  readonly end: number
  readonly signal?: AbortSignal | undefined
}

/** Adds bytes of a file to a hash, as `hashRange` does. */
export async function readInto(
  hash: Hash,
  file: FileHandle,
  { start, end, signal }: Stretch,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end - start))
  for (let at = start; at < end;) {
    signal?.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}
