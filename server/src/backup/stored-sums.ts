import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { NamedFile } from './named-files.ts'

/** Compares a file with the checksums that rows have of it, while it is read. */
export interface StoredSums {
  take(chunk: Buffer): void
  /** What is wrong with the file, in words behind its key; null where nothing is known to be. */
  verdict(): string | null
}

/** For a file of which no row has a checksum, it finds nothing. */
export function compareSums({ crc32: stored, parts }: NamedFile): StoredSums {
  let sum = 0
  const ofParts = parts === null ? null : partSums(parts.sizeBytes)
  return {
    take(chunk) {
      if (stored !== null) sum = crc32(chunk, sum)
      ofParts?.take(chunk)
    },
    verdict() {
      if (stored !== null && sum !== stored) return 'is damaged on the server: its CRC-32 differs'
      const found = ofParts?.end() ?? []
      const damaged = (parts?.sums ?? []).flatMap((wanted, at) =>
        wanted === found[at] ? [] : [at + 1],
      )
      return damaged.length === 0
        ? null
        : `is damaged on the server: part ${damaged.join(', ')} of ${found.length}`
    },
  }
}

/** SHA-256 of each part, hex. */
function partSums(sizeBytes: number): { take(chunk: Buffer): void; end(): readonly string[] } {
  const sums: string[] = []
  let hash: Hash = createHash('sha256')
  let held = 0
  const close = (): void => {
    sums.push(hash.digest('hex'))
    hash = createHash('sha256')
    held = 0
  }
  return {
    take(chunk) {
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + sizeBytes - held)
        hash.update(piece)
        held += piece.length
        at += piece.length
        if (held === sizeBytes) close()
      }
    },
    end() {
      if (held > 0) close()
      return sums
    },
  }
}
