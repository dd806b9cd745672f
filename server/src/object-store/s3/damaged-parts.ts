import { createHash } from 'node:crypto'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'

interface Expected {
  readonly plan: MultipartPlan
  readonly checksums: ReadonlyMap<number, readonly string[]>
  readonly signal: AbortSignal
}

/**
 * Numbers of the parts of an object whose SHA-256 is none of those that they were sent with,
 * ascending; a part beyond its end counts. Reads the object once. Rejects with the reason of
 * `signal`.
 */
export async function findDamagedParts(
  object: AsyncIterable<Buffer>,
  { plan, checksums, signal }: Expected,
): Promise<number[]> {
  const damaged: number[] = []
  let partNumber = 1
  let hash = createHash('sha256')
  let left = placeOfPart(plan, partNumber).sizeBytes
  const settle = (): void => {
    const found = hash.digest('base64')
    if (checksums.get(partNumber)?.includes(found) !== true) damaged.push(partNumber)
    partNumber += 1
    hash = createHash('sha256')
    left = partNumber <= plan.partCount ? placeOfPart(plan, partNumber).sizeBytes : 0
  }
  signal.throwIfAborted()
  for await (const chunk of object) {
    signal.throwIfAborted()
    for (let at = 0; at < chunk.length && partNumber <= plan.partCount;) {
      const piece = chunk.subarray(at, at + left)
      hash.update(piece)
      at += piece.length
      left -= piece.length
      if (left === 0) settle()
    }
  }
  while (partNumber <= plan.partCount) settle()
  return damaged
}
