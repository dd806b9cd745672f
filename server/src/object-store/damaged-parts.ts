import { open } from 'node:fs/promises'
import { hashRange } from './hash-range.ts'
import type { MultipartPlan, StoredPart } from './port.ts'

/**
 * Numbers of the parts of the file at `path` whose SHA-256 is not that of `stored`, ascending; a
 * part beyond the file's end or without a stored one counts. Rejects with the reason of `signal`.
 */
export async function findDamagedParts(
  path: string,
  plan: MultipartPlan,
  stored: readonly StoredPart[],
  signal: AbortSignal,
): Promise<number[]> {
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const damaged: number[] = []
  await using file = await open(path, 'r')
  for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1) {
    const start = (partNumber - 1) * plan.partSizeBytes
    const end = Math.min(start + plan.partSizeBytes, plan.sizeBytes)
    const digest = await hashRange(file, start, end, signal)
    if (digest.toString('base64') !== storedByNumber.get(partNumber)?.checksumSha256)
      damaged.push(partNumber)
  }
  return damaged
}
