import { GRAIN_LOOK, grainIn } from '#recipes/grain.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { grayPictures } from '#server/media/gray-pictures.ts'

/**
 * How much grain a video has ([Note: grain]), by three pictures at each of five places, one after
 * the other, so that only one is decoded at a time; null where none could be read. Rejects when
 * aborted and with the fault of the machine.
 */
export async function measureGrain(
  ffmpeg: Ffmpeg,
  check: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
): Promise<number | null> {
  return grainIn(await grayPictures(ffmpeg, check, source, GRAIN_LOOK))
}
