import { agoWords } from '#src/lib/time-words.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import type { OpenUpload } from '#src/local/db/facts.ts'
import { partOfWhole } from './sending-words.ts'

/** How far an upload is that this device does not hold, in sentences. */
export interface ElsewhereWords {
  /** '3.1 of 25 GB is safe. The last part arrived about 2 hours ago.' */
  readonly facts: string
  /** Said before a person goes on here with what is being sent elsewhere; null when it is not. */
  readonly warning: string | null
}

/** @param open as the server last said; its time is by this device's clock */
export function elsewhereWords(
  open: OpenUpload,
  sizeBytes: number,
  nowEpochMs: number,
): ElsewhereWords {
  const { safeBytes, lastReceivedAtEpochMs } = open
  if (safeBytes === 0) return { facts: 'Nothing has arrived yet.', warning: null }
  const safe = `${partOfWhole(safeBytes, sizeBytes)} is safe.`
  if (lastReceivedAtEpochMs === null) return { facts: safe, warning: null }
  const agoMs = Math.max(0, nowEpochMs - lastReceivedAtEpochMs)
  return {
    facts: `${safe} The last part arrived ${agoWords(agoMs)}.`,
    warning:
      agoMs < MINUTE_MS
        ? 'Another device or browser may be sending this file right now. You can leave it to that one. If you continue here, some of it may be sent twice.'
        : null,
  }
}
