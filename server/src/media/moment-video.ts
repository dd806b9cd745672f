import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deliveryMp4, withoutTraces } from '#recipes/encoding.ts'
import { joinedPieces, type MovingPiece, type MovingStretch } from '#recipes/moment-video.ts'
import { listed } from '#recipes/passage-steps.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'
import { pathsIn, type RenderPlaces } from '#server/media/render-plan.ts'

/** What a moment board shows in motion, and where it lies in its video. */
export interface MomentVideo {
  /** In order of time; none touches another. Empty = there is no video. */
  readonly stretches: readonly MovingStretch[]
}

const LIST = 'moving.txt'
const NAME = 'moving.mp4'
/** A file without a picture has 262 bytes, the smallest with one 1,539. */
const EMPTY_BYTES = 600
/** Ten minutes at the highest rate are 30 MB. */
const MAX_BYTES = 64 << 20

/**
 * Joins the pieces that a search left in the folder, without encoding them again. Where that fails
 * there is no video. Rejects when aborted, and with the `ToolFault` of the machine.
 */
export async function joinMomentVideo(
  ffmpeg: Ffmpeg,
  pieces: readonly MovingPiece[],
  places: RenderPlaces,
  signal: AbortSignal,
): Promise<{ readonly video: MomentVideo; readonly path: string | null }> {
  const there = await filled(pieces, places.folder)
  const none = { video: { stretches: [] }, path: null }
  if (there.length === 0) return none
  const { list, stretches } = joinedPieces(there, LIST)
  await writeFile(join(places.folder, list.name), list.text)
  const end = await glance(ffmpeg, {
    inputs: [listed(LIST)],
    args: [
      '-map',
      '0:v',
      '-c',
      'copy',
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'scratch', name: NAME },
    ],
    pathOf: pathsIn(places),
    cwd: places.folder,
    signal,
    maxFileBytes: MAX_BYTES,
  })
  return end.ok ? { video: { stretches }, path: join(places.folder, NAME) } : none
}

/** A run also writes a file where its part has no picture. */
async function filled(
  pieces: readonly MovingPiece[],
  folder: string,
): Promise<readonly MovingPiece[]> {
  const sizes = await Promise.all(
    pieces.map(async ({ name }) => {
      const facts = await stat(join(folder, name)).catch(() => null)
      return facts?.size ?? 0
    }),
  )
  return pieces.filter((_, index) => (sizes[index] ?? 0) > EMPTY_BYTES)
}
