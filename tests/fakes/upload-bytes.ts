import type { ByteSource, BytesProblem, UploadBytes } from '#src/local/uploads/ports.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/** A slice whose bytes can be read at once, so that simulated time needs no real waiting. */
export class MemoryBlob extends Blob {
  readonly content: Uint8Array<ArrayBuffer>
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes])
    this.content = bytes
  }
  override slice(start = 0, end = this.content.length): MemoryBlob {
    return new MemoryBlob(this.content.slice(start, end))
  }
}

/** A file on the disk of the test; `problem` makes it unreadable. */
export interface FakeFile {
  readonly name: string
  bytes: Uint8Array<ArrayBuffer>
  /** When it was changed last; 0 by default. */
  modifiedEpochMs?: number
  problem: BytesProblem | null
}

export function createFakeFile(name: string, sizeBytes: number, seed = 1): FakeFile {
  return {
    name,
    bytes: Uint8Array.from(
      { length: sizeBytes },
      (_, index) => (index * 31 + seed * 17 + (index >> 8)) & 255,
    ),
    problem: null,
  }
}

export function fakeSource(file: FakeFile): ByteSource {
  return {
    sizeBytes: file.bytes.byteLength,
    file: {
      name: file.name,
      sizeBytes: file.bytes.byteLength,
      lastModifiedEpochMs: file.modifiedEpochMs ?? 0,
      type: 'video/mp4',
    },
    slice: (start, end) => new MemoryBlob(file.bytes.slice(start, end)),
    read: (start, end): Promise<Result<ArrayBuffer, BytesProblem>> => {
      if (file.problem !== null) return Promise.resolve(err(file.problem))
      const bytes = file.bytes.slice(start, end)
      return Promise.resolve(
        bytes.byteLength === end - start ? ok(bytes.buffer) : err({ kind: 'changed' }),
      )
    },
  }
}

/** What is sent of a file, of which a trim was made; other files stay as they are. */
function sentFake(row: UploadRow, file: FakeFile, cut: ComposedFile | undefined): FakeFile {
  if (cut === undefined || file.bytes.byteLength !== row.trim?.wholeSizeBytes) return file
  const parts = cut.ranges.map(({ start, end }) => file.bytes.subarray(start, end))
  return { ...file, bytes: new Uint8Array(Buffer.concat([cut.head, ...parts])) }
}

/**
 * The bytes of one context: what it has in memory, and what every context can read from `kept`
 * (copies and handles).
 * @param cuts heads and ranges of trims
 */
export function createFakeBytes(
  kept: ReadonlyMap<string, FakeFile>,
  cuts: ReadonlyMap<string, ComposedFile>,
): UploadBytes & { holdFake(uploadId: string, file: FakeFile): void } {
  const held = new Map<string, FakeFile>()
  return {
    hold: () => undefined,
    holdFake: (uploadId, file) => void held.set(uploadId, file),
    isHeld: (uploadId) => held.has(uploadId),
    letGo: (uploadId) => void held.delete(uploadId),
    keepCopy: () => Promise.resolve(),
    cutAgain: () => Promise.resolve(null),
    open: (row) => {
      const file = held.get(row.id) ?? kept.get(row.id)
      if (file === undefined) return Promise.resolve(err({ kind: 'no-handle' }))
      const sent = sentFake(row, file, cuts.get(row.id))
      return Promise.resolve(file.problem === null ? ok(fakeSource(sent)) : err(file.problem))
    },
  }
}
