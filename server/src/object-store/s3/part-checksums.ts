/**
 * The checksums for which URLs of parts were signed. The store takes no other bytes under these
 * URLs, so that what it has of a part has one of them; Ceph does not say which.
 */
export interface PartChecksums {
  /** Remembers one, before its URL is given out. */
  add(uploadId: string, partNumber: number, checksumSha256: string): Promise<void>
  /** All of an upload, in base64, by the number of the part. */
  list(uploadId: string): Promise<ReadonlyMap<number, readonly string[]>>
}
