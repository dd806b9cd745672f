import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** How a file is read: all of it, or a stretch of it. */
export interface ReadPlace {
  readonly path: string
  readonly offset?: number
  readonly sizeBytes?: number
}

/** What a copied file is. */
export interface CopiedFile {
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
}

/** How a copy ends early, and who is told how far it is. */
export interface Copying {
  readonly signal: AbortSignal
  /** Sees all bytes, in their order. */
  readonly onChunk?: (chunk: Buffer) => void
}

const READ_BYTES = 1024 * 1024

/**
 * Copies a file, or a stretch of one, and hashes it on the way. The copy has its name once it is
 * whole and durable. Rejects with the reason of `signal`.
 * @param changedAtMs the time of the copy, by which it is known to be of the same version
 */
export async function copyFileWhole(
  from: ReadPlace,
  to: string,
  changedAtMs: number,
  { signal, onChunk }: Copying,
): Promise<CopiedFile> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const unfinished = `${to}.copying`
  const copied = hashing(onChunk)
  const target = createWriteStream(unfinished, { mode: 0o600, flush: true })
  await pipeline(openPlace(from), copied.pass, target, { signal })
  await utimes(unfinished, changedAtMs / 1000, changedAtMs / 1000)
  await rename(unfinished, to)
  return copied.result()
}

/** Writes a file into a place of another one, and hashes it on the way. */
export async function copyFileInto(
  from: string,
  file: FileHandle,
  offset: number,
  { signal, onChunk }: Copying,
): Promise<CopiedFile> {
  const copied = hashing(onChunk)
  await pipeline(
    openPlace({ path: from }),
    copied.pass,
    async (chunks: AsyncIterable<Buffer>) => {
      let at = offset
      for await (const chunk of chunks) {
        for (let done = 0; done < chunk.length;)
          done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten
        at += chunk.length
      }
    },
    { signal },
  )
  return copied.result()
}

/** What a file is, by reading it. */
export async function readWhole(
  from: ReadPlace,
  { signal, onChunk }: Copying,
): Promise<CopiedFile> {
  const copied = hashing(onChunk)
  await pipeline(
    openPlace(from),
    copied.pass,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const _chunk of chunks);
    },
    { signal },
  )
  return copied.result()
}

/** Size and time of a file, or null where it is not there. */
export async function factsOf(
  path: string,
): Promise<{ readonly sizeBytes: number; readonly changedAtMs: number } | null> {
  return await stat(path).then(
    ({ size, mtimeMs }) => ({ sizeBytes: size, changedAtMs: Math.round(mtimeMs) }),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}

/** Makes a written file, and the names in its folder, durable. */
export async function syncFile(path: string): Promise<void> {
  for (const place of [path, dirname(path)]) {
    await using file = await open(place, 'r')
    await file.sync()
  }
}

function openPlace({ path, offset = 0, sizeBytes }: ReadPlace) {
  const end = sizeBytes === undefined ? {} : { end: offset + sizeBytes - 1 }
  return createReadStream(path, { highWaterMark: READ_BYTES, start: offset, ...end })
}

function hashing(onChunk: Copying['onChunk']) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  return {
    async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk)
        sizeBytes += chunk.length
        onChunk?.(chunk)
        yield chunk
      }
    },
    result: (): CopiedFile => ({ sizeBytes, sha256: hash.digest('hex') }),
  }
}
