import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { MultipartPlan, ObjectStore } from '#server/object-store/port.ts'
import { createMemoryPartChecksums } from './part-checksums.ts'

/** One completed object of a bucket, in memory, which counts what is read of it. */
export interface StoredObject {
  readonly plan: MultipartPlan
  readonly store: Pick<ObjectStore, 'read' | 'isAway'>
  readonly checksums: ReturnType<typeof createMemoryPartChecksums>
  /** Which bytes were asked for, in order. */
  readonly reads: { readonly start: number; readonly end: number }[]
  /** Of all reads together. */
  readBytes(): number
  /** Replaces bytes of it, which are not those that were sent. */
  damage(at: number): void
  /** Each read waits for what this returns; undone by null. */
  holdReads(until: ((start: number) => Promise<void>) | null): void
}

/** The checksums of its parts are those of `bytes`. */
export async function createStoredObject(
  bytes: Buffer,
  partSizeBytes: number,
): Promise<StoredObject> {
  const stored = Buffer.from(bytes)
  const checksums = createMemoryPartChecksums()
  const reads: { start: number; end: number }[] = []
  let until: ((start: number) => Promise<void>) | null = null
  const partCount = Math.ceil(bytes.length / partSizeBytes)
  const sizeBytes = bytes.length
  const plan = { uploadId: 'upload', objectKey: 'uploads/it', sizeBytes, partSizeBytes, partCount }
  for (let n = 1; n <= partCount; n += 1) {
    const part = bytes.subarray((n - 1) * partSizeBytes, n * partSizeBytes)
    await checksums.add('upload', n, createHash('sha256').update(part).digest('base64'))
  }
  return {
    plan,
    checksums,
    reads,
    store: {
      isAway: () => Promise.resolve(false),
      async read(_key, range) {
        const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
        reads.push({ start, end: end + 1 })
        await until?.(start)
        return Readable.from([Buffer.from(stored.subarray(start, end + 1))])
      },
    },
    readBytes: () => reads.reduce((sum, { start, end }) => sum + end - start, 0),
    damage: (at) => void (stored[at] = ~(stored[at] ?? 0)),
    holdReads: (next) => (until = next),
  }
}
