import type { ByteSource, BytesProblem } from './ports.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/**
 * A file as a source of slices. Only `slice`, never `stream()`. A read that gives fewer bytes than
 * asked means that the file changed: a file deleted before its size was first read gives empty
 * slices without any error (measured in Chromium 156).
 */
export function fileSource(file: File): ByteSource {
  return {
    sizeBytes: file.size,
    file: {
      name: file.name,
      sizeBytes: file.size,
      lastModifiedEpochMs: file.lastModified,
      type: file.type,
    },
    slice: (start, end) => file.slice(start, end),
    read: async (start, end): Promise<Result<ArrayBuffer, BytesProblem>> => {
      try {
        const bytes = await file.slice(start, end).arrayBuffer()
        return bytes.byteLength === end - start ? ok(bytes) : err({ kind: 'changed' })
      } catch (thrown) {
        return err({ kind: nameOf(thrown) === 'NotFoundError' ? 'gone' : 'changed' })
      }
    },
  }
}

function nameOf(thrown: unknown): string | null {
  return thrown instanceof Error ? thrown.name : null
}
