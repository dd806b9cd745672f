import type { Clock } from '#src/lib/time.ts'

/** A network that all parts share, as a browser's transport sees it. */
export interface FakeNetwork {
  readonly totalBytesPerMs: number
  /** Null: one connection may use the whole network. */
  readonly connectionBytesPerMs: number | null
  /** Taken at once by the system's buffers, per connection. */
  readonly bufferBytes: number
  /** Progress comes in steps of this many bytes, as with large buffers; 1 by default. */
  readonly blockBytes?: number
}

/** Browsers report progress this often. */
const STEP_MS = 100

/**
 * Sends `sizeBytes` over the network with its speed of each moment, beside whatever else is being
 * sent; resolves when the last byte has arrived. Rejects when aborted.
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
