import type { PartChecksums } from '#server/object-store/s3/part-checksums.ts'

/** Signed checksums in memory. */
export function createMemoryPartChecksums(): PartChecksums {
  const uploads = new Map<string, Map<number, Set<string>>>()
  return {
    async add(uploadId, partNumber, checksumSha256) {
      const parts = uploads.get(uploadId) ?? new Map<number, Set<string>>()
      uploads.set(uploadId, parts)
      parts.set(partNumber, (parts.get(partNumber) ?? new Set()).add(checksumSha256))
    },
    seen: () => Promise.resolve(),
    list: async (uploadId) =>
      new Map(Array.from(uploads.get(uploadId) ?? [], ([n, signed]) => [n, [...signed]])),
  }
}
