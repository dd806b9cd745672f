import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync, closeSync } from 'node:fs'
import type { PartLedger } from '#server/object-store/part-ledger.ts'
import type { StoredPart } from '#server/object-store/port.ts'

/**
 * A ledger in memory, each upload of a user of its own; `close` makes an upload stop taking parts,
 * as completion and abort do.
 */
export function createMemoryPartLedger(): PartLedger & { close(uploadId: string): void } {
  const rows = new Map<string, Map<number, StoredPart>>()
  const closed = new Set<string>()
  const of = (uploadId: string): Map<number, StoredPart> => {
    const parts = rows.get(uploadId) ?? new Map<number, StoredPart>()
    rows.set(uploadId, parts)
    return parts
  }
  return {
    close: (uploadId) => void closed.add(uploadId),
    list: async (uploadId) =>
      [...of(uploadId).values()].sort((a, b) => a.partNumber - b.partNumber),
    look: async (uploadId, partNumber) => {
      if (closed.has(uploadId)) return { kind: 'ended' }
      const part = of(uploadId).get(partNumber)
      if (part === undefined) return { kind: 'missing', userId: uploadId }
      const checksumSha256 = Buffer.from(part.eTag, 'hex').toString('base64')
      return { kind: 'stored', userId: uploadId, eTag: part.eTag, checksumSha256 }
    },
    forget: async (uploadId, partNumber) => {
      of(uploadId).delete(partNumber)
      return !closed.has(uploadId)
    },
    record: async (uploadId, part) => {
      if (closed.has(uploadId)) return false
      of(uploadId).set(part.partNumber, part)
      return true
    },
  }
}

/** A ledger that survives the end of its process: one synced line for each event. */
export function createJournalPartLedger(path: string): PartLedger {
  const memory = createMemoryPartLedger()
  const write = (line: unknown): void => {
    appendFileSync(path, `${JSON.stringify(line)}\n`)
    const file = openSync(path, 'r')
    fsyncSync(file)
    closeSync(file)
  }
  const ready = (async () => {
    const lines = existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line.endsWith('}'))
      : []
    for (const line of lines) {
      const event = JSON.parse(line) as { uploadId: string; forget?: number; record?: StoredPart }
      if (event.forget !== undefined) await memory.forget(event.uploadId, event.forget)
      if (event.record !== undefined) await memory.record(event.uploadId, event.record)
    }
  })()
  return {
    list: async (uploadId) => (await ready, await memory.list(uploadId)),
    look: async (uploadId, partNumber) => (await ready, await memory.look(uploadId, partNumber)),
    forget: async (uploadId, partNumber) => {
      await ready
      write({ uploadId, forget: partNumber })
      return await memory.forget(uploadId, partNumber)
    },
    record: async (uploadId, part) => {
      await ready
      write({ uploadId, record: part })
      return await memory.record(uploadId, part)
    },
  }
}
