import { EncodedPacketSink, type Input, type InputVideoTrack } from 'mediabunny'
import { STILL_LIMIT_MS } from './encode.ts'
import { samplesFrom } from './few-at-once.ts'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import type { Drawing, DrawnPassage } from '#recipes/drawing.ts'
import { editsStartMs } from '#recipes/first-picture.ts'
import { pieceInput } from '#recipes/passage-steps.ts'
import { pictureTurns, type PictureTurns } from '#recipes/picture-at.ts'
import type { PlanInput, ReadPictures, SourceProbe } from '#recipes/types.ts'

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

/**
 * When the last key frame up to a time is shown, in seconds of the edits' source, and a little
 * behind it: who decodes from there on decodes nothing else. Null for none.
 */
export async function keyFrameBefore(
  { track, startS }: SourcePicture,
  timeS: number,
): Promise<number | null> {
  const sink = new EncodedPacketSink(track)
  const key = await sink.getKeyPacket(startS + timeS, { metadataOnly: true })
  return key === null ? null : key.timestamp - startS + 0.001
}

/** The pictures that a plan reads of the source. Frames are good until the next one. */
export function picturesRead(
  { track, startS, ticksPerSecond }: SourcePicture,
  { seekMs = 0, durationMs = Infinity, pictures }: PlanInput & { readonly pictures: ReadPictures },
): AsyncGenerator<VideoFrame, void, void> {
  const { frameRate, frames } = pictures
  const fromS = startS + seekMs / 1000
  const decoded = decodedFrom(track, fromS, fromS + durationMs / 1000)
  if (frameRate === null)
    return firstFrom(decoded, Math.round(fromS * ticksPerSecond) / ticksPerSecond)
  const turns = pictureTurns(frames, frameRate, { startS: fromS, ticksPerSecond })
  return picturesInTurn(decoded, turns, frames)
}

/** The first picture from the place on: what ffmpeg shows where it is told to seek. */
async function* firstFrom<F extends { close(): void }>(
  decoded: AsyncIterable<Decoded<F>>,
  fromS: number,
): AsyncGenerator<F, void, void> {
  for await (const { timeS, frame } of decoded) {
    try {
      if (timeS < fromS) continue
      yield frame
      return
    } finally {
      frame.close()
    }
  }
}

/** All pictures from the one on that is shown at the time. Frames are the caller's. */
export async function* decodedFrom(
  track: InputVideoTrack,
  fromS: number,
  endS: number,
): AsyncGenerator<Decoded<VideoFrame>, void, void> {
  for await (const sample of samplesFrom(track, fromS, endS)) {
    try {
      yield { timeS: sample.timestamp, frame: sample.toVideoFrame() }
    } finally {
      sample.close()
    }
  }
}

/** A decoder that gave up, stood still, or gave fewer pictures than there must be. */
export class DecoderFailed extends Error {
  override readonly name = 'DecoderFailed'
}

/** Rejects where the decoder stands still, and with the signal's reason. */
export async function nextInTime<F>(
  pictures: AsyncGenerator<F, void, void>,
  signal: AbortSignal,
): Promise<IteratorResult<F, void>> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DecoderFailed('it stands still')), STILL_LIMIT_MS)
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([pictures.next(), promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** The same for a picture that there must be: rejects where there is no more. */
export async function pictureInTime<F>(
  pictures: AsyncGenerator<F, void, void>,
  signal: AbortSignal,
): Promise<F> {
  const step = await nextInTime(pictures, signal)
  if (step.done === true) throw new DecoderFailed('pictures are missing')
  return step.value
}

/** Ends pictures. Not awaited: one that waits for a read ends when the file is closed. */
export function letGo(pictures: AsyncGenerator<unknown, void, void>): void {
  void pictures.return().catch(() => undefined)
}
