import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import { createPlaneReader, frameOf } from './draw.ts'
import { placesToTry } from './find-rate.ts'
import { keyFrameBefore, type SourcePicture } from './frames.ts'
import type { Film } from './make-film.ts'
import { makeMarkedPictures, picturesOfWhole, type TimedPicture } from './marked-pictures.ts'
import { drawMark, type MovingMark } from './moving-mark.ts'
import type { MarkedDrawing } from '#recipes/drawing.ts'
import { ok } from '#src/lib/result.ts'

/** Of the times of pictures in the server's files. */
const TICKS_PER_SECOND = 90_000

/** An edit of a whole video under a mark that moves; six seconds are a piece of it. */
export function markedFilm(drawing: MarkedDrawing, jobs: FfmpegJobs): Film {
  const { size, frameRate, matrix, sound } = drawing
  return {
    size,
    frameRate,
    clock: { matrix, rate: TICKS_PER_SECOND },
    drawing,
    soundPlan: sound,
    open: (picture, turn) => {
      const shape = { size, matrix, turn }
      const read = createPlaneReader(shape)
      const seconds = Math.floor(drawing.lengthMs / 1000)
      const paint = async ({ frame, shown }: TimedPicture, mark: MovingMark | null) => {
        const planes = await read({ frame, crop: undefined })
        mark?.layOver(planes, shown.timestamp / 1e6)
        return frameOf(planes, shape, shown)
      }
      return {
        samples: placesToTry(seconds, seconds).map((atS) =>
          unmarkedPictures(picture, drawing, atS, (shown) => paint(shown, null)),
        ),
        encode: async ({ maker, signal, onProgress }) => {
          const mark = await drawMark(jobs, drawing.mark, signal)
          if (!mark.ok) return mark
          const made = await makeMarkedPictures(drawing, {
            ...maker,
            open: (fromS) => picturesOfWhole(picture, drawing, fromS),
            paint: (shown) => paint(shown, mark.value),
            signal,
            onProgress,
          })
          return ok(made)
        },
      }
    },
  }
}

/** The pictures from about a time on without the mark, each the caller's to close. */
async function* unmarkedPictures(
  picture: SourcePicture,
  drawing: MarkedDrawing,
  atS: number,
  paint: (picture: TimedPicture) => Promise<VideoFrame>,
): AsyncGenerator<VideoFrame, void, void> {
  const keyS = (await keyFrameBefore(picture, atS)) ?? atS
  for await (const shown of picturesOfWhole(picture, drawing, Math.max(0, keyS)))
    yield await paint(shown)
}
