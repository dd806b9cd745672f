import type { UploadRow } from '#src/local/db/rows.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { composedSource } from './composed-source.ts'
import { fingerprintOf } from './fingerprint.ts'

/**
 * What is sent of a file that was chosen: the file itself or, of an upload with a trim, the trim of
 * it. Null where the file is not the one that was trimmed; the trim itself is taken as it is. Reads
 * nothing where the time of the file is the same; what is sent is compared in any case.
 * @param trimmed head and ranges of the trim; undefined where they are gone
 */
export async function sentOf(
  digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>,
  { file, trim }: Pick<UploadRow, 'file' | 'trim'>,
  trimmed: ComposedFile | undefined,
  whole: ByteSource,
): Promise<ByteSource | null> {
  if (trim === undefined || whole.sizeBytes === file.sizeBytes) return whole
  if (trimmed === undefined || whole.sizeBytes !== trim.wholeSizeBytes) return null
  if (whole.file.lastModifiedEpochMs !== file.lastModifiedEpochMs) {
    const found = await fingerprintOf(digest, whole)
    const { head, tail } = trim.wholeFingerprint
    if (!found.ok || found.value.head !== head || found.value.tail !== tail) return null
  }
  return composedSource(whole, trimmed)
}
