import { createHash } from 'node:crypto'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'

/**
 * The number and the SHA-256 (base64) of each part from the first to the last, in order, while
 * their bytes come. A part whose bytes end early has the hash of what came.
 */
export async function* hashParts(
  bytes: AsyncIterable<Buffer>,
  plan: MultipartPlan,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<readonly [partNumber: number, sha256: string]> {
  let partNumber = first
  let hash = createHash('sha256')
  let left = placeOfPart(plan, partNumber).sizeBytes
  const settle = (): readonly [number, string] => {
    const settled = [partNumber, hash.digest('base64')] as const
    partNumber += 1
    hash = createHash('sha256')
    left = partNumber <= last ? placeOfPart(plan, partNumber).sizeBytes : 0
    return settled
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length && partNumber <= last;) {
      const piece = chunk.subarray(at, at + left)
      hash.update(piece)
      at += piece.length
      left -= piece.length
      if (left === 0) yield settle()
    }
  }
  while (partNumber <= last) yield settle()
}
