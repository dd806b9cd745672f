import type { Clock } from '#src/lib/time.ts'

/** A line that all parts share, as a browser's sender sees it. */
export interface FakeNetwork {
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
export function createFakeNetwork(clock: Clock): {
  send(
    now: () => FakeNetwork,
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
        for (let arrived = 0, reported = 0; arrived < sizeBytes;) {
          await clock.sleep(STEP_MS, signal)
          const network = now()
          arrived +=
            Math.min(network.totalBytesPerMs / senders, network.connectionBytesPerMs ?? Infinity) *
            STEP_MS
          const block = network.blockBytes ?? 1
          const sent =
            arrived >= sizeBytes
              ? sizeBytes
              : Math.min(sizeBytes, Math.floor((arrived + network.bufferBytes) / block) * block)
          if (sent > reported) onSent(sent)
          reported = sent
        }
      } finally {
        senders -= 1
      }
    },
  }
}
