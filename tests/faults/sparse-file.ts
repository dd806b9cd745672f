import { createHash, randomFillSync } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { makeClip } from '#tests/setup/media.ts'

/**
 * A playable MP4 or MKV of `sizeBytes` that takes a few MB on disk: a clip, then a `free` box
 * (ISO/IEC 14496-12, with a 64-bit size), or an element `Void`, that is a hole except for its
 * random last `tailBytes`.
 */
export async function makeSparseVideo(
  path: string,
  sizeBytes: number,
  tailBytes: number,
  clip = { seconds: 20, size: '1280x720' },
): Promise<void> {
  await makeClip(path, clip.seconds, { size: clip.size })
  const clipBytes = (await stat(path)).size
  const header = Buffer.alloc(16)
  if (path.endsWith('.mkv')) {
    header.writeUInt8(0xec)
    header.writeBigUInt64BE(BigInt(sizeBytes - clipBytes - 9) + 2n ** 56n, 1)
  } else {
    header.writeUInt32BE(1)
    header.write('free', 4, 'latin1')
    header.writeBigUInt64BE(BigInt(sizeBytes - clipBytes), 8)
  }
  await using file = await open(path, 'r+')
  await file.write(header, 0, header.length, clipBytes)
  await file.truncate(sizeBytes)
  await file.write(randomFillSync(Buffer.alloc(tailBytes)), 0, tailBytes, sizeBytes - tailBytes)
}

/** SHA-256 (hex) of the bytes [start, end) of a file. */
export async function sha256OfRange(path: string, start: number, end: number): Promise<string> {
  await using file = await open(path, 'r')
  const bytes = Buffer.alloc(end - start)
  await file.read(bytes, 0, bytes.length, start)
  return createHash('sha256').update(bytes).digest('hex')
}
