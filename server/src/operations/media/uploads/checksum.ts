import { createHash } from 'node:crypto'
import type { StoredPart } from '#server/object-store/port.ts'

/**
 * The checksum of a whole file as S3 composes it: base64 of the SHA-256 over the raw SHA-256
 * values of all parts in order, then `-` and their number (S3 user guide, "Checking object
 * integrity", read 2026-11-22). Null when the store does not know the checksum of a part.
 */
export function compositeChecksum(parts: readonly StoredPart[]): string | null {
  const hash = createHash('sha256')
  for (const { checksumSha256 } of parts) {
    if (checksumSha256 === null) return null
    hash.update(checksumSha256, 'base64')
  }
  return `${hash.digest('base64')}-${parts.length}`
}
