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
import { soundChanges } from './sound-changes.ts'
import { areCountedAlike, takenTracks } from './taken-tracks.ts'
import { LEAST_PICTURES_PER_SECOND } from '#checks/quick-rules.ts'
import { readMovieTimes, type MovieTimes } from '#src/local/probe/movie-times.ts'
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
/**
 * By the curve alone, as the server judges: wide colours are no high range, and screens of today
 * record in them.
 */
const HDR_CURVES: ReadonlySet<string> = new Set(['pq', 'hlg'])
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])

const NO_MOVIE: MovieTimes = { isFragmented: false, isMixed: false, edits: new Map() }

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
  const shown = { video: videoTrack, audio: audioTrack }
  const tracks = [...videos, ...audios]
  const movie = INDEXED.has(format.name)
    ? await readMovieTimes(opened.read, opened.file.size)
    : NO_MOVIE
  const isMisread =
    format.name === BROADCAST
      ? await isMoreThan(opened, shown, tracks)
      : isInPieces(movie, Object.values(shown))
  // Of Ogg it reads sound only.
  if (isMisread || (format.name === 'Ogg' && videoTrack === null)) return null
  const times = await timesOf(opened, format.name, shown, tracks)
  const video =
    videoTrack === null
      ? null
      : await videoReport(
          videoTrack,
          times.frameRate ?? (await rateByPackets(videoTrack, INDEXED.has(format.name))),
          format.name === BROADCAST ? await rowsIn(videoTrack) : null,
        )
  if (videoTrack !== null && video === null) return null
  const audio = audioTrack === null ? null : await audioReport(audioTrack)
  const span = await spanOf(opened, times, shown, { format: format.name, movie })
  if (!Number.isFinite(span.endS) || span.endS <= 0) return null
  const durationMs = Math.max(0, pictureLengthMs(span))
  // Others have no index that counts them.
  const isCounted = videoTrack !== null && INDEXED.has(format.name) && !movie.isFragmented
  const changes = videoTrack !== null && (await soundChanges(opened, format.name, audioTrack))
  const isSparse = isCounted && (await hasFewPictures(videoTrack, durationMs))
  return {
    engine: 'mediabunny',
    container: CONTAINERS[format.name] ?? format.name,
    mimeType: format.mimeType,
    sizeBytes: opened.file.size,
    durationMs,
    pictureStartMs: pictureStartMs(span.fileStartS, span.startS),
    video,
    audio,
    ...facts,
    ...(isSparse ? { unfit: 'sparse' } : {}),
    ...(changes ? { unfit: 'sound-changes' } : {}),
  }
}

/** Whether a transport stream has pictures or sound beside these tracks. */
function isMoreThan(
  { read }: OpenFile,
  { audio }: ShownTracks,
  tracks: readonly (InputVideoTrack | InputAudioTrack)[],
): Promise<boolean> {
  return hasMoreStreams(read, { sound: audio?.id ?? null, all: tracks.map(({ id }) => id) })
}

/** Whether only the other reader plays all of these tracks, piece by piece. */
function isInPieces(
  { isMixed, edits }: MovieTimes,
  tracks: readonly (InputVideoTrack | InputAudioTrack | null)[],
): boolean {
  return isMixed || tracks.some((track) => edits.get(track?.id ?? 0)?.isOnePiece === false)
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
  { format, movie }: { readonly format: string; readonly movie: MovieTimes },
): Promise<ShownSpan & { readonly fileStartS: number }> {
  const isIndexed = INDEXED.has(format)
  const input = opened.input()
  const main = video ?? audio
  const indexed = isIndexed ? main : null
  // What an edit list hides at the start has times below zero.
  const fileStartS = Math.max(0, times.startSeconds ?? (await input.getFirstTimestamp()))
  // What an edit list hides has times above zero too where the track begins late.
  const heldS = Math.max(fileStartS, movie.edits.get(main?.id ?? 0)?.startS ?? 0)
  const storedS = times.mainStartSeconds ?? (await indexed?.getFirstTimestamp()) ?? fileStartS
  const keyS = video === null || format !== BROADCAST ? null : await firstKeyS(video)
  const startS = keyS === null ? storedS : Math.max(storedS, unwrapped(keyS, storedS))
  // Durations of this library are end times.
  const endS =
    (await indexedEndS(indexed, movie)) ??
    times.mainEndSeconds ??
    (isIndexed ? null : await input.getDurationFromMetadata()) ??
    (await input.computeDuration(main === null ? undefined : [main], { metadataOnly: true }))
  const sound = isIndexed && video !== null ? audio : null
  const soundEndS = (await indexedEndS(sound, movie)) ?? times.soundEndSeconds
  return { fileStartS, startS: Math.max(heldS, startS), endS, soundEndS }
}

/**
 * When a track ends by its index, and by the edit list that plays it; null where the index does not
 * tell.
 */
async function indexedEndS(
  track: InputVideoTrack | InputAudioTrack | null,
  { edits }: MovieTimes,
): Promise<number | null> {
  const storedS = (await track?.getDurationFromMetadata()) ?? null
  return storedS === null ? null : Math.min(storedS, edits.get(track?.id ?? 0)?.endS ?? Infinity)
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

/**
 * Whether a video has too few pictures to be edited, by the rule of the server; no more of them are
 * counted than are enough.
 */
async function hasFewPictures(track: InputVideoTrack, durationMs: number): Promise<boolean> {
  const enough = Math.ceil((durationMs / 1_000) * LEAST_PICTURES_PER_SECOND)
  return (await track.computePacketStats(enough, META)).packetCount < enough
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

async function audioReport(track: InputAudioTrack): Promise<AudioTrackReport> {
  return {
    codec: (await track.getCodec()) ?? 'unknown',
    channels: await track.getNumberOfChannels(),
    sampleRate: await track.getSampleRate(),
  }
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
    isHdr: HDR_CURVES.has((await track.getColorSpace()).transfer ?? ''),
  }
}
