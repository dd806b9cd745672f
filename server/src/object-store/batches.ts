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
 * way holds two of them and what the socket has read: less than 1 MiB.
 */
const BATCH_BYTES = 384 * 1024

/**
 * A batch is written when it is this old, so that what is held of a part follows what has arrived
 * on a slow connection too. Clients look at it before they give a silent connection up.
 */
const BATCH_MS = 1_000

interface Batch {
  readonly chunks: Buffer[]
  bytes: number
  /** Writes it when it is old; null while it is empty. */
  timer: NodeJS.Timeout | null
}

/** A failed write stays `writing`, and its promise rejected. */
type Progress =
  | { readonly kind: 'idle'; readonly written: number }
  | { readonly kind: 'writing'; readonly done: Promise<number> }

/**
 * Frees the memory of a chunk now. The collector marks the whole heap for every 64 MiB of buffers
 * that wait for it, which took a third of the processor time of receiving parts. A chunk of a body
 * has its memory for itself; one that shares it stays as it is.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

const emptyBatch = (): Batch => ({ chunks: [], bytes: 0, timer: null })

/**
 * Makes the batches of one body. The chunks become empty when they are written. When `write` fails,
 * `take` or `end` throws, whichever comes next, and nothing is written after it.
 */
export function createBatches(write: WriteBatch): Batches {
  let batch = emptyBatch()
  let progress: Progress = { kind: 'idle', written: 0 }

  const start = (before: number): Promise<number> => {
    const { chunks, bytes, timer } = batch
    if (timer !== null) clearTimeout(timer)
    const done = write(chunks, bytes, before).then(() => {
      for (const chunk of chunks) giveBack(chunk)
      progress = { kind: 'idle', written: before + bytes }
      return before + bytes
    })
    done.catch(() => {}) // thrown to the next call
    progress = { kind: 'writing', done }
    batch = emptyBatch()
    return done
  }

  return {
    take(chunk) {
      batch.chunks.push(chunk)
      batch.bytes += chunk.length
      batch.timer ??= setTimeout(() => {
        // While the disk is busy, the next chunk or the end writes it.
        if (progress.kind === 'idle') void start(progress.written)
      }, BATCH_MS).unref()
      const isFull = batch.bytes >= BATCH_BYTES
      if (progress.kind === 'writing')
        return isFull ? progress.done.then((written) => void start(written)) : undefined
      if (isFull) void start(progress.written)
      return undefined
    },
    async end() {
      // More than once: a `take` that waits for the same write begins the next one.
      while (progress.kind === 'writing') await progress.done
      if (batch.bytes > 0) await start(progress.written)
    },
  }
}
