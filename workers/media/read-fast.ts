import { EncodedPacketSink, type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
import type { OpenFile } from './open-file.ts'
import {
  hasMoreStreams,
  NO_TIMES,
  segmentTimes,
  streamTimes,
  type QuickTimes,
} from './quick-times.ts'
import { pictureStartMs } from '#recipes/first-picture.ts'
import { areCountedAlike, takenTracks } from './taken-tracks.ts'
import { isParameterSet, nalUnits, readParameterSet } from '#src/local/probe/h264.ts'
import { unwrapped } from '#src/local/probe/transport-stream.ts'
import { pictureLengthMs, type ShownSpan } from '#recipes/picture-length.ts'
import type { AudioTrackReport, ProbeReport, VideoTrackReport } from '#src/local/probe/report.ts'

/** Faster than any camera; more comes from broken indexes. */
const MAX_RATE = 480
/**
 * Packets looked at for the frame rate, metadata only. Without an index each one has to be read
 * with the sound beside it.
 */
const RATE_PACKETS = { indexed: 96, other: 48 } as const
/** Taken anywhere: the first pictures may lack the key frame that they need. */
const BROADCAST = 'MPEG Transport Stream'
const META = { metadataOnly: true } as const
/** Ten seconds at 60 a second, the longest that encoders take from one key frame to the next. */
const MOST_BEFORE_KEY = 600
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])

const CONTAINERS: Readonly<Record<string, string>> = {
  MP4: 'MP4',
  'QuickTime File Format': 'MOV',
  Matroska: 'MKV',
  WebM: 'WebM',
  'MPEG Transport Stream': 'MPEG-TS',
  Ogg: 'Ogg',
}

/**
 * Reads a file with mediabunny: milliseconds, whatever the size. Null when its answer is not to be
 * trusted (no tracks, unknown codec, impossible numbers): then ffprobe has to look. Throws for what
 * it cannot read, which says nothing about the file.
 */
export async function readFast(
  opened: OpenFile,
): Promise<Omit<ProbeReport, 'findings' | 'tookMs'> | null> {
  const input = opened.input()
  const [format, videos, audios] = [
    await input.getFormat(),
    await input.getVideoTracks(),
    await input.getAudioTracks(),
  ]
  if (videos.length + audios.length === 0) return null
  const { video: videoTrack, audio: audioTrack, facts } = await takenTracks(opened)
  if (!areCountedAlike(facts, format.name)) return null
  if (format.name === BROADCAST) {
    const all = [...videos, ...audios].map(({ id }) => id)
    if (await hasMoreStreams(opened.read, { sound: audioTrack?.id ?? null, all })) return null
  }
  const shown = { video: videoTrack, audio: audioTrack }
  const times = await timesOf(opened, format.name, shown, [...videos, ...audios])
  const video =
    videoTrack === null
      ? null
      : await videoReport(
          videoTrack,
          times.frameRate ?? (await rateByPackets(videoTrack, INDEXED.has(format.name))),
          format.name === BROADCAST ? await rowsIn(videoTrack) : null,
        )
  if (videoTrack !== null && video === null) return null
  const audioCodec = (await audioTrack?.getCodec()) ?? null
  const audio: AudioTrackReport | null =
    audioTrack === null
      ? null
      : {
          codec: audioCodec ?? 'unknown',
          channels: await audioTrack.getNumberOfChannels(),
          sampleRate: await audioTrack.getSampleRate(),
        }
  const span = await spanOf(opened, times, shown, format.name)
  if (!Number.isFinite(span.endS) || span.endS <= 0) return null
  return {
    engine: 'mediabunny',
    container: CONTAINERS[format.name] ?? format.name,
    mimeType: format.mimeType,
    sizeBytes: opened.file.size,
    durationMs: Math.max(0, pictureLengthMs(span)),
    pictureStartMs: pictureStartMs(span.fileStartS, span.startS),
    video,
    audio,
    ...facts,
    ...(times.soundChanges ? { unfit: 'sound-changes' } : {}),
  }
}

/** The tracks that edits show. */
interface ShownTracks {
  readonly video: InputVideoTrack | null
  readonly audio: InputAudioTrack | null
}

/**
 * When the main track is shown. An index tells it for each track; where nothing does, the end of
 * the file stands in for that of the picture.
 */
async function spanOf(
  opened: OpenFile,
  times: QuickTimes,
  { video, audio }: ShownTracks,
  format: string,
): Promise<ShownSpan & { readonly fileStartS: number }> {
  const isIndexed = INDEXED.has(format)
  const input = opened.input()
  const main = video ?? audio
  const indexed = isIndexed ? main : null
  // What an edit list hides at the start has times below zero.
  const fileStartS = Math.max(0, times.startSeconds ?? (await input.getFirstTimestamp()))
  const storedS = times.mainStartSeconds ?? (await indexed?.getFirstTimestamp()) ?? fileStartS
  const keyS = video === null || format !== BROADCAST ? null : await firstKeyS(video)
  const startS = keyS === null ? storedS : Math.max(storedS, unwrapped(keyS, storedS))
  // Durations of this library are end times.
  const endS =
    (await indexed?.getDurationFromMetadata()) ??
    times.mainEndSeconds ??
    (isIndexed ? null : await input.getDurationFromMetadata()) ??
    (await input.computeDuration(main === null ? undefined : [main], { metadataOnly: true }))
  const sound = isIndexed && video !== null ? audio : null
  const soundEndS = (await sound?.getDurationFromMetadata()) ?? times.soundEndSeconds
  return { fileStartS, startS: Math.max(fileStartS, startS), endS, soundEndS }
}

/**
 * When the first key frame is shown, before which there is no picture ([Note: first picture]); null
 * where none is near.
 */
async function firstKeyS(video: InputVideoTrack): Promise<number | null> {
  const sink = new EncodedPacketSink(video)
  let packet = await sink.getFirstPacket(META)
  for (let count = 1; packet !== null && count <= MOST_BEFORE_KEY; count += 1) {
    if (packet.type === 'key') return packet.timestamp
    packet = await sink.getNextPacket(packet, META)
  }
  return null
}

async function timesOf(
  { file, read }: OpenFile,
  format: string,
  { video, audio }: ShownTracks,
  tracks: readonly (InputVideoTrack | InputAudioTrack)[],
): Promise<QuickTimes> {
  const ids = {
    video: video?.id ?? null,
    sound: audio?.id ?? null,
    all: tracks.map(({ id }) => id),
  }
  if (format === 'Matroska' || format === 'WebM') return segmentTimes(read, ids)
  return format === 'MPEG Transport Stream' ? streamTimes(read, file.size, ids) : NO_TIMES
}

async function rateByPackets(track: InputVideoTrack, isIndexed: boolean): Promise<number> {
  return (
    await track.computePacketStats(isIndexed ? RATE_PACKETS.indexed : RATE_PACKETS.other, {
      metadataOnly: true,
    })
  ).averagePacketRate
}

/**
 * How many rows H.264 has by its own parameter set, which nothing else in a transport stream says;
 * null of other codecs. The fast reader takes the rows of one field for those of the picture.
 */
async function rowsIn(track: InputVideoTrack): Promise<number | null> {
  if ((await track.getCodec()) !== 'avc') return null
  const picture = await new EncodedPacketSink(track).getFirstKeyPacket()
  const sps = nalUnits(picture?.data ?? new Uint8Array()).find(isParameterSet)
  return sps === undefined ? null : (readParameterSet(sps)?.rows ?? null)
}

async function videoReport(
  track: InputVideoTrack,
  frameRate: number,
  rows: number | null,
): Promise<VideoTrackReport | null> {
  const codec = await track.getCodec()
  const codedHeight = await track.getCodedHeight()
  if (codec === null || !Number.isFinite(frameRate) || frameRate <= 0 || frameRate > MAX_RATE)
    return null
  return {
    trackId: track.id,
    codec: codec === 'avc' ? 'h264' : codec,
    codecString: await track.getCodecParameterString(),
    codedWidth: await track.getCodedWidth(),
    codedHeight: rows ?? codedHeight,
    displayWidth: await track.getDisplayWidth(),
    displayHeight: Math.round(
      ((await track.getDisplayHeight()) * (rows ?? codedHeight)) / codedHeight,
    ),
    rotation: await track.getRotation(),
    frameRate: Math.round(frameRate * 1_000) / 1_000,
    bitRate: await track.getBitrate(),
    isHdr: await track.hasHighDynamicRange(),
  }
}
