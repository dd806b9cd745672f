import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny'
import type { OpenFile } from './open-file.ts'
import { rateOf, spanOfRates } from './sample-times.ts'
import { takenTracks } from './taken-tracks.ts'
import type { DeepFacts } from '#checks/facts.ts'

/**
 * The first 256 frames of a file can be at 60 and all others at 20 a second: look at places all
 * over it.
 */
const PLACES = 8
const PACKETS_A_PLACE = 24
/**
 * Longer gaps than any camera makes end the walk over an index: 25 GB have about 2,000 key frames.
 */
const MAX_KEY_FRAMES = 200_000

/** Containers whose index lists every key frame, so that the walk reads nothing but the index. */
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])
const META = { metadataOnly: true } as const

/**
 * Frame rates, key frames, and where sound and picture begin and end. Reads packet headers only.
 * Throws for files it cannot read.
 */
export async function readTimes(
  opened: OpenFile,
  signal: AbortSignal,
): Promise<Pick<DeepFacts, 'frameRates' | 'longestKeyGapMs' | 'sound'>> {
  const { video: track, audio: audioTrack } = await takenTracks(opened)
  if (track === null) return { frameRates: null, longestKeyGapMs: null, sound: null }
  // Both first: where there is no index, their beginnings lie together, and so do their ends.
  const video = await spanOf(track)
  const audio = audioTrack === null ? null : await spanOf(audioTrack)
  const sink = new EncodedPacketSink(track)
  const rates: (number | null)[] = []
  let [gap, lastKey] = [0, -1]
  for (let place = 0; place < PLACES; place += 1) {
    signal.throwIfAborted()
    const at = video.start + ((video.end - video.start) * place) / PLACES
    const key = await sink.getKeyPacket(at, META)
    if (key !== null) gap = Math.max(gap, at - key.timestamp)
    // From the key frame on, which most files store together with what follows it; not where others
    // have been looked at already.
    const first =
      key === null || key.sequenceNumber === lastKey ? await sink.getPacket(at, META) : key
    lastKey = key?.sequenceNumber ?? lastKey
    if (first !== null) rates.push(rateOf(await timesFrom(sink, first)))
  }
  if (INDEXED.has((await opened.input().getFormat()).name))
    gap = await longestGap(sink, video.end, signal)
  return {
    frameRates: spanOfRates(rates),
    longestKeyGapMs: Math.round(gap * 1_000),
    sound:
      audio === null
        ? null
        : {
            startsLateMs: Math.round((audio.start - video.start) * 1_000),
            endsEarlyMs: Math.round((video.end - audio.end) * 1_000),
          },
  }
}

type Track = Pick<InputVideoTrack, 'getFirstTimestamp' | 'computeDuration'>

/**
 * Seconds; the end counts from the file's zero. What lies before it is there for decoders only: an
 * edit list keeps it out of what is seen and heard.
 */
async function spanOf(track: Track): Promise<{ readonly start: number; readonly end: number }> {
  const start = Math.max(0, await track.getFirstTimestamp())
  return { start, end: await track.computeDuration(META) }
}

async function timesFrom(
  sink: EncodedPacketSink,
  first: EncodedPacket,
): Promise<readonly number[]> {
  const times = [first.timestamp]
  for (let packet: EncodedPacket | null = first; times.length < PACKETS_A_PLACE;) {
    packet = await sink.getNextPacket(packet, META)
    if (packet === null) break
    times.push(packet.timestamp)
  }
  return times
}

async function longestGap(
  sink: EncodedPacketSink,
  end: number,
  signal: AbortSignal,
): Promise<number> {
  let gap = 0
  let packet = await sink.getFirstKeyPacket(META)
  for (let count = 0; packet !== null && count < MAX_KEY_FRAMES; count += 1) {
    signal.throwIfAborted()
    const next = await sink.getNextKeyPacket(packet, META)
    gap = Math.max(gap, (next?.timestamp ?? end) - packet.timestamp)
    packet = next
  }
  return gap
}
