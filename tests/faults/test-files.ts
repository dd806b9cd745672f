import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { makeClip } from '#tests/setup/media.ts'

/** A file that a test uploads. */
export interface TestFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

const CHUNK_BYTES = 8 * 1024 * 1024

/** The largest clip that fits: its picture, its length, and the least size of the file. */
const CLIPS = [
  { size: '1280x720', seconds: 20, fromBytes: 20_000_000 },
  { size: '320x180', seconds: 4, fromBytes: 4_000_000 },
  { size: '160x90', seconds: 2, fromBytes: 150_000 },
] as const

/**
 * Writes a playable MP4 of exactly `sizeBytes` (150 kB to 4 GiB): a clip, then a `free` box of
 * random bytes, so that no two parts are alike.
 */
export async function makeVideoFile(path: string, sizeBytes: number): Promise<TestFile> {
  const clip = CLIPS.find(({ fromBytes }) => sizeBytes >= fromBytes)
  if (clip === undefined) throw new RangeError(`no clip fits into ${sizeBytes} bytes`)
  await makeClip(path, clip.seconds, { size: clip.size })
  const clipBytes = (await stat(path)).size
  await using file = await open(path, 'a')
  const box = Buffer.alloc(8)
  box.writeUInt32BE(sizeBytes - clipBytes)
  box.write('free', 4, 'latin1')
  await file.write(box)
  const random = Buffer.alloc(CHUNK_BYTES)
  for (let left = sizeBytes - clipBytes - box.length; left > 0; left -= CHUNK_BYTES)
    await file.write(randomFillSync(random), 0, Math.min(CHUNK_BYTES, left))
  return { path, sizeBytes, sha256: await sha256OfFile(path) }
}

/** Of the whole file, hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
