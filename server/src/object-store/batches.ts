/** Collects chunks and writes them in batches, one batch at a time. */
export interface Batches {
  /** Takes the next chunk; returns a promise while no more can be taken. */
  take(chunk: Buffer): Promise<void> | undefined
  /** Writes the rest. When it returns or throws, no write is under way. */
  end(): Promise<void>
}

/** Writes `chunks`, `bytes` long together, behind the `before` bytes of earlier batches. */
type WriteBatch = (chunks: Buffer[], bytes: number, before: number) => Promise<void>

/**
 * Bytes that are written at once. One batch is written while the next one arrives, so a part under
 * way holds two of them and what the socket has read: about 600 KiB.
 */
const BATCH_BYTES = 256 * 1024

/** A failed write stays `writing`, and its promise rejected. */
type Progress =
  | { readonly kind: 'idle'; readonly written: number }
  | { readonly kind: 'writing'; readonly done: Promise<number> }

/**
 * Makes the batches of one body. When `write` fails, `take` or `end` throws, whichever comes next,
 * and nothing is written after it.
 */
export function createBatches(write: WriteBatch): Batches {
  let batch: { chunks: Buffer[]; bytes: number } = { chunks: [], bytes: 0 }
  let progress: Progress = { kind: 'idle', written: 0 }

  const start = (before: number): Promise<number> => {
    const { chunks, bytes } = batch
    const done = write(chunks, bytes, before).then(() => {
      progress = { kind: 'idle', written: before + bytes }
      return before + bytes
    })
    done.catch(() => {}) // thrown to the next call
    progress = { kind: 'writing', done }
    batch = { chunks: [], bytes: 0 }
    return done
  }

  return {
    take(chunk) {
      batch.chunks.push(chunk)
      batch.bytes += chunk.length
      if (batch.bytes < BATCH_BYTES) return undefined
      if (progress.kind === 'writing') return progress.done.then((written) => void start(written))
      void start(progress.written)
      return undefined
    },
    async end() {
      // More than once: a `take` that waits for the same write begins the next one.
      while (progress.kind === 'writing') await progress.done
      if (batch.bytes > 0) await start(progress.written)
    },
  }
}
