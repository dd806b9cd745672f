import { VideoSampleSink, type Input, type InputVideoTrack } from 'mediabunny'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import type { Drawing, DrawnPassage } from '#recipes/drawing.ts'
import { editsStartMs } from '#recipes/first-picture.ts'
import { pieceInput } from '#recipes/passage-steps.ts'
import { pictureTurns, type PictureTurns } from '#recipes/picture-at.ts'
import type { SourceProbe } from '#recipes/types.ts'

/** A decoded picture and when the source shows it. */
export interface Decoded<F> {
  readonly timeS: number
  readonly frame: F
}

/**
 * The pictures of one passage as the output shows them: each as often as its turn lasts. A picture
 * is closed when the next one is asked for behind its last turn.
 */
export async function* picturesInTurn<F extends { close(): void }>(
  decoded: AsyncIterable<Decoded<F>>,
  turns: PictureTurns,
  frames: number,
): AsyncGenerator<F, void, void> {
  let shown = 0
  let current: F | null = null
  try {
    for await (const { timeS, frame } of decoded) {
      const count = turns.next(timeS)
      if (count === null) {
        frame.close()
        continue
      }
      const before: F | null = current
      try {
        for (let turn = 0; turn < count && before !== null; turn += 1, shown += 1) yield before
      } finally {
        before?.close()
        current = frame
      }
      if (shown >= frames) return
    }
    const rest = turns.rest()
    for (let turn = 0; turn < rest && current !== null; turn += 1) yield current
  } finally {
    closed(current)
  }
}

function closed(frame: { close(): void } | null): void {
  frame?.close()
}

/** The picture of the source, opened for an edit. */
export interface SourcePicture {
  readonly track: InputVideoTrack
  /** All times of plans count from here. */
  readonly startS: number
  readonly ticksPerSecond: number
}

/** Null where the fast reader finds no picture, or the browser does not decode it. */
export async function sourcePicture(
  input: Input,
  source: SourceProbe,
): Promise<SourcePicture | null> {
  const { picture } = source.tracks ?? FIRST_TRACKS
  const track = (await input.getVideoTracks()).find(({ number }) => number === picture + 1)
  if (track === undefined || !(await track.canDecode())) return null
  return {
    track,
    startS: Math.max(0, await input.getFirstTimestamp()) + editsStartMs(source) / 1000,
    ticksPerSecond: await track.getTimeResolution(),
  }
}

/** The pictures of a passage, decoded from the key frame before it. Frames are the caller's. */
export function picturesOfPassage(
  { track, startS, ticksPerSecond }: SourcePicture,
  source: SourceProbe,
  drawing: Drawing,
  passage: DrawnPassage,
): AsyncGenerator<VideoFrame, void, void> {
  const { frames } = passage
  const { seekMs = 0, durationMs = 0 } = pieceInput(
    { from: { kind: 'source' }, probe: source, ...passage },
    drawing,
  )
  const fromS = startS + seekMs / 1000
  const turns = pictureTurns(frames, drawing.frameRate, { startS: fromS, ticksPerSecond })
  return picturesInTurn(decodedFrom(track, fromS, fromS + durationMs / 1000), turns, frames)
}

async function* decodedFrom(
  track: InputVideoTrack,
  fromS: number,
  endS: number,
): AsyncGenerator<Decoded<VideoFrame>, void, void> {
  const sink = new VideoSampleSink(track)
  for await (const sample of sink.samples(fromS, endS)) {
    try {
      yield { timeS: sample.timestamp, frame: sample.toVideoFrame() }
    } finally {
      sample.close()
    }
  }
}
