import { readFile, writeFile } from 'node:fs/promises'
import { keptClip } from '#tests/setup/kept.ts'
import { makeClip } from '#tests/setup/media.ts'

/** Where a movie says how long it is: in front, at the end, or spread all over (fragmented). */
export type IndexPlace = 'front' | 'end' | 'spread'

const CODEC = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-r',
  '10',
  '-g',
  '10',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
]
const FLAGS: Readonly<Record<IndexPlace, readonly string[]>> = {
  front: ['-movflags', '+faststart'],
  end: [],
  spread: ['-movflags', 'frag_keyframe+empty_moov'],
}

/**
 * Makes a small movie (its media fit into one part of 5 MiB) that takes several parts to upload:
 * `padBytes` of it are a box that players skip. Returns its bytes, also written to `path`.
 */
export async function makePaddedMovie(
  path: string,
  seconds: number,
  place: IndexPlace,
  padBytes: number,
): Promise<Buffer> {
  // Encoded once for all places.
  await makeClip(path, seconds, { size: '128x72', output: CODEC })
  const flags = ['-map_metadata', '-1', ...FLAGS[place]]
  const movie = await readFile(await keptClip('placed.mp4', ['-i', path, '-c', 'copy', ...flags]))
  const cutAt = place === 'end' ? movie.lastIndexOf('moov', undefined, 'latin1') - 4 : movie.length
  const bytes = Buffer.concat([movie.subarray(0, cutAt), freeBox(padBytes), movie.subarray(cutAt)])
  await writeFile(path, bytes)
  return bytes
}

/** A box of this size that a player skips (ISO/IEC 14496-12, 8.1.2). */
export function freeBox(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes)
  bytes.writeUInt32BE(sizeBytes)
  bytes.write('free', 4, 'latin1')
  return bytes
}
