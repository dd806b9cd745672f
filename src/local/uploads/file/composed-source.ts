import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { countWhile } from '#checks/movie/sample-tables.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { readWhole } from './file-source.ts'

/**
 * The bytes of a composed file, which is nowhere as a file: its head is in memory, and slices of
 * the whole are put together by reference. It has the name and the time of the whole.
 */
export function composedSource(
  whole: ByteSource,
  { head, ranges, sizeBytes }: ComposedFile,
): ByteSource {
  const starts = [head.byteLength]
  for (const { start, end } of ranges) starts.push((starts.at(-1) ?? 0) + end - start)
  const slice = (start: number, end: number): Blob => {
    const parts: (Blob | Uint8Array<ArrayBuffer>)[] = []
    if (start < head.byteLength) parts.push(head.slice(start, Math.min(end, head.byteLength)))
    for (let range = firstBehind(starts, start); range < ranges.length; range += 1) {
      const from = starts[range] ?? 0
      const { start: first = 0, end: last = 0 } = ranges[range] ?? {}
      if (from >= end) break
      parts.push(whole.slice(first + Math.max(0, start - from), Math.min(last, first + end - from)))
    }
    return new Blob(parts, { type: whole.file.type })
  }
  return {
    sizeBytes,
    file: { ...whole.file, sizeBytes },
    slice,
    read: (start, end) => readWhole(slice(start, end), end - start),
  }
}

/** The first range that ends behind a place; `starts` has one more entry, which is the end. */
function firstBehind(starts: readonly number[], place: number): number {
  return countWhile(starts.length - 1, (range) => (starts[range + 1] ?? Infinity) <= place)
}
