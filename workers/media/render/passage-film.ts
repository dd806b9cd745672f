import { createPainter } from './draw.ts'
import { picturesOfPassage } from './frames.ts'
import type { Film } from './make-film.ts'
import type { MoviePiece } from './mux.ts'
import { makeEditPictures } from './render.ts'
import type { Drawing } from '#recipes/drawing.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { ok } from '#src/lib/result.ts'

/** An edit of passages; each is a piece of it. */
export function passageFilm(
  drawing: Drawing,
  source: SourceProbe,
  soundPlan: RecipePlan | null,
): Film {
  const { size, frameRate, matrix } = drawing
  return {
    size,
    frameRate,
    clock: { matrix, rate: frameRate.value },
    drawing,
    soundPlan,
    encode: async ({ picture, maker, signal, onProgress }) => {
      const turn = await picture.track.getRotation()
      const made: MoviePiece[] = []
      await makeEditPictures(drawing, {
        open: (passage) => picturesOfPassage(picture, source, drawing, passage),
        painter: createPainter({ ...drawing, turn }),
        begin: async ({ number }, place) => {
          const name = `passage-${number}`
          const before = await maker.kept(name)
          if (before !== null) {
            made.push(before)
            return null
          }
          const piece = await maker.begin(name, place / frameRate.value)
          return {
            ...piece,
            finish: async (progress) => {
              made.push(await piece.finish(progress))
            },
          }
        },
        signal,
        onProgress,
      })
      return ok(made)
    },
  }
}
