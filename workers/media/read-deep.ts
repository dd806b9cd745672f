import { EncodedPacketSink, type EncodedPacket, type Input, type InputVideoTrack } from 'mediabunny'
import type { DeepFacts } from '#recipes/source-facts.ts'

/** The first 256 frames of a file can be at 60 and all others at 20 a second: look at places all over it. */
const PLACES = 8
const PACKETS_A_PLACE = 48
/** Fewer intervals than this are not a rate. */
const MIN_INTERVALS = 6
/** Frames at the ends of a sample may have neighbours outside of it (frames are stored out of order). */
const REORDERED = 4
/** Longer gaps than any camera makes end the walk over an index: 25 GB have about 2,000 key frames. */
const MAX_KEY_FRAMES = 200_000

/** Containers whose index lists every key frame, so that the walk reads nothing but the index. */
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])
const META = { metadataOnly: true } as const

/** Frame rates, key frames, and where sound and picture begin and end. Reads packet headers only. Throws for files it cannot read. */
export async function readTimes(input: Input, signal: AbortSignal): Promise<Pick<DeepFacts, 'frameRates' | 'longestKeyGapMs' | 'sound'>> {
  const track = await input.getPrimaryVideoTrack()
  if (track === null) return { frameRates: null, longestKeyGapMs: null, sound: null }
  const video = await spanOf(track)
  const sink = new EncodedPacketSink(track)
  const rates: number[] = []
  let gap = 0
  for (let place = 0; place < PLACES; place += 1) {
    signal.throwIfAborted()
    const at = video.start + ((video.end - video.start) * place) / PLACES
    const first = await sink.getPacket(at, META)
    if (first === null) continue
    const rate = rateOf(await timesFrom(sink, first))
    if (rate !== null) rates.push(rate)
    const key = await sink.getKeyPacket(at, META)
    if (key !== null) gap = Math.max(gap, at - key.timestamp)
  }
  if (INDEXED.has((await input.getFormat()).name)) gap = await longestGap(sink, video.end, signal)
  const audioTrack = await input.getPrimaryAudioTrack()
  const audio = audioTrack === null ? null : await spanOf(audioTrack)
  return {
    frameRates: rates.length === 0 ? null : { lowest: Math.min(...rates), highest: Math.max(...rates) },
    longestKeyGapMs: Math.round(gap * 1_000),
    sound: audio === null ? null : { startsLateMs: Math.round((audio.start - video.start) * 1_000), endsEarlyMs: Math.round((video.end - audio.end) * 1_000) },
  }
}

type Track = Pick<InputVideoTrack, 'getFirstTimestamp' | 'computeDuration'>

/** Seconds; the end counts from the file's zero. */
async function spanOf(track: Track): Promise<{ readonly start: number; readonly end: number }> {
  return { start: await track.getFirstTimestamp(), end: await track.computeDuration(META) }
}

async function timesFrom(sink: EncodedPacketSink, first: EncodedPacket): Promise<readonly number[]> {
  const times = [first.timestamp]
  for (let packet: EncodedPacket | null = first; times.length < PACKETS_A_PLACE;) {
    packet = await sink.getNextPacket(packet, META)
    if (packet === null) break
    times.push(packet.timestamp)
  }
  return times
}

/** Frames a second, by the mean of the middle half of all intervals: rounding of timestamps to milliseconds evens out, single dropped frames do not count. */
function rateOf(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b)
  const inner = sorted.length > 4 * REORDERED ? sorted.slice(REORDERED, -REORDERED) : sorted
  const intervals = inner.slice(1).map((time, index) => time - (inner[index] ?? time)).filter((interval) => interval > 0).toSorted((a, b) => a - b)
  if (intervals.length < MIN_INTERVALS) return null
  const middle = intervals.slice(Math.floor(intervals.length / 4), Math.ceil((intervals.length * 3) / 4))
  return middle.length / middle.reduce((sum, interval) => sum + interval, 0)
}

async function longestGap(sink: EncodedPacketSink, end: number, signal: AbortSignal): Promise<number> {
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
