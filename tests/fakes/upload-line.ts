import type { Clock } from '#src/lib/time.ts'

/** A line that all parts share, as a browser's sender sees it. */
export interface FakeLine {
  readonly totalBytesPerMs: number
  /** Null: one connection may fill the line. */
  readonly connectionBytesPerMs: number | null
  /** Taken at once by the system's buffers, per connection. */
  readonly bufferBytes: number
  /** Progress comes in steps of so many bytes, as by large buffers; 1 where it is left out. */
  readonly blockBytes?: number
}

/** Browsers tell progress this often. */
const STEP_MS = 100

/**
 * Sends `sizeBytes` over the line as it is at each moment, beside whatever else is on it; resolves
 * when the last byte has arrived. Rejects when aborted.
 */
export function createFakeLine(clock: Clock): {
  send(
    now: () => FakeLine,
    sizeBytes: number,
    onSent: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>
} {
  let senders = 0
  return {
    send: async (now, sizeBytes, onSent, signal) => {
      senders += 1
      try {
        for (let arrived = 0, told = 0; arrived < sizeBytes;) {
          await clock.sleep(STEP_MS, signal)
          const line = now()
          arrived +=
            Math.min(line.totalBytesPerMs / senders, line.connectionBytesPerMs ?? Infinity) *
            STEP_MS
          const block = line.blockBytes ?? 1
          const sent =
            arrived >= sizeBytes
              ? sizeBytes
              : Math.min(sizeBytes, Math.floor((arrived + line.bufferBytes) / block) * block)
          if (sent > told) onSent(sent)
          told = sent
        }
      } finally {
        senders -= 1
      }
    },
  }
}
