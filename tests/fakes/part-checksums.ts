import type { PartChecksums } from '#server/object-store/s3/part-checksums.ts'

/** Signed checksums in memory. */
export function createMemoryPartChecksums(): PartChecksums {
  const uploads = new Map<string, Map<number, Set<string>>>()
  const stored = new Map<string, Set<number>>()
  return {
    async add(uploadId, partNumber, checksumSha256) {
      const parts = uploads.get(uploadId) ?? new Map<number, Set<string>>()
      uploads.set(uploadId, parts)
      parts.set(partNumber, (parts.get(partNumber) ?? new Set()).add(checksumSha256))
    },
    async seen(uploadId, parts) {
      const known = stored.get(uploadId) ?? new Set()
      stored.set(uploadId, known)
      for (const { partNumber } of parts) known.add(partNumber)
    },
    async firstUnseen(uploadId) {
      let first = 1
      while (stored.get(uploadId)?.has(first) === true) first += 1
      return first
    },
    list: async (uploadId, from = 1) =>
      new Map(
        Array.from(uploads.get(uploadId) ?? [], ([n, signed]) => [n, [...signed]] as const).filter(
          ([n]) => n >= from,
        ),
      ),
  }
}
