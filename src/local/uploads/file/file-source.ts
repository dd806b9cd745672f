import { shownName } from '#recipes/shown-name.ts'
import type { ByteSource, BytesProblem } from '#src/local/uploads/ports.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/**
 * Reads a file in slices; uses `slice` only, never `stream()`. A read that returns fewer bytes than
 * requested means that the file changed: Chromium 156 (measured) returns empty slices without an
 * error for a file that was deleted before its size was first read.
 */
export function fileSource(file: File): ByteSource {
  return {
    sizeBytes: file.size,
    file: fileFacts(file),
    slice: (start, end) => file.slice(start, end),
    read: (start, end) => readWhole(file.slice(start, end), end - start),
  }
}

/** A file with these bytes, which stay where they are: nothing is read. */
export function fileOf({ file, sizeBytes, slice }: ByteSource): File {
  return new File([slice(0, sizeBytes)], file.name, {
    type: file.type,
    lastModified: file.lastModifiedEpochMs,
  })
}

/** The bytes of a slice, which must be this many, or why they cannot be read. */
export async function readWhole(
  slice: Blob,
  sizeBytes: number,
): Promise<Result<ArrayBuffer, BytesProblem>> {
  try {
    const bytes = await slice.arrayBuffer()
    return bytes.byteLength === sizeBytes ? ok(bytes) : err({ kind: 'changed' })
  } catch (thrown) {
    return err({ kind: nameOf(thrown) === 'NotFoundError' ? 'gone' : 'changed' })
  }
}

/** What is known of a file before it is read; its name as it is shown and sent. */
export function fileFacts(file: File): ByteSource['file'] {
  return {
    name: shownName(file.name),
    sizeBytes: file.size,
    lastModifiedEpochMs: file.lastModified,
    type: file.type,
  }
}

function nameOf(thrown: unknown): string | null {
  return thrown instanceof Error ? thrown.name : null
}
