import { PACKETS_A_PLACE, type DeepCheck, type DeepCheckNews } from './deep-check.ts'
import type { FfmpegJobs } from './ffmpeg-jobs.ts'
import { judgeLoudness, listen, LOUDNESS_WINDOWS, type HeardWindow } from './loudness.ts'
import { rateOf, spanOfRates } from './sample-times.ts'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import { NO_DEEP_FACTS, type DeepFacts } from '#checks/facts.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

/** What ffmpeg must find out, because no quicker reader could. */
export interface WantedFacts {
  readonly times: boolean
  readonly sound: boolean
  readonly damage: boolean
}
type Probed = Omit<ProbeReport, 'findings' | 'tookMs'>
type Measured = Pick<DeepFacts, 'frameRates' | 'longestKeyGapMs' | 'loudness' | 'damagedAtMs'>

/** What takes longer says nothing; what was measured until then counts. */
const LIMIT_MS = 40_000
const PACKET_PLACES = 8
/** Shares of the length, as with the browser's own decoder. */
const DECODE_SHARES = [0.1, 0.3, 0.5, 0.7, 0.9] as const
/** This decoder does about 65 pictures of Full HD a second. */
const MAX_FRAMES = 25
const MIN_FRAMES = 5
const FULL_HD_PX = 1920 * 1080
/** The core has no decoder for them, so its failure says nothing of the file. */
const NOT_DECODED_HERE: ReadonlySet<string> = new Set(['av1', 'vvc', 'unknown'])
/** Where ffmpeg's decoder is not called like the codec. */
const DECODERS: Readonly<Record<string, string>> = {
  flv1: 'flv',
  msmpeg4v3: 'msmpeg4',
  vp6f: 'vp6',
}

/**
 * Frame rates, key frames, loudness and damage of a file by ffmpeg, at places spread over its
 * length. Facts that were not wanted, are unknown, or took too long are null. Reads packet
 * headers, some seconds of sound, and some pictures.
 */
export async function deepCheckByFfmpeg(
  jobs: FfmpegJobs,
  file: File,
  report: Probed,
  wanted: WantedFacts,
  signal: AbortSignal,
): Promise<Measured> {
  const lengthS = (report.durationMs ?? 0) / 1_000
  const places = (count: number, at: number): readonly number[] =>
    Array.from({ length: lengthS > 0 ? count : 0 }, (_, index) => (lengthS * (index + at)) / count)
  const canDecode = report.video !== null && !NOT_DECODED_HERE.has(report.video.codec)
  const check: DeepCheck = {
    packetsAt: wanted.times && report.video !== null ? places(PACKET_PLACES, 0) : [],
    soundAt: wanted.sound && report.audio !== null ? places(LOUDNESS_WINDOWS, 0.5) : [],
    decodeAt:
      wanted.damage && canDecode && lengthS > 0
        ? DECODE_SHARES.map((share) => lengthS * share)
        : [],
    frames: framesFor(report),
    tracks: report.taken ?? FIRST_TRACKS,
  }
  if (check.packetsAt.length + check.soundAt.length + check.decodeAt.length === 0)
    return NO_DEEP_FACTS
  // By place: a job that made room for another one starts over.
  const heard = new Map<number, HeardWindow>()
  const decoded = new Map<number, Extract<DeepCheckNews, { kind: 'decoded' }>>()
  let packets: readonly SampledPacket[] = []
  await jobs.run(
    { file, task: { kind: 'deep-check', check }, limitMs: LIMIT_MS, signal },
    (news) => {
      if (news.kind === 'packets') packets = parsePackets(news.csv)
      else if (news.kind === 'sound') heard.set(news.atSeconds, listen(news.samples))
      else if (news.kind === 'decoded') decoded.set(news.atSeconds, news)
    },
  )
  const samples = samplesOf(packets)
  return {
    frameRates: spanOfRates(
      samples.map((sample) => rateOf(sample.map((packet) => packet.seconds))),
    ),
    longestKeyGapMs: longestKeyGapMs(samples, check.packetsAt),
    loudness: judgeLoudness(Array.from(heard.values())),
    damagedAtMs: damagedAtMs(Array.from(decoded.values()), report.video?.codec ?? ''),
  }
}

function framesFor({ video }: Probed): number {
  const pixels = Math.max(1, (video?.codedWidth ?? 0) * (video?.codedHeight ?? 0))
  return Math.max(MIN_FRAMES, Math.min(MAX_FRAMES, Math.floor((MAX_FRAMES * FULL_HD_PX) / pixels)))
}

export interface SampledPacket {
  readonly seconds: number
  readonly isKey: boolean
}

/**
 * Lines of `pts_time,dts_time,flags`; times can be `N/A`. Decoding times are there more often, and
 * even where frames are stored out of order.
 */
export function parsePackets(csv: string): readonly SampledPacket[] {
  return csv.split('\n').flatMap((line) => {
    const [pts = '', dts = '', flags = ''] = line.trim().split(',')
    const seconds = Number.isFinite(Number.parseFloat(dts))
      ? Number.parseFloat(dts)
      : Number.parseFloat(pts)
    return Number.isFinite(seconds) ? [{ seconds, isKey: flags.includes('K') }] : []
  })
}

/**
 * One list a place: a place ends after its number of packets, or, at the end of a short file, where
 * time goes back.
 */
export function samplesOf(
  packets: readonly SampledPacket[],
): readonly (readonly SampledPacket[])[] {
  const samples: SampledPacket[][] = []
  for (const packet of packets) {
    const current = samples.at(-1)
    const last = current?.at(-1)
    if (
      current === undefined ||
      current.length >= PACKETS_A_PLACE ||
      (last !== undefined && packet.seconds < last.seconds)
    )
      samples.push([packet])
    else current.push(packet)
  }
  return samples
}

/**
 * The longest gap that was seen: within a sample, and from the key frame that was sought to the
 * place that was asked for. Null when no key frame was met.
 */
export function longestKeyGapMs(
  samples: readonly (readonly SampledPacket[])[],
  askedAt: readonly number[],
): number | null {
  const isWhole = samples.length === askedAt.length
  const gaps = samples.flatMap((sample, index) => {
    const keys = sample.filter((packet) => packet.isKey).map((packet) => packet.seconds)
    const [first] = keys
    if (first === undefined) return []
    const until = Math.max(sample.at(-1)?.seconds ?? first, isWhole ? (askedAt[index] ?? 0) : 0)
    return [
      ...keys.slice(1).map((key, at) => key - (keys[at] ?? key)),
      until - (keys.at(-1) ?? until),
    ]
  })
  return gaps.length === 0 ? null : Math.round(Math.max(...gaps) * 1_000)
}

/**
 * What decoders say of whole files. Where reading begins inside a group of HEVC pictures, as it
 * does in broadcasts and after a key frame of an open group, some lack those that they need.
 */
const HARMLESS = /Packet mismatch|Could not find ref with POC/

/**
 * The first place whose decoder complains. Complaints of the demuxer name no place; a decoder that
 * never gives a picture may simply be unable.
 */
export function damagedAtMs(
  places: readonly Extract<DeepCheckNews, { kind: 'decoded' }>[],
  codec: string,
): number | null {
  if (places.every((place) => place.decoded === 0)) return null
  const isComplaint = (line: string): boolean =>
    (line.startsWith(`[${DECODERS[codec] ?? codec} @`) && !HARMLESS.test(line)) ||
    line.startsWith('Error while decoding stream')
  const damaged = places.find((place) => place.lines.some(isComplaint))
  return damaged === undefined ? null : Math.round(damaged.atSeconds * 1_000)
}
