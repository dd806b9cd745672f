import type { UploadStore } from '#src/local/uploads/ports.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'

/** The rows of this device, shared by all contexts; they survive crashes. */
export interface FakeDisk {
  readonly rows: Map<string, UploadRow>
  readonly parts: Map<string, Map<number, UploadPartRow>>
  readonly dropped: Set<string>
  /** Writes of parts and rows reject while true, as with a full disk. */
  isFull: boolean
  readonly listeners: Set<() => void>
}

export function createFakeDisk(): FakeDisk {
  return {
    rows: new Map(),
    parts: new Map(),
    dropped: new Set(),
    isFull: false,
    listeners: new Set(),
  }
}

/**
 * One context's access to the disk. After `isDead()` nothing is written and nothing answers, as in
 * a killed process. Obeys the rules of tests/suites/upload-store.ts.
 */
export function createFakeStore(disk: FakeDisk, isDead: () => boolean): UploadStore {
  const never = new Promise<never>(() => undefined)
  const read = async <T>(value: () => T): Promise<T> => {
    await Promise.resolve()
    return isDead() ? never : value()
  }
  const write = <T>(change: () => T): Promise<T> =>
    read(() => {
      if (disk.isFull) throw new DOMException('no space', 'QuotaExceededError')
      const result = change()
      for (const listener of Array.from(disk.listeners)) listener()
      return result
    })
  const partsOf = (uploadId: string): Map<number, UploadPartRow> => {
    const parts = disk.parts.get(uploadId) ?? new Map<number, UploadPartRow>()
    disk.parts.set(uploadId, parts)
    return parts
  }
  const guarded = (
    uploadId: string,
    epoch: number,
    work: (row: UploadRow) => UploadRow,
  ): Promise<UploadRow | null> =>
    write(() => {
      const row = disk.rows.get(uploadId)
      if (row === undefined || row.epoch !== epoch) return null
      const next = work(row)
      disk.rows.set(uploadId, next)
      return next
    })
  const subscribe = (notify: () => void): (() => void) => {
    const soon = (): void => {
      queueMicrotask(() => {
        if (!isDead() && disk.listeners.has(soon)) notify()
      })
    }
    disk.listeners.add(soon)
    soon()
    return () => void disk.listeners.delete(soon)
  }
  return {
    list: () => read(() => Array.from(disk.rows.values())),
    read: (uploadId) => read(() => disk.rows.get(uploadId) ?? null),
    change: (uploadId, epoch, change) =>
      write(() => {
        const stored = disk.rows.get(uploadId)
        if (stored === undefined || (epoch !== null && stored.epoch !== epoch)) return null
        const row =
          epoch === null && stored.plan !== null
            ? {
                ...stored,
                safeBytes: Math.max(stored.safeBytes, sumOf(partsOf(uploadId).values())),
              }
            : stored
        const next = change(row)
        if (next === row) return row
        if (row.plan !== null && next.plan === null) partsOf(uploadId).clear()
        disk.rows.set(uploadId, next)
        return next
      }),
    parts: (uploadId) => read(() => Array.from(partsOf(uploadId).values())),
    putPart: (epoch, part, safeBytes) =>
      guarded(part.uploadId, epoch, (row) => {
        partsOf(part.uploadId).set(part.partNumber, part)
        return safeBytes === null
          ? row
          : {
              ...row,
              safeBytes: Math.max(row.safeBytes, safeBytes),
              updatedAtEpochMs: part.safeAtEpochMs,
            }
      }),
    replaceParts: (uploadId, epoch, parts) =>
      guarded(uploadId, epoch, (row) => {
        disk.parts.set(uploadId, new Map(parts.map((part) => [part.partNumber, part])))
        return { ...row, safeBytes: sumOf(parts) }
      }),
    dropBytes: (uploadId) =>
      write(() => {
        disk.dropped.add(uploadId)
        disk.parts.delete(uploadId)
      }),
    remove: (uploadId) =>
      write(() => {
        const excerpts = Array.from(disk.rows.values()).filter(
          ({ excerpt }) => excerpt?.uploadId === uploadId,
        )
        for (const id of [uploadId, ...excerpts.map((row) => row.id)]) {
          disk.rows.delete(id)
          disk.parts.delete(id)
        }
      }),
    watch: (uploadId, listener) => subscribe(() => listener(disk.rows.get(uploadId) ?? null)),
    watchAll: (listener) => subscribe(() => listener(Array.from(disk.rows.keys()))),
  }
}

function sumOf(parts: Iterable<UploadPartRow>): number {
  return Array.from(parts).reduce((sum, part) => sum + part.sizeBytes, 0)
}
