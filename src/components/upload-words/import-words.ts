import type { OpenUpload, ServerImport } from '#src/local/db/facts.ts'
import { lengthOf, partOfWhole, speedOf } from './sending-words.ts'

/** An import in words: what happens, and how far it is. */
export interface ImportWords {
  /** 'Importing from dropbox.com' */
  readonly title: string
  /** '3.1 of 25 GB - 42 Mbit/s' */
  readonly facts: string
  /** What it waits for and for how long; null while bytes come. */
  readonly advice: string | null
}

/** What is known of an import that the server makes. */
interface KnownImport {
  readonly open: Pick<OpenUpload, 'safeBytes'>
  readonly fetching: ServerImport
  readonly sizeBytes: number
  /** 0 where it is not known. */
  readonly bytesPerSecond: number
  readonly nowEpochMs: number
}

export function importWords(known: KnownImport): ImportWords {
  const { open, fetching, sizeBytes, bytesPerSecond, nowEpochMs } = known
  const { host, waitsFor, nextAttemptAtEpochMs } = fetching
  const done = partOfWhole(open.safeBytes, sizeBytes)
  const left = Math.max(0, (nextAttemptAtEpochMs ?? nowEpochMs) - nowEpochMs)
  const next =
    left === 0 ? 'It is tried again soon.' : `The next try is in ${lengthOf(left / 1000)}.`
  switch (waitsFor) {
    case null:
      return {
        title: `Importing from ${host}`,
        facts: bytesPerSecond > 0 ? `${done} - ${speedOf(bytesPerSecond)}` : done,
        advice: null,
      }
    case 'turn':
      return {
        title: `Waiting to import from ${host}`,
        facts: done,
        advice: 'It begins by itself, after the imports before it.',
      }
    case 'host':
      return {
        title: `${host} does not give the file right now`,
        facts: done,
        advice: `What has arrived is kept. ${next}`,
      }
    case 'space':
      return {
        title: 'The server has no space for this video right now',
        facts: done,
        advice: `What has arrived is kept. ${next}`,
      }
  }
}

/** Whole percent; 100 is never said before the server has the whole file. */
export function importPercent(safeBytes: number, sizeBytes: number): number {
  return sizeBytes <= 0 ? 0 : Math.min(99, Math.floor((safeBytes / sizeBytes) * 100))
}
