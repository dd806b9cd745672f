import type { OpenUpload, ServerImport } from '#src/local/db/facts.ts'
import { secondsLeft, type Rate } from '#src/local/uploads/network/rate.ts'
import {
  shortLengthWords,
  partOfWhole,
  speedOf,
} from '#src/components/upload-words/sending-words.ts'

/** An import in words: what happens, and how far it is. */
export interface ImportWords {
  /** 'Importing from dropbox.com' */
  readonly title: string
  /** '3.1 of 25 GB - 42 Mbit/s - about 1 h 10 min', as far as it is known */
  readonly facts: string
  /** What it waits for and for how long; null while bytes come. */
  readonly advice: string | null
}

/** What is known of an import that the server makes. */
interface KnownImport {
  readonly open: Pick<OpenUpload, 'safeBytes'>
  readonly fetching: ServerImport
  readonly sizeBytes: number
  readonly rate: Rate
  readonly nowEpochMs: number
}

export function importWords(known: KnownImport): ImportWords {
  const { open, fetching, sizeBytes, rate, nowEpochMs } = known
  const { host, waitsFor, nextAttemptAtEpochMs } = fetching
  const done = partOfWhole(open.safeBytes, sizeBytes)
  const left = Math.max(0, (nextAttemptAtEpochMs ?? nowEpochMs) - nowEpochMs)
  const next =
    left === 0 ? 'It is tried again soon.' : `The next try is in ${shortLengthWords(left / 1000)}.`
  switch (waitsFor) {
    case null:
      return {
        title: `Importing from ${host}`,
        facts: [done, ...paceOf(rate, sizeBytes - open.safeBytes)].join(' - '),
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
    case 'link':
      return {
        title: 'This link has expired. Please choose the file again.',
        facts: done,
        advice:
          fetching.provider === 'google-drive-picker-single-file'
            ? 'What has arrived is kept for 7 days. Once it is chosen again, the import goes on from there.'
            : 'What has arrived is kept for 7 days. With a new link, the import goes on from there.',
      }
    case 'sign-in':
      return {
        title: 'Please reconnect your Google account first...',
        facts: done,
        advice:
          'What has arrived is kept for 7 days. Once the drive is connected, the import goes on by itself.',
      }
    case 'space':
      return {
        title: 'The server has no space for this video right now',
        facts: done,
        advice: `What has arrived is kept. ${next}`,
      }
  }
}

/** Speed and time left; nothing of what too few answers have shown. */
function paceOf(rate: Rate, restBytes: number): readonly string[] {
  if (rate.bytesPerSecond <= 0) return []
  const left = secondsLeft(rate, restBytes)
  return [
    speedOf(rate.bytesPerSecond),
    ...(left === null ? [] : [`about ${shortLengthWords(left)}`]),
  ]
}

/** Whole percent; 100 is never said before the server has the whole file. */
export function importPercent(safeBytes: number, sizeBytes: number): number {
  return sizeBytes <= 0 ? 0 : Math.min(99, Math.floor((safeBytes / sizeBytes) * 100))
}
