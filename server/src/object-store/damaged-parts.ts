import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { MultipartPlan, StoredPart } from './port.ts'

/** Bytes that are read at once. */
const READ_BYTES = 1024 * 1024

/**
 * Numbers of the parts of the file at `path` whose SHA-256 is not that of `stored`, ascending; a
 * part beyond the file's end or without a stored one counts. Reads with 1 MiB of memory.
 */
export async function findDamagedParts(
  path: string,
  plan: MultipartPlan,
  stored: readonly StoredPart[],
  signal: AbortSignal,
): Promise<number[]> {
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const damaged: number[] = []
  await using file = await open(path, 'r')
  for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1) {
    const hash = createHash('sha256')
    const end = Math.min(partNumber * plan.partSizeBytes, plan.sizeBytes)
    for (let at = (partNumber - 1) * plan.partSizeBytes; at < end;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - at), at)
      if (bytesRead === 0) break // the file is shorter: what is missing changes the hash
      hash.update(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
    if (hash.digest('base64') !== storedByNumber.get(partNumber)?.checksumSha256)
      damaged.push(partNumber)
  }
  return damaged
}
