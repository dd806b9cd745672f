import { createHash } from 'node:crypto'
import { mkdir, open, rename, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

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
  /** Sees all bytes, in their order; their memory is used again. */
  readonly onChunk?: (chunk: Buffer) => Promise<void> | void
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
  copying: Copying,
): Promise<CopiedFile> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const unfinished = `${to}.copying`
  const copied = await intoNewFile(from, unfinished, copying)
  await utimes(unfinished, changedAtMs / 1000, changedAtMs / 1000)
  await rename(unfinished, to)
  return copied
}

async function intoNewFile(from: ReadPlace, to: string, copying: Copying): Promise<CopiedFile> {
  await using file = await open(to, 'w', 0o600)
  const copied = await copyFileInto(from, file, 0, copying)
  await file.sync()
  return copied
}

/** Writes a file, or a stretch of one, into a place of another one, and hashes it on the way. */
export async function copyFileInto(
  from: ReadPlace,
  file: FileHandle,
  offset: number,
  copying: Copying,
): Promise<CopiedFile> {
  return await readThrough(from, copying, async (chunk, at) => {
    for (let done = 0; done < chunk.length;)
      done += (await file.write(chunk, done, chunk.length - done, offset + at + done)).bytesWritten
  })
}

/** What a file is, by reading it. */
export async function readWhole(from: ReadPlace, copying: Copying): Promise<CopiedFile> {
  return await readThrough(from, copying, () => Promise.resolve())
}

/** Reads into one piece of memory, which for many small files is a hundred times less of it. */
async function readThrough(
  { path, offset = 0, sizeBytes: wantedBytes }: ReadPlace,
  { signal, onChunk }: Copying,
  take: (chunk: Buffer, at: number) => Promise<void>,
): Promise<CopiedFile> {
  await using file = await open(path, 'r')
  const end = wantedBytes ?? (await file.stat()).size - offset
  const memory = Buffer.allocUnsafe(Math.max(1, Math.min(READ_BYTES, end)))
  const hash = createHash('sha256')
  let sizeBytes = 0
  while (sizeBytes < end) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(
      memory,
      0,
      Math.min(memory.length, end - sizeBytes),
      offset + sizeBytes,
    )
    if (bytesRead === 0) break
    const chunk = memory.subarray(0, bytesRead)
    hash.update(chunk)
    await onChunk?.(chunk)
    await take(chunk, sizeBytes)
    sizeBytes += bytesRead
  }
  return { sizeBytes, sha256: hash.digest('hex') }
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
