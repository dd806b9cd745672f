import { EncodedPacketSink, VideoSampleSink } from 'mediabunny'
import type { EncodedPacket, InputVideoTrack, VideoSample } from 'mediabunny'

/** Pictures that are in a decoder, or behind it until they are taken. */
const MOST_AT_ONCE = 16
/**
 * Fewer of them are held of larger pictures: seven of 4K, of which a decoder of H.264 holds five
 * back at the most (level 5.1 of ITU-T H.264, table A-1). Two passages are open where they fade.
 */
const MOST_BYTES_AT_ONCE = 90e6
const LEAST_AT_ONCE = 6
/**
 * A decoder that gives none meanwhile may hold more of them, and has room for another. Of 4K a busy
 * device decodes a picture in a tenth of a second, and must not get more for that.
 */
const ANOTHER_MS = 500
/** The same behind the last picture, where only the decoder's own delay is waited for. */
const ANOTHER_AT_END_MS = 10

/**
 * All pictures from the one on that is shown at the time; each is the caller's to close.
 *
 * [Note: few at once] mediabunny fills a decoder with 40 packets whenever no picture waits, which
 * become 42 pictures at the start of each passage: 130 MB of full HD, 520 MB of 4K.
 */
export async function* samplesFrom(
  track: InputVideoTrack,
  fromS: number,
  endS = Infinity,
): AsyncGenerator<VideoSample, void, void> {
  const key = await new EncodedPacketSink(track).getKeyPacket(fromS, { verifyKeyPackets: true })
  // From the key frame on, because what is decoded before the time has to be waited for too.
  const decodedS = key?.timestamp ?? fromS
  const room = createRoom(decodedS, endS, await mostAtOnce(track))
  const held: VideoSample[] = []
  try {
    for await (const sample of new PacedSamples(track, room).samples(decodedS, endS)) {
      const isLater = sample.timestamp > fromS
      if (!isLater) held.shift()?.close()
      held.push(sample)
      if (isLater) yield* taken(held)
      room.take()
    }
    yield* taken(held)
  } finally {
    for (const sample of held) sample.close()
    room.end()
  }
}

function* taken(held: VideoSample[]): Generator<VideoSample, void, void> {
  for (let first = held.shift(); first !== undefined; first = held.shift()) yield first
}

async function mostAtOnce(track: InputVideoTrack): Promise<number> {
  const bytes = 1.5 * (await track.getCodedWidth()) * (await track.getCodedHeight())
  return Math.max(LEAST_AT_ONCE, Math.min(MOST_AT_ONCE, Math.floor(MOST_BYTES_AT_ONCE / bytes)))
}

interface Room {
  /** Waits until there is room for a packet. */
  add(timeS: number): Promise<void>
  take(): void
  /** There is room for all that comes. */
  end(): void
}

/** @param fromS pictures before it are given back by themselves, because nothing shows them */
function createRoom(fromS: number, endS: number, most: number): Room {
  const now = { added: 0, taken: 0, most, next: Promise.withResolvers<void>() }
  const isFull = (): boolean => now.added - now.taken >= now.most
  return {
    add: async (timeS) => {
      if (timeS < fromS) return
      if (isFull()) await within(timeS < endS ? ANOTHER_MS : ANOTHER_AT_END_MS, now.next.promise)
      if (isFull()) now.most += 1
      now.added += 1
    },
    take: () => {
      now.taken += 1
      now.next.resolve()
      now.next = Promise.withResolvers()
    },
    end: () => {
      now.taken = Infinity
      now.next.resolve()
    },
  }
}

async function within(ms: number, awaited: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([awaited, promise])
  } finally {
    clearTimeout(timer)
  }
}

class PacedSamples extends VideoSampleSink {
  readonly #packets: EncodedPacketSink

  constructor(track: InputVideoTrack, room: Room) {
    super(track)
    this.#packets = new PacedPackets(track, room)
  }

  /** Of mediabunny 1.61, which has no setting for it; describeMadeTeaser counts the pictures. */
  _createPacketSink(): EncodedPacketSink {
    return this.#packets
  }
}

class PacedPackets extends EncodedPacketSink {
  readonly #room: Room

  constructor(track: InputVideoTrack, room: Room) {
    super(track)
    this.#room = room
  }

  override async *packets(
    ...asked: Parameters<EncodedPacketSink['packets']>
  ): AsyncGenerator<EncodedPacket, void, unknown> {
    for await (const packet of super.packets(...asked)) {
      await this.#room.add(packet.timestamp)
      yield packet
    }
  }
}
