import { open, type FileHandle } from 'node:fs/promises'
import { boxesWithin, type ReadBytes } from '#checks/boxes.ts'
import { immersiveBoxes } from '#checks/immersive.ts'
import type { PictureTrack } from '#checks/picture-track.ts'
import { readPictureTracks } from '#checks/picture-tracks.ts'
import { withIndexChanged } from '#server/media/movie-index.ts'

/** Moved at a time. */
const BLOCK_BYTES = 8 * 1024 ** 2
const MAX_TOP_BOXES = 64

/**
 * Writes into a finished MP4 how its picture is meant to be looked at ([Note: immersive pictures]
 * in checks), as a track of the source says it; nothing where it says nothing. The file grows by a
 * few hundred bytes, or by the mesh of the source. Throws where the MP4 has no index with a
 * picture.
 * @param output ours: written by ffmpeg in a folder of this attempt, so a half moved one is thrown
 *   away with it
 */
export async function keepImmersive(
  source: string,
  output: string,
  track: number,
  signal: AbortSignal,
): Promise<void> {
  const tracks = await pictureTracksOf(source)
  const immersive = tracks.find(({ id }) => id === track)?.immersive ?? null
  if (immersive === null) return
  await using file = await open(output, 'r+')
  const { size } = await file.stat()
  const read = reader(file, size)
  const top = await boxesWithin(read, 0, size, MAX_TOP_BOXES)
  const index = top.find(({ type }) => type === 'moov')
  if (index === undefined) throw new Error('A finished video has no index')
  const changed = withIndexChanged(
    await read(index.start, index.end),
    index.end,
    immersiveBoxes(immersive),
  )
  await moveTail(file, index.end, size, changed.byteLength - (index.end - index.start), signal)
  await writeAll(file, changed, index.start)
}

/** The video tracks of a stored file. */
export async function pictureTracksOf(path: string): Promise<readonly PictureTrack[]> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  return await readPictureTracks(reader(file, size), size)
}

function reader(file: FileHandle, size: number): ReadBytes {
  return async (start, end) => {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start))
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, start)
    return bytes.subarray(0, bytesRead)
  }
}

/**
 * What is behind an offset, moved further back. It begins at the end, so that nothing is written
 * over.
 */
async function moveTail(
  file: FileHandle,
  from: number,
  size: number,
  by: number,
  signal: AbortSignal,
): Promise<void> {
  const read = reader(file, size)
  for (let end = size; end > from; end -= BLOCK_BYTES) {
    signal.throwIfAborted()
    const start = Math.max(from, end - BLOCK_BYTES)
    await writeAll(file, await read(start, end), start + by)
  }
}

/** The system may take less at a time than it is given. */
async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;)
    done += (await file.write(bytes, done, bytes.byteLength - done, at + done)).bytesWritten
}
