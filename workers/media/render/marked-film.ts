import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import { createPlaneReader, frameOf } from './draw.ts'
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
