import type { TrackFacts } from '#checks/tracks.ts'
import { originOfTags } from '#checks/origin-tags.ts'
import { NO_DEEP_FACTS, type DeepFacts, type SourceFacts } from '#checks/facts.ts'
import { pictureLengthMs } from '#recipes/picture-length.ts'
import { usualMatrix } from '#recipes/picture.ts'
import type { SourceProbe } from '#recipes/types.ts'
import {
  clockSeconds,
  takenStreams,
  tracksOf,
  type FileTrack,
  type LearnedTracks,
} from '#checks/ffprobe-tracks.ts'
import { isImageFormat } from '#server/media/formats.ts'

/**
 * A media file as its headers describe it: sizes as displayed, the length of its picture without a
 * late start. Headers can say anything: `measurePackets` measures what is there.
 */
export interface FileProbe {
  readonly kind: 'video' | 'image' | 'audio'
  /** Of the stream that is measured: the picture, or the sound of a file without one. */
  readonly streamIndex: number
  /** The place of the picture among all pictures of the file, from 0. */
  readonly pictureIndex: number
  /** Of the sound beside the picture; null = none. */
  readonly soundIndex: number | null
  /** What the container claims of all its streams together, in milliseconds; 0 = nothing. */
  readonly claimedMs: number
  /** Of a picture as it is stored, before it is turned or stretched. */
  readonly codedPixels: number
  readonly formatName: string
  readonly contentType: string
  readonly source: SourceProbe
  /** The same, as the shared pre-checks take it. */
  readonly facts: SourceFacts
  readonly deep: DeepFacts
  readonly tracks: readonly FileTrack[]
  /** The same file when more is known of its tracks. */
  readonly whenLearned: (learned: LearnedTracks) => FileProbe
  /** The same file when another of its sounds is chosen, by its place among them from 0. */
  readonly whenChosen: (sound: number) => FileProbe
}

/** What is taken of ffprobe's JSON. */
interface Stream {
  readonly index?: number
  readonly codec_type?: string
  readonly codec_name?: string
  readonly codec_tag_string?: string
  readonly nb_frames?: string
  readonly width?: number
  readonly height?: number
  readonly pix_fmt?: string
  readonly field_order?: string
  /** How many pictures the decoder holds back to put them in order. */
  readonly has_b_frames?: number
  readonly color_space?: string
  readonly color_transfer?: string
  readonly channels?: number
  readonly avg_frame_rate?: string
  readonly r_frame_rate?: string
  readonly sample_aspect_ratio?: string
  readonly duration?: string
  readonly start_time?: string
  readonly disposition?: { readonly attached_pic?: number; readonly default?: number }
  readonly side_data_list?: readonly {
    readonly rotation?: number
    readonly dv_profile?: number
    readonly dv_bl_signal_compatibility_id?: number
  }[]
  readonly tags?: Readonly<Record<string, string>>
}
export interface ProbeJson {
  readonly streams: readonly Stream[]
  /** Pictures, where they were asked for. */
  readonly frames?: readonly Pick<Stream, 'side_data_list'>[]
  readonly format: {
    readonly format_name?: string
    readonly duration?: string
    readonly start_time?: string
    readonly tags?: Readonly<Record<string, string>>
  }
}

/**
 * ffprobe's own output: its shape is fixed by the tool, so only presence is checked, and what was
 * not asked for is empty.
 */
export function parseProbe(text: string): ProbeJson | null {
  try {
    const { streams = [], frames = [], format = {} } = JSON.parse(text) as Partial<ProbeJson>
    return Array.isArray(streams) && typeof format === 'object' ? { streams, frames, format } : null
  } catch {
    return null
  }
}

/** An image of which a picture says how it is turned (EXIF), as ffmpeg shows it. */
export function withTurn(
  { streams, ...rest }: ProbeJson,
  frames: ProbeJson['frames'] = [],
): ProbeJson {
  const turns = frames.flatMap((frame) => frame.side_data_list ?? [])
  const turned = streams.map((stream) => ({
    ...stream,
    side_data_list: [...(stream.side_data_list ?? []), ...turns],
  }))
  return { streams: turned, ...rest }
}

/** The normalised probe of ffprobe's JSON, or null when it holds neither a picture nor sound. */
export function toFileProbe(described: ProbeJson, fileName: string): FileProbe | null {
  const tracks = tracksOf(described.streams, described.format.format_name ?? '', new Map())
  const { video, audio } = takenStreams(tracks)
  return video === null && audio === null ? null : fileProbeOf(described, fileName, tracks)
}

function fileProbeOf(
  described: ProbeJson,
  fileName: string,
  tracks: readonly FileTrack<Stream>[],
): FileProbe {
  const { streams, format } = described
  const formatName = format.format_name ?? ''
  const taken = takenStreams(tracks)
  const [video, audio] = [taken.video?.stream, taken.audio?.stream]
  const kind = video === undefined ? 'audio' : isImageFormat(formatName) ? 'image' : 'video'
  const { width, height } = displayedSize(video)
  const contentType = contentTypeOf(formatName, kind, video?.codec_name ?? '')
  const main = video ?? audio
  const claimedMs = kind === 'image' ? 0 : containerMs(format, main)
  const frameRate =
    kind === 'video' ? (rate(video?.avg_frame_rate) ?? rate(video?.r_frame_rate) ?? 0) : 0
  const heldBack = formatName === 'avi' ? (video?.has_b_frames ?? 0) : 0
  const plain: SourceProbe = {
    ...(taken.facts.taken === undefined ? {} : { tracks: taken.facts.taken }),
    durationMs: kind === 'image' ? 0 : streamMs(format, { main, audio }, claimedMs),
    width,
    height,
    frameRate,
    hasAudio: audio !== undefined,
    videoCodec: video?.codec_name ?? '',
    audioCodec: audio?.codec_name ?? null,
    audioChannels: audio?.channels ?? 0,
    ...(video?.pix_fmt === undefined ? {} : { pixelFormat: video.pix_fmt }),
    ...(isInterlaced(video) === true ? { isInterlaced: true } : {}),
    ...(heldBack > 0 && frameRate > 0 ? { pictureLateMs: (heldBack * 1000) / frameRate } : {}),
    isHdr: video?.color_transfer === 'smpte2084' || video?.color_transfer === 'arib-std-b67',
    fileName,
    ...(formatName === 'mpegts' && audio?.codec_name === 'aac' ? { isAdts: true } : {}),
  }
  const source = video === undefined ? plain : withColorMatrix(plain, video.color_space)
  return {
    kind,
    streamIndex: (taken.video ?? taken.audio)?.streamIndex ?? 0,
    pictureIndex: streams
      .filter((stream) => stream.codec_type === 'video')
      .findIndex((stream) => stream === video),
    soundIndex: video === undefined ? null : (audio?.index ?? null),
    claimedMs,
    codedPixels: (video?.width ?? 0) * (video?.height ?? 0),
    formatName,
    contentType,
    source,
    facts: withDolbyVision(sourceFacts(taken.facts, source, contentType, kind), video),
    deep: deepFacts(video, audio, tagNames(streams, format)),
    tracks,
    whenLearned: (learned) =>
      fileProbeOf(described, fileName, tracksOf(streams, formatName, learned)),
    whenChosen: (sound) => fileProbeOf(described, fileName, choosing(tracks, sound)),
  }
}

function choosing<S extends Stream>(
  tracks: readonly FileTrack<S>[],
  sound: number,
): readonly FileTrack<S>[] {
  return tracks.map((track) => ({
    ...track,
    isChosen: track.kind === 'sound' && track.number === sound,
  }))
}

/** ffprobe's names of the matrices that video is stored with (ITU-T H.273, table 4). */
const MATRICES: Readonly<Record<string, SourceProbe['colorMatrix']>> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  bt2020nc: 'bt2020',
}

/** Says nothing of the matrix: pictures made of red, green and blue have none of their own. */
const UNSAID: ReadonlySet<string> = new Set(['', 'unknown', 'gbr', 'reserved'])

function withColorMatrix(source: SourceProbe, said = ''): SourceProbe {
  const colorMatrix = UNSAID.has(said) ? usualMatrix(source) : MATRICES[said]
  return colorMatrix === undefined ? source : { ...source, colorMatrix }
}

function sourceFacts(
  trackFacts: TrackFacts,
  source: SourceProbe,
  contentType: string,
  kind: FileProbe['kind'],
): SourceFacts {
  return {
    // Endings of names are the browser's to judge: it says so before the upload.
    container: null,
    mimeType: contentType,
    durationMs: source.durationMs,
    video:
      kind !== 'video'
        ? null
        : {
            codec: source.videoCodec,
            displayWidth: source.width,
            displayHeight: source.height,
            frameRate: source.frameRate === 0 ? null : source.frameRate,
            isHdr: source.isHdr,
          },
    audio: source.audioCodec === null ? null : { codec: source.audioCodec },
    ...trackFacts,
  }
}

function withDolbyVision(facts: SourceFacts, video: Stream | undefined): SourceFacts {
  const { dv_profile: profile, dv_bl_signal_compatibility_id: compatibility = 0 } =
    video?.side_data_list?.find((data) => data.dv_profile !== undefined) ?? {}
  return facts.video === null || profile === undefined
    ? facts
    : { ...facts, video: { ...facts.video, dolbyVision: { profile, compatibility } } }
}

/** What headers alone say of the deep check's facts. */
function deepFacts(
  video: Stream | undefined,
  audio: Stream | undefined,
  tags: readonly string[],
): DeepFacts {
  const [videoSpan, audioSpan] = [spanMs(video), spanMs(audio)]
  return {
    ...NO_DEEP_FACTS,
    ...originOfTags(tags),
    isInterlaced: isInterlaced(video),
    sound:
      videoSpan === null || audioSpan === null
        ? null
        : {
            startsLateMs: audioSpan.start - videoSpan.start,
            endsEarlyMs: videoSpan.end - audioSpan.end,
          },
  }
}

/** Null where the file does not say it. */
function isInterlaced(video: Stream | undefined): boolean | null {
  return video?.field_order === undefined || video.field_order === 'unknown'
    ? null
    : video.field_order !== 'progressive'
}

function tagNames(streams: readonly Stream[], format: ProbeJson['format']): readonly string[] {
  return [format.tags, ...streams.map((stream) => stream.tags)].flatMap((tags) =>
    Object.keys(tags ?? {}),
  )
}

function spanMs(
  stream: Stream | undefined,
): { readonly start: number; readonly end: number } | null {
  const [start, length] = [Number(stream?.start_time), Number(stream?.duration)]
  return Number.isFinite(start) && Number.isFinite(length)
    ? { start: Math.round(start * 1000), end: Math.round((start + length) * 1000) }
    : null
}

function displayedSize(video: Stream | undefined): { width: number; height: number } {
  const [num, den] = (video?.sample_aspect_ratio ?? '').split(':').map(Number)
  const aspect = num !== undefined && den !== undefined && num > 0 && den > 0 ? num / den : 1
  const width = Math.round((video?.width ?? 0) * (aspect > 0.1 && aspect < 10 ? aspect : 1))
  const height = video?.height ?? 0
  const rotation =
    video?.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ??
    Number(video?.tags?.['rotate'] ?? 0)
  return Math.abs(rotation) % 180 === 90 ? { width: height, height: width } : { width, height }
}

/**
 * The container's length. Matroska's ends where the last frame ends, counted from 0, so a late
 * start is not part of it; the others give the length itself (`end - start`).
 */
function containerMs(format: ProbeJson['format'], main: Stream | undefined): number {
  const total = Number(format.duration ?? main?.duration ?? 0)
  const late = isMatroska(format) ? Math.max(0, Number(format.start_time ?? 0)) : 0
  const seconds = late < total ? total - late : total
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0
}

/**
 * How long the main stream is shown. The last packet of the sound often outlasts the picture, so
 * the container's length stands in only where the stream has none.
 */
function streamMs(
  format: ProbeJson['format'],
  { main, audio }: { readonly main: Stream | undefined; readonly audio: Stream | undefined },
  claimedMs: number,
): number {
  const soundEndS = main === audio ? NaN : endOfStreamS(format, audio)
  const shownMs = pictureLengthMs({
    startS: Number(main?.start_time ?? 0),
    endS: endOfStreamS(format, main),
    soundEndS: Number.isFinite(soundEndS) ? soundEndS : null,
  })
  return shownMs > 0 && shownMs < claimedMs ? shownMs : claimedMs
}

/** Matroska's writers note a stream's end in a tag; NaN where nothing says it. */
function endOfStreamS(format: ProbeJson['format'], stream: Stream | undefined): number {
  const noted = isMatroska(format) ? clockSeconds(stream?.tags?.['DURATION']) : null
  return noted ?? Number(stream?.start_time ?? 0) + Number(stream?.duration)
}

function isMatroska(format: ProbeJson['format']): boolean {
  return /matroska|webm/.test(format.format_name ?? '')
}

function rate(text: string | undefined): number | null {
  const [num, den] = (text ?? '').split('/').map(Number)
  const value = (num ?? 0) / (den ?? 0)
  return Number.isFinite(value) && value > 0 && value <= 1000
    ? Math.round(value * 1000) / 1000
    : null
}

function contentTypeOf(formatName: string, kind: FileProbe['kind'], codec: string): string {
  const first = formatName.split(',')[0] ?? ''
  if (kind === 'image')
    return (
      { png: 'image/png', webp: 'image/webp', bmp: 'image/bmp', tiff: 'image/tiff' }[codec] ??
      'image/jpeg'
    )
  if (kind === 'audio')
    return (
      {
        mp3: 'audio/mpeg',
        wav: 'audio/wav',
        aac: 'audio/aac',
        flac: 'audio/flac',
        aiff: 'audio/aiff',
        ogg: 'audio/ogg',
        matroska: 'audio/webm',
      }[first] ?? 'audio/mp4'
    )
  return (
    {
      matroska: 'video/x-matroska',
      avi: 'video/x-msvideo',
      mpegts: 'video/mp2t',
      mpeg: 'video/mpeg',
      flv: 'video/x-flv',
      asf: 'video/x-ms-asf',
      mxf: 'application/mxf',
      ogg: 'video/ogg',
      gif: 'image/gif',
    }[first] ?? 'video/mp4'
  )
}
