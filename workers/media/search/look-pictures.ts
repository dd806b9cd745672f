import { EncodedPacketSink, type EncodedPacket } from 'mediabunny'
import type { SourcePicture } from '#workers/media/render/frames.ts'
import { disposableOf } from './disposable.ts'
import type { SmallPictures } from './small-picture.ts'
import { LOOK_RATE, type Part } from '#recipes/analysis.ts'
import { readPictures, type PictureFacts } from '#recipes/analysis-picture.ts'
import { pictureTurns } from '#recipes/picture-at.ts'

/** Pictures of a decoder that are held, and packets that it holds: hardware has few of them. */
const MOST_HELD = 4
const MOST_QUEUED = 8
/** Pictures that a codec may store before the one they follow (H.264 §A.3.1: 16). */
const MAX_REORDERED = 16
/** A decoder that gives nothing for this time stands still. */
const STILL_LIMIT_MS = 20_000

/** A picture of the source, and how many pictures of the look it fills. */
interface Due {
  readonly frame: VideoFrame
  readonly count: number
}

export interface LookTools {
  readonly picture: SourcePicture
  readonly small: SmallPictures
  /** Without the pictures on which no other depends. */
  readonly isQuick: boolean
  readonly signal: AbortSignal
  /** Gets 0 to 1, once for each second that was looked at. */
  readonly onShare: (share: number) => void
}

/**
 * What a part shows, `LOOK_RATE` pictures a second: those that the server's look shows, by [Note:
 * which picture]. Rejects where the decoder fails, and at the abort.
 */
export async function lookAtPictures(
  { startMs, durationMs }: Part,
  tools: LookTools,
): Promise<readonly PictureFacts[]> {
  const { track, startS, ticksPerSecond } = tools.picture
  const fromS = startS + startMs / 1000
  const wanted = Math.max(1, Math.round((durationMs / 1000) * LOOK_RATE))
  const rate = { text: String(LOOK_RATE), value: LOOK_RATE }
  const turns = pictureTurns(wanted, rate, { startS: fromS, ticksPerSecond })
  const config = await track.getDecoderConfig()
  if (config === null) throw new Error('a codec without a decoder')
  const isLeftOut = tools.isQuick
    ? disposableOf(config.codec, config.description)
    : (): boolean => false
  const due = new DueFrames((timeS) => turns.next(timeS), turns.rest)
  const decoder = new VideoDecoder({ output: due.take, error: due.fail })
  const stop = (): void => due.fail(tools.signal.reason)
  tools.signal.addEventListener('abort', stop, { once: true })
  const facts: PictureFacts[] = []
  try {
    decoder.configure(config)
    decoder.addEventListener('dequeue', due.wake)
    const feeding = feed(decoder, due, tools.picture, fromS, fromS + durationMs / 1000, isLeftOut)
    feeding.catch(due.fail)
    for (let next = await due.next(); next !== null; next = await due.next()) {
      try {
        const [read] = readPictures(await tools.small.read(next.frame))
        if (read !== undefined) for (let at = 0; at < next.count; at += 1) facts.push(read)
        if (facts.length % LOOK_RATE === 0) tools.onShare(Math.min(1, facts.length / wanted))
      } finally {
        next.frame.close()
      }
    }
    await feeding
    return facts
  } finally {
    tools.signal.removeEventListener('abort', stop)
    due.close()
    if (decoder.state !== 'closed') decoder.close()
  }
}

/** Decodes from the key before a place up to another, then says that there is no more. */
async function feed(
  decoder: VideoDecoder,
  due: DueFrames,
  { track }: SourcePicture,
  fromS: number,
  endS: number,
  isLeftOut: (packet: Uint8Array) => boolean,
): Promise<void> {
  const sink = new EncodedPacketSink(track)
  const verified = { verifyKeyPackets: true } as const
  let packet: EncodedPacket | null =
    (await sink.getKeyPacket(fromS, verified)) ?? (await sink.getFirstKeyPacket(verified))
  for (let late = 0; packet !== null && late < MAX_REORDERED;) {
    if (packet.timestamp >= endS) late += 1
    if (late > 0 && packet.type === 'key') break
    if (packet.type === 'key' || !isLeftOut(packet.data)) {
      await due.room(() => decoder.decodeQueueSize)
      decoder.decode(packet.toEncodedVideoChunk())
    }
    packet = await sink.getNextPacket(packet)
  }
  await decoder.flush()
  due.end()
}

/** The pictures that a look shows, between the decoder that gives all and the one that reads. */
class DueFrames {
  readonly #due: Due[] = []
  readonly #turnOf: (timeS: number) => number | null
  readonly #rest: () => number
  #current: VideoFrame | null = null
  #failure: { readonly reason: unknown } | null = null
  #isOver = false
  #changed = Promise.withResolvers<void>()

  constructor(turnOf: (timeS: number) => number | null, rest: () => number) {
    this.#turnOf = turnOf
    this.#rest = rest
  }

  /** What is never shown is closed at once: it holds memory of the decoder. */
  readonly take = (frame: VideoFrame): void => {
    const count = this.#isOver ? null : this.#turnOf(frame.timestamp / 1e6)
    if (count === null) frame.close()
    else {
      this.#release(count)
      this.#current = frame
    }
    this.wake()
  }

  readonly fail = (reason: unknown): void => {
    this.#failure ??= { reason }
    this.wake()
  }

  readonly wake = (): void => {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  end(): void {
    this.#release(this.#rest())
    this.#current = null
    this.#isOver = true
    this.wake()
  }

  close(): void {
    this.#isOver = true
    for (const { frame } of this.#due.splice(0)) frame.close()
    this.#current?.close()
    this.#current = null
  }

  /** Null when there is no more. */
  async next(): Promise<Due | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.reason
      const first = this.#due.shift()
      if (first !== undefined) {
        this.wake()
        return first
      }
      if (this.#isOver) return null
      await this.#change()
    }
  }

  /** Waits until the decoder may have another packet. */
  async room(queued: () => number): Promise<void> {
    while (this.#due.length >= MOST_HELD || queued() >= MOST_QUEUED) {
      if (this.#failure !== null) throw this.#failure.reason
      await this.#change()
    }
    if (this.#failure !== null) throw this.#failure.reason
  }

  async #change(): Promise<void> {
    const still = Promise.withResolvers<never>()
    const timer = setTimeout(() => still.reject(new Error('it stands still')), STILL_LIMIT_MS)
    try {
      await Promise.race([this.#changed.promise, still.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** The picture before is shown so often. */
  #release(count: number): void {
    if (this.#current === null) return
    if (count > 0) this.#due.push({ frame: this.#current, count })
    else this.#current.close()
  }
}
