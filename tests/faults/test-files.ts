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

/** A clip of this size is 17 MB; smaller files get a smaller picture. */
const BIG_PICTURE_FROM_BYTES = 20_000_000

/**
 * Writes a playable MP4 of exactly `sizeBytes` (4 MB to 4 GiB): a clip, then a `free` box of random
 * bytes, so that no two parts are alike.
 */
export async function makeVideoFile(path: string, sizeBytes: number): Promise<TestFile> {
  await makeClip(path, 20, { size: sizeBytes < BIG_PICTURE_FROM_BYTES ? '320x180' : '1280x720' })
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
