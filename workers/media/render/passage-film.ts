import { createPainter, shownAt, type Painter } from './draw.ts'
import { PICTURES_TRIED, placesToTry } from './find-rate.ts'
import { keyFrameBefore, picturesOfPassage, type SourcePicture } from './frames.ts'
import { lengthMsOf } from './layout.ts'
import type { Film } from './make-film.ts'
import type { MoviePiece } from './mux.ts'
import type { PieceMaker } from './piece-maker.ts'
import { makeEditPictures, type PictureParts } from './render.ts'
import type { Drawing, DrawnPassage } from '#recipes/drawing.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { ok } from '#src/lib/result.ts'

/** An edit of passages; each is a piece of it. */
export function passageFilm(
  drawing: Drawing,
  source: SourceProbe,
  soundPlan: RecipePlan | null,
): Film {
  const { size, frameRate, matrix, passages } = drawing
  return {
    size,
    frameRate,
    clock: { matrix, rate: frameRate.value },
    drawing,
    soundPlan,
    open: (picture, turn) => {
      const painter = createPainter({ ...drawing, turn })
      return {
        samples: placesToTry(lengthMsOf(drawing) / 1000, passages.length)
          .flatMap((at) => passages[at] ?? [])
          .map((passage) => plainPictures(picture, source, { drawing, passage, painter })),
        encode: async ({ maker, signal, onProgress }) => {
          const made: MoviePiece[] = []
          await makeEditPictures(drawing, {
            open: (passage) => picturesOfPassage(picture, source, drawing, passage),
            painter,
            begin: ({ number }, place) =>
              beginPassage(maker, `passage-${number}`, place / frameRate.value, made),
            signal,
            onProgress,
          })
          return ok(made)
        },
      }
    },
  }
}

/** Null where the passage is kept; adds it to what is made, then or when it is finished. */
async function beginPassage(
  maker: PieceMaker,
  name: string,
  startS: number,
  made: MoviePiece[],
): ReturnType<PictureParts['begin']> {
  const before = await maker.kept(name)
  if (before !== null) {
    made.push(before)
    return null
  }
  const piece = await maker.begin(name, startS)
  return {
    ...piece,
    finish: async (progress) => {
      made.push(await piece.finish(progress))
    },
  }
}

/** Some pictures of a passage without fades, each the caller's to close. */
async function* plainPictures(
  picture: SourcePicture,
  source: SourceProbe,
  {
    drawing,
    passage,
    painter,
  }: {
    readonly drawing: Drawing
    readonly passage: DrawnPassage
    readonly painter: Painter
  },
): AsyncGenerator<VideoFrame, void, void> {
  const { value: rate } = drawing.frameRate
  const frames = Math.min(passage.frames, PICTURES_TRIED)
  const lastS = passage.startMs / 1000 + (passage.frames - frames - 1) / rate
  const keyS = await keyFrameBefore(picture, lastS)
  // A passage begins at the nearest picture, so never before the key frame.
  const keyMs = keyS === null ? 0 : (keyS + 1 / rate) * 1000
  const part = { ...passage, frames, startMs: Math.max(passage.startMs, keyMs) }
  for await (const frame of picturesOfPassage(picture, source, drawing, part))
    yield await painter.plain(frame, passage.crop, shownAt(0, drawing))
}
