import { createPainter, shownAt, type PictureTime } from './draw.ts'
import { startEncoder } from './encode.ts'
import { letGo, pictureInTime, picturesRead, type SourcePicture } from './frames.ts'
import { failureOf } from './make-job.ts'
import { joinMovie, startPiece } from './mux.ts'
import { provenEncoder } from './prove-encoder.ts'
import type { DrawnLoop, PlanInput, ReadPictures } from '#recipes/types.ts'

type Read = PlanInput & { readonly pictures: ReadPictures }

/**
 * [Note: loops] The clip of a GIF pack, by the browser's encoder: x264 without the assembly of a
 * processor took 12 to 17 s of the 28 s that a pack of full HD did. Its pictures are drawn here as
 * the step's filters draw them. Null where the browser has no encoder for it, and where a codec
 * gives up or decodes too few pictures: then the step makes it. Rejects when aborted, and where the
 * file cannot be read.
 */
export async function makeLoop(
  loop: DrawnLoop,
  picture: SourcePicture,
  read: Read,
  signal: AbortSignal,
  onOutputMs: (outputMs: number) => void,
): Promise<Blob | null> {
  const { size, frameRate, matrix } = loop
  const config = await provenEncoder(size, frameRate, signal)
  if (config === null) return null
  const clock = { matrix, rate: frameRate.value }
  const movie = await startPiece(clock, 0)
  const encoder = startEncoder(config, movie.addPicture, signal)
  try {
    for await (const { frame, shown } of framesOf(loop, picture, read, signal)) {
      await encoder.add(frame, shown.timestamp === 0)
      onOutputMs((shown.timestamp + shown.duration) / 1000)
    }
    await encoder.finish()
    return await joinMovie(clock, [{ startS: 0, movie: await movie.finish() }], null)
  } catch (thrown) {
    signal.throwIfAborted()
    if (failureOf(thrown).code !== 'make/codec-failed') throw thrown
    return null
  } finally {
    encoder.close()
    movie.cancel()
  }
}

/** The pictures of the loop, each the caller's to close. */
async function* framesOf(
  loop: DrawnLoop,
  picture: SourcePicture,
  read: Read,
  signal: AbortSignal,
): AsyncGenerator<{ readonly frame: VideoFrame; readonly shown: PictureTime }, void, void> {
  const { size, matrix, frames, fadeFrames } = loop
  const turn = await picture.track.getRotation()
  const painter = createPainter({ size, matrix, turn })
  const body = picturesRead(picture, read)
  // What the end fades into is read a second time: kept, it would be as large as 24 plain pictures.
  const head = picturesRead(picture, {
    ...read,
    pictures: { ...read.pictures, frames: fadeFrames },
  })
  try {
    for (let at = 0; at < frames; at += 1) {
      const frame = await pictureInTime(body, signal)
      const place = placeInLoop(loop, at)
      if (place === null) continue
      const shown = shownAt(place.number, loop)
      const own = { frame, crop: undefined }
      const drawn =
        place.share === null
          ? await painter.plain(frame, undefined, shown)
          : await painter.crossed(
              own,
              { ...own, frame: await pictureInTime(head, signal) },
              place.share,
              shown,
            )
      yield { frame: drawn, shown }
    }
  } finally {
    for (const pictures of [body, head]) letGo(pictures)
  }
}

/**
 * Which picture of the loop a picture of its passage is, and where the loop fades, how much of it
 * is left: the rest is the next picture from the beginning of the passage. Null where the loop
 * begins behind it.
 */
export function placeInLoop(
  { frames, fadeFrames, end }: Pick<DrawnLoop, 'frames' | 'fadeFrames' | 'end'>,
  at: number,
): { readonly number: number; readonly share: number | null } | null {
  if (at < fadeFrames) return null
  const faded = end === 'cut' ? -1 : at - (frames - fadeFrames)
  return { number: at - fadeFrames, share: faded < 0 ? null : 1 - faded / fadeFrames }
}
