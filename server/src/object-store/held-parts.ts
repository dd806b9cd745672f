import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { HeldBytes } from './port.ts'

/** The beginning of a part that broke off: this many bytes of the part with this checksum. */
export interface Held {
  /** Base64 SHA-256 of the whole part; of a fetched one see [Note: fetched parts]. */
  readonly checksumSha256: string
  readonly bytes: number
}

/** What is held of one part. One attempt at a time may use it. */
export interface HeldRecord extends AsyncDisposable {
  /** Null when nothing is held. */
  read(): Promise<Held | null>
  /** Call it after the bytes are written. */
  write(held: Held): Promise<void>
  clear(): Promise<void>
}

const CHECKSUM_BYTES = 32
const RECORD_BYTES = CHECKSUM_BYTES + 8

/**
 * Opens the record of a part in the upload's held file, which is made when missing.
 *
 * [Note: held file] A record of 40 bytes for each part, at its number: the raw checksum, then the
 * bytes held as a 64-bit number; zeros where nothing is held. It is not synced: a killed process
 * loses nothing of it, and after a power cut it may say too much. That does no harm, since a part
 * that came in pieces is read back and hashed before it counts.
 */
export async function openHeldRecord(path: string, partNumber: number): Promise<HeldRecord> {
  const file = await openOrCreate(path)
  const position = (partNumber - 1) * RECORD_BYTES
  const put = async (record: Buffer): Promise<void> =>
    void (await file.write(record, 0, RECORD_BYTES, position))
  return {
    async read() {
      const record = Buffer.alloc(RECORD_BYTES)
      const { bytesRead } = await file.read(record, 0, RECORD_BYTES, position)
      return bytesRead === RECORD_BYTES ? parse(record) : null
    },
    async write({ checksumSha256, bytes }) {
      const record = Buffer.alloc(RECORD_BYTES)
      record.write(checksumSha256, 'base64')
      record.writeBigUInt64LE(BigInt(bytes), CHECKSUM_BYTES)
      await put(record)
    },
    clear: async () => await put(Buffer.alloc(RECORD_BYTES)),
    [Symbol.asyncDispose]: async () => await file.close(),
  }
}

/** What is held of an upload; nothing when there is no held file. */
export async function readHeldFile(path: string): Promise<HeldBytes> {
  const found = await openIfThere(path)
  if (found === null) return { parts: [], lastAt: null }
  await using file = found
  const [records, { mtime }] = [await file.readFile(), await file.stat()]
  const parts: HeldBytes['parts'][number][] = []
  for (let at = 0; at + RECORD_BYTES <= records.length; at += RECORD_BYTES) {
    const held = parse(records.subarray(at, at + RECORD_BYTES))
    if (held !== null) parts.push({ partNumber: at / RECORD_BYTES + 1, heldBytes: held.bytes })
  }
  return { parts, lastAt: parts.length === 0 ? null : mtime }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  return await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
}

function parse(record: Buffer): Held | null {
  const bytes = Number(record.readBigUInt64LE(CHECKSUM_BYTES))
  if (bytes === 0 || !Number.isSafeInteger(bytes)) return null
  return { checksumSha256: record.toString('base64', 0, CHECKSUM_BYTES), bytes }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  // Not "a+": appending ignores positions.
  return await open(path, 'r+').catch(async (error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    await mkdir(dirname(path), { recursive: true })
    await (await open(path, 'a')).close()
    return await open(path, 'r+')
  })
}
