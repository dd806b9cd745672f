import type { ExcerptRow, UploadTrim } from '#src/local/db/rows.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { composedSource } from './composed-source.ts'
import { fingerprintOf } from './fingerprint.ts'
import { movieIndexOf } from './movie-index.ts'
import { filePlaces } from './trim.ts'
import type { Trim } from './trim-places.ts'

/** A trim of a file, with all that its upload keeps of it. */
export interface CutFile {
  readonly source: ByteSource
  readonly composed: ComposedFile
  readonly trim: UploadTrim
  /** Nothing is cut away. */
  readonly isWhole: boolean
}

/**
 * Cuts a stretch out of a file, as near as it can be cut; null where it cannot. The same file and
 * stretch give the same bytes, on every device.
 */
export async function cutFile(
  digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>,
  whole: ByteSource,
  wanted: Trim,
): Promise<CutFile | null> {
  const index = await movieIndexOf(whole)
  const places = index.ok ? filePlaces(index.value) : null
  const planned = places?.plan(wanted) ?? null
  if (places === null || planned === null) return null
  const fingerprint = await fingerprintOf(digest, whole)
  if (!fingerprint.ok) return null
  return {
    source: composedSource(whole, planned.file),
    composed: planned.file,
    trim: {
      ...planned.trim,
      wholeDurationMs: places.durationMs,
      wholeSizeBytes: whole.sizeBytes,
      wholeFingerprint: fingerprint.value,
    },
    isWhole: places.isWhole(wanted),
  }
}

/** The row that keeps a composed file. */
export function composedRow(
  uploadId: string,
  { head, ranges, sizeBytes }: ComposedFile,
): ExcerptRow {
  return { uploadId, head: new Uint8Array(head), ranges, sizeBytes }
}
