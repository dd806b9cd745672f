import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny'
import { createTally, type Packet, type PacketSurvey } from '#recipes/analysis-packets.ts'

/** Of a video whose packets are listed. */
export interface SurveyedPicture {
  readonly track: InputVideoTrack
  /** All times count from here. */
  readonly startS: number
  /** Its container lists all packets in one place. */
  readonly isIndexed: boolean
  readonly sizeBytes: number
}

/**
 * Without a list of its packets, a file has to be read for them as a whole: up to here that is
 * seconds of a disk.
 */
const MOST_READ_BYTES = 2 * 1024 ** 3
/** Of a larger one, so many places are looked at. */
const PLACES = 160
/** What follows the key frame there; a second of most cameras. */
const PACKETS_A_PLACE = 30
/** After so many the worker answers what else it was asked. */
const PACKETS_A_TURN = 1000

const META = { metadataOnly: true } as const

/**
 * What the packets of a video say of all of it, equal to the server's survey (docs/moments.md):
 * nothing is decoded. Of a large file without a list of its packets, those of places all over it.
 */
export async function surveyPackets(
  picture: SurveyedPicture,
  durationMs: number,
  signal: AbortSignal,
): Promise<PacketSurvey> {
  const { track, startS } = picture
  const ticksPerSecond = await track.getTimeResolution()
  // As the server's reader counts: in ticks, so that both round alike.
  const tickMs = (1 / ticksPerSecond) * 1000
  const startTicks = Math.round(startS * ticksPerSecond)
  const tally = createTally()
  const add = ({ timestamp, byteLength, type }: EncodedPacket): void => {
    const atMs = (Math.round(timestamp * ticksPerSecond) - startTicks) * tickMs
    if (atMs >= 0) tally.add({ atMs, bytes: byteLength, isKey: type === 'key' } satisfies Packet)
  }
  const packets =
    picture.isIndexed || picture.sizeBytes <= MOST_READ_BYTES
      ? allPackets(track)
      : packetsOfPlaces(track, startS, durationMs)
  let count = 0
  for await (const packet of packets) {
    add(packet)
    count += 1
    if (count % PACKETS_A_TURN === 0) await letOthersRun()
    signal.throwIfAborted()
  }
  return tally.survey()
}

/** In the order in which they are stored, from the first one on that needs no other. */
async function* allPackets(track: InputVideoTrack): AsyncGenerator<EncodedPacket> {
  let hasBegun = false
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, META)) {
    hasBegun ||= packet.type === 'key'
    if (hasBegun) yield packet
  }
}

async function* packetsOfPlaces(
  track: InputVideoTrack,
  startS: number,
  durationMs: number,
): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track)
  let last = -1
  for (let place = 0; place < PLACES; place += 1) {
    const key = await sink.getKeyPacket(startS + (durationMs * place) / PLACES / 1000, META)
    if (key === null || key.timestamp <= last) continue
    last = key.timestamp
    let packet: EncodedPacket | null = key
    for (let count = 0; packet !== null && count < PACKETS_A_PLACE; count += 1) {
      if (packet !== key && packet.type === 'key') break
      yield packet
      packet = await sink.getNextPacket(packet, META)
    }
  }
}

/** Waits until the messages that have come are read. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
