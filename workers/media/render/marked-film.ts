import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import { createPainter, createPlaneReader, frameOf, type Painter } from './draw.ts'
import { placesToTry } from './find-rate.ts'
import { keyFrameBefore, type SourcePicture } from './frames.ts'
import type { Film } from './make-film.ts'
import { makeMarkedPictures, picturesOfWhole } from './marked-pictures.ts'
import { drawMark } from './moving-mark.ts'
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
    samples: (picture, turn) => {
      const painter = createPainter({ size, matrix, turn })
      const seconds = Math.floor(drawing.lengthMs / 1000)
      return placesToTry(seconds, seconds).map((fromS) =>
        unmarkedPictures(picture, drawing, fromS, painter),
      )
    },
    encode: async ({ picture, maker, signal, onProgress }) => {
      const mark = await drawMark(jobs, drawing.mark, signal)
      if (!mark.ok) return mark
      const shape = { size, matrix, turn: await picture.track.getRotation() }
      const read = createPlaneReader(shape)
      const made = await makeMarkedPictures(drawing, {
        ...maker,
        open: (fromS) => picturesOfWhole(picture, drawing, fromS),
        paint: async ({ frame, shown }) => {
          const planes = await read({ frame, crop: undefined })
          mark.value.layOver(planes, shown.timestamp / 1e6)
          return frameOf(planes, shape, shown)
        },
        signal,
        onProgress,
      })
      return ok(made)
    },
  }
}

/** The pictures from about a time on without the mark, each the caller's to close. */
async function* unmarkedPictures(
  picture: SourcePicture,
  drawing: MarkedDrawing,
  fromS: number,
  painter: Painter,
): AsyncGenerator<VideoFrame, void, void> {
  const keyS = (await keyFrameBefore(picture, fromS)) ?? fromS
  for await (const { frame, shown } of picturesOfWhole(picture, drawing, Math.max(0, keyS)))
    yield await painter.plain(frame, undefined, shown)
}
