import type { UploadRow } from '#server/db/rows.ts'

/** Largest file in one part; S3's own limit for one PUT (S3 user guide, read 2026-11-21). */
export const MAX_SINGLE_PART_BYTES = 5 * 1024 ** 3
/** S3: parts 1 to 10,000, each at least 5 MiB but the last. */
export const MAX_PARTS = 10_000
/** Part URLs live this long; `GET` gives fresh ones. */
export const PART_URL_LIFE_S = 3600
/** Missing parts that an answer about an upload lists: enough for minutes on most networks. */
export const MAX_LISTED_MISSING_PARTS = 50
/** Unfinished uploads of one user at a time. */
export const MAX_OPEN_UPLOADS = 20

/** How a file is cut: every part has `partSizeBytes` but the last, which has the rest. */
interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/**
 * Plans the parts of a file of `sizeBytes` (at least 1): `wantedPartBytes` each, more where 10,000
 * of them would not hold the file; one part for the single-part method and for small files.
 */
export function planParts(
  provider: UploadRow['provider'],
  sizeBytes: number,
  wantedPartBytes: number,
): PartPlan {
  if (provider === 's3-singlepart' || sizeBytes <= wantedPartBytes)
    return { partSizeBytes: sizeBytes, partCount: 1 }
  const mebibyte = 1024 ** 2
  const leastBytes = Math.ceil(sizeBytes / MAX_PARTS)
  const partSizeBytes =
    leastBytes <= wantedPartBytes ? wantedPartBytes : Math.ceil(leastBytes / mebibyte) * mebibyte
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) }
}
