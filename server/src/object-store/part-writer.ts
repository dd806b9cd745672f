import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Problem } from '#server/problems.ts'
import type { PartLedger } from './part-ledger.ts'
import type { PartGrant } from './part-url.ts'

/** One attempt to store a part. */
interface PartAttempt {
  readonly grant: PartGrant
  /** Exactly `grant.sizeBytes` bytes are expected. */
  readonly body: Readable
  /** Base64 of the SHA-256 the sender computed (`x-amz-checksum-sha256`), or null. */
  readonly checksumSha256: string | null
}

export interface PartWriter {
  /** Stores the part durably and returns its ETag, or throws a `Problem` with the reason. */
  write(attempt: PartAttempt): Promise<{ eTag: string }>
}

/** An attempt without a byte for this long is over. */
const PART_IDLE_MS = 60_000

/**
 * Writes parts at their place in the upload's file.
 *
 * [Note: one writer a part] A second attempt at a part ends the first (usually a dead connection
 * whose client has already given up), waits until it has let go of the file, and only then writes.
 * So the bytes of two attempts never mix, and the attempt that came last counts. This holds within
 * one process: one process serves the parts of a disk store.
 */
export function createPartWriter(deps: {
  fileOf: (uploadId: string) => string
  ledger: PartLedger
  idleMs?: number
}): PartWriter {
  const running = new Map<string, { controller: AbortController; done: Promise<unknown> }>()

  return {
    async write(attempt) {
      const key = `${attempt.grant.uploadId}/${attempt.grant.partNumber}`
      const previous = running.get(key)
      previous?.controller.abort(superseded())
      const controller = new AbortController()
      const work = (previous?.done ?? Promise.resolve())
        .catch(() => {})
        .then(async () => {
          controller.signal.throwIfAborted()
          return await store(deps, attempt, controller.signal)
        })
      const entry = { controller, done: work.catch(() => {}) }
      running.set(key, entry)
      try {
        return await work
      } finally {
        if (running.get(key) === entry) running.delete(key)
      }
    },
  }
}

async function store(
  deps: { fileOf: (uploadId: string) => string; ledger: PartLedger; idleMs?: number },
  { grant, body, checksumSha256 }: PartAttempt,
  signal: AbortSignal,
): Promise<{ eTag: string }> {
  // Opened before the row goes: when the file is not there (completed or aborted), nothing may be
  // forgotten.
  await using file = await open(deps.fileOf(grant.uploadId), 'r+').catch((error: unknown) => {
    if (isMissing(error)) throw noSuchUpload()
    throw error
  })
  if (!(await deps.ledger.forget(grant.uploadId, grant.partNumber))) throw noSuchUpload()

  const digest = await copyTo(file, chunksOf(body, signal, deps.idleMs ?? PART_IDLE_MS), grant)
  if (checksumSha256 !== null && checksumSha256 !== digest.toString('base64')) {
    throw new Problem('parts/damaged', 'This part was damaged in transit. It will be sent again.')
  }
  await file.datasync()
  signal.throwIfAborted()
  const eTag = digest.toString('hex')
  const isRecorded = await deps.ledger.record(grant.uploadId, {
    partNumber: grant.partNumber,
    eTag,
    sizeBytes: grant.sizeBytes,
    checksumSha256: digest.toString('base64'),
  })
  if (!isRecorded) throw noSuchUpload()
  return { eTag }
}

/** Bytes that are written at once; the next ones are received and hashed meanwhile. */
const BATCH_BYTES = 1024 * 1024

/**
 * Writes the chunks at the part's place and returns their SHA-256. When it returns or throws, no
 * write is under way.
 */
async function copyTo(
  file: FileHandle,
  chunks: AsyncIterable<Buffer>,
  grant: PartGrant,
): Promise<Buffer> {
  const hash = createHash('sha256')
  let writing: Promise<void> = Promise.resolve()
  let batch: Buffer[] = []
  let [received, batched] = [0, 0]
  const flush = async (): Promise<void> => {
    await writing
    writing = writeAll(file, batch, grant.offset + received - batched)
    writing.catch(() => {}) // it is awaited before the next batch, or at the end
    batch = []
    batched = 0
  }
  try {
    for await (const chunk of chunks) {
      received += chunk.length
      if (received > grant.sizeBytes) throw wrongSize(grant.sizeBytes)
      batch.push(chunk)
      batched += chunk.length
      hash.update(chunk)
      if (batched >= BATCH_BYTES) await flush()
    }
    if (received !== grant.sizeBytes) throw wrongSize(grant.sizeBytes)
    await flush()
    await writing
    return hash.digest()
  } finally {
    await writing.catch(() => {})
  }
}

/**
 * The body's chunks, ended early by `signal` or by silence; the body itself stays open, so that an
 * answer can be sent.
 */
async function* chunksOf(
  body: Readable,
  signal: AbortSignal,
  idleMs: number,
): AsyncGenerator<Buffer> {
  // An abort from before the first read calls no listener.
  signal.throwIfAborted()
  const chunks = body.iterator({ destroyOnReturn: false })
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => {})
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () =>
      reject(
        new Problem('parts/idle', 'The connection stalled. This part will be sent again.', {
          retryAfterS: 1,
        }),
      ),
    idleMs,
  )
  try {
    while (true) {
      const next: IteratorResult<unknown> = await Promise.race([chunks.next(), ended])
      if (next.done === true) return
      timer.refresh()
      yield next.value as Buffer // `body` has no encoding set: chunks are buffers
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    // Not awaited: it lets go of the body only after the chunk that is being waited for.
    chunks.return?.().catch(() => {})
  }
}

async function writeAll(
  file: FileHandle,
  batch: readonly Buffer[],
  position: number,
): Promise<void> {
  const total = batch.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await file.writev(batch, position)
  if (bytesWritten === total) return
  // Rare: a signal or a nearly full disk cut the write short.
  const rest = Buffer.concat(batch)
  for (let done = bytesWritten; done < total;)
    done += (await file.write(rest, done, total - done, position + done)).bytesWritten
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/**
 * The upload does not take parts: it was completed or cancelled. Trying again does not help: ask
 * the API for the upload's state.
 */
function noSuchUpload(): Problem {
  return new Problem('parts/upload-ended', 'This upload has ended.')
}

/** The body is not as long as the URL says. */
export function wrongSize(expected: number): Problem {
  return new Problem('parts/wrong-size', `This part must have exactly ${expected} bytes.`)
}

function superseded(): Problem {
  return new Problem('parts/superseded', 'A newer attempt at this part took over.', {
    retryAfterS: 1,
  })
}
