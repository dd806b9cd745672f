import type { PictureTime } from './draw.ts'
import { samplesFrom } from './few-at-once.ts'
import {
  DecoderFailed,
  decodedFrom,
  nextInTime,
  picturesInTurn,
  type SourcePicture,
} from './frames.ts'
import type { MoviePiece } from './mux.ts'
import type { PieceEncoder, PieceMaker } from './piece-maker.ts'
import type { MarkedDrawing } from '#recipes/drawing.ts'
import { framesIn } from '#recipes/passage-steps.ts'
import { pictureTurns } from '#recipes/picture-at.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

/** A picture of a whole video, and when the edit shows it. Good until the next one. */
export interface TimedPicture {
  readonly frame: VideoFrame
  readonly shown: PictureTime
}

type Pictures = AsyncGenerator<TimedPicture, void, void>

/** What the pictures of a whole video are made by. */
export interface MarkedParts extends Pick<PieceMaker, 'kept' | 'begin'> {
  /** All pictures that are shown from a time on. */
  readonly open: (fromS: number) => Pictures
  readonly paint: (picture: TimedPicture) => Promise<VideoFrame>
  readonly signal: AbortSignal
  readonly onProgress: (progress: MakeProgress) => void
}

/** How much of a video one piece has: three times what lies between two key frames at the most. */
const STRETCH_S = 6

/**
 * Makes all pictures of a whole video in their order, but for stretches that are kept. It is
 * decoded from its beginning on, and behind stretches that are kept from there on.
 */
export async function makeMarkedPictures(
  drawing: MarkedDrawing,
  parts: MarkedParts,
): Promise<readonly MoviePiece[]> {
  const made: MoviePiece[] = []
  const count = Math.max(1, Math.ceil(drawing.lengthMs / 1000 / STRETCH_S))
  let open: OpenPictures | null = null
  try {
    for (let number = 1; number <= count; number += 1) {
      const name = `stretch-${number}`
      const before = await parts.kept(name)
      if (before !== null) {
        await open?.end()
        open = null
        made.push(before)
        continue
      }
      open ??= openPictures(parts.open((number - 1) * STRETCH_S), parts.signal)
      const endS = number === count ? Infinity : number * STRETCH_S
      const piece = await makeStretch(drawing, parts, { name, open, endS })
      if (piece !== null) made.push(piece)
    }
  } finally {
    // Not awaited: one that waits for a read ends when the file is closed.
    void open?.end().catch(() => undefined)
  }
  if (made.length === 0) throw new DecoderFailed('pictures are missing')
  parts.onProgress(standAt(drawing, Infinity))
  return made
}

/** Pictures one after another, of which the next one can be seen before it is taken. */
interface OpenPictures {
  /** The same until `take`; null behind the last one. */
  see(): Promise<TimedPicture | null>
  /** The picture that was seen is done with. */
  take(): void
  end(): Promise<void>
}

function openPictures(pictures: Pictures, signal: AbortSignal): OpenPictures {
  let seen: Promise<TimedPicture | null> | null = null
  const next = async (): Promise<TimedPicture | null> =>
    (await nextInTime(pictures, signal)).value ?? null
  return {
    see: () => (seen ??= next()),
    take: () => {
      seen = null
    },
    end: async () => {
      await pictures.return()
    },
  }
}

/** Null for a stretch in which no picture begins. */
async function makeStretch(
  drawing: MarkedDrawing,
  { begin, paint, onProgress }: MarkedParts,
  {
    name,
    open,
    endS,
  }: { readonly name: string; readonly open: OpenPictures; readonly endS: number },
): Promise<MoviePiece | null> {
  let encoder: PieceEncoder | null = null
  let second = -1
  try {
    for (let picture = await open.see(); picture !== null; picture = await open.see()) {
      const atS = picture.shown.timestamp / 1e6
      if (atS >= endS) break
      const isFirst = encoder === null
      encoder ??= await begin(name, atS)
      if (Math.floor(atS) > second) onProgress(standAt(drawing, atS))
      second = Math.floor(atS)
      await encoder.add(await paint(picture), isFirst)
      open.take()
    }
    return encoder === null ? null : await encoder.finish(standAt(drawing, endS))
  } finally {
    encoder?.close()
  }
}

/** It is counted as one: its stretches are nothing that a person knows of. */
function standAt({ lengthMs }: MarkedDrawing, atS: number): MakeProgress {
  return { share: Math.min(1, (atS * 1000) / lengthMs), passage: 1, passages: 1 }
}

/** The pictures of the source as the edit shows them, from a time of the edit on. */
export function picturesOfWhole(
  picture: SourcePicture,
  drawing: MarkedDrawing,
  fromS: number,
): Pictures {
  return drawing.timing === 'own'
    ? ownPictures(picture, fromS)
    : steadyPictures(picture, drawing, fromS)
}

/** Each picture at its own time; the first one from the beginning on. */
async function* ownPictures({ track, startS }: SourcePicture, fromS: number): Pictures {
  let isFirst = fromS === 0
  for await (const sample of samplesFrom(track, startS + fromS)) {
    try {
      const [atUs, endUs] = [sample.timestamp, sample.timestamp + sample.duration].map((timeS) =>
        Math.round((timeS - startS) * 1e6),
      )
      // The picture that is under way at that time belongs to what is before.
      if (atUs === undefined || endUs === undefined || atUs < fromS * 1e6) continue
      const timestamp = isFirst ? 0 : atUs
      isFirst = false
      const frame = sample.toVideoFrame()
      try {
        yield { frame, shown: { timestamp, duration: endUs - timestamp } }
      } finally {
        frame.close()
      }
    } finally {
      sample.close()
    }
  }
}

async function* steadyPictures(
  { track, startS, ticksPerSecond }: SourcePicture,
  { lengthMs, frameRate }: MarkedDrawing,
  fromS: number,
): Pictures {
  const frames = framesIn(lengthMs, { frameRate })
  let at = Math.ceil(fromS * frameRate.value - 1e-6)
  const turns = pictureTurns(frames, frameRate, { startS, ticksPerSecond }, at)
  // The picture that is shown there may be half a picture later than its place.
  const decoded = decodedFrom(track, startS + Math.max(0, at - 0.5) / frameRate.value, Infinity)
  const timeUs = (place: number): number => Math.round((place * 1e6) / frameRate.value)
  for await (const frame of picturesInTurn(decoded, turns, frames - at)) {
    const timestamp = timeUs(at)
    at += 1
    yield { frame, shown: { timestamp, duration: timeUs(at) - timestamp } }
  }
}
