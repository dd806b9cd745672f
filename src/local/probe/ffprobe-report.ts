import * as v from 'valibot'
import {
  clockSeconds,
  takenStreams,
  tracksOf,
  type FileTrack,
  type LearnedTracks,
} from '#checks/ffprobe-tracks.ts'
import { pictureStartMs } from '#recipes/first-picture.ts'
import { pictureLengthMs } from '#recipes/picture-length.ts'
import type { MovieTimes } from './movie-times.ts'
import type { AudioTrackReport, ProbeReport, VideoTrackReport } from './report.ts'

const text = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String)))
const numeric = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number)))
const stream = v.object({
  /** Of MP4 and MOV, the number of the track, as `0x1`. */
  id: v.optional(v.string()),
  codec_type: v.optional(v.string()),
  codec_name: v.optional(v.string()),
  codec_tag_string: v.optional(v.string()),
  nb_frames: text,
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  sample_aspect_ratio: v.optional(v.string()),
  avg_frame_rate: v.optional(v.string()),
  r_frame_rate: v.optional(v.string()),
  bit_rate: numeric,
  start_time: numeric,
  duration: text,
  color_transfer: v.optional(v.string()),
  channels: v.optional(v.number()),
  sample_rate: numeric,
  disposition: v.optional(
    v.object({ attached_pic: v.optional(v.number()), default: v.optional(v.number()) }),
  ),
  tags: v.optional(
    v.record(v.string(), v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  ),
  side_data_list: v.optional(v.array(v.object({ rotation: numeric }))),
})
const answer = v.object({
  streams: v.optional(v.array(stream), []),
  format: v.object({
    format_name: v.string(),
    start_time: numeric,
    duration: numeric,
    bit_rate: numeric,
  }),
})
type Stream = v.InferOutput<typeof stream>
type Format = v.InferOutput<typeof answer>['format']

/** Container words for ffprobe's format names. */
const CONTAINERS: readonly (readonly [RegExp, string, string])[] = [
  [/mov|mp4/, 'MP4', 'video/mp4'],
  [/matroska|webm/, 'MKV', 'video/x-matroska'],
  [/avi/, 'AVI', 'video/x-msvideo'],
  [/flv/, 'FLV', 'video/x-flv'],
  [/asf/, 'WMV', 'video/x-ms-wmv'],
  [/mpegts/, 'MPEG-TS', 'video/mp2t'],
  [/mpeg/, 'MPEG', 'video/mpeg'],
  [/ogg/, 'Ogg', 'video/ogg'],
  [/image2|_pipe$|gif/, 'image', 'image/*'],
]

/**
 * ffprobe's JSON as a report without findings; null when it is not what ffprobe writes for a
 * readable file.
 * @param learned what else is known of its tracks
 * @param edits edit lists of an MP4 or MOV by track: ffprobe counts what they leave empty as length
 */
export function ffprobeReport(
  json: unknown,
  sizeBytes: number,
  learned?: LearnedTracks,
  edits: MovieTimes['edits'] = new Map(),
): Omit<ProbeReport, 'findings' | 'tookMs'> | null {
  const parsed = v.safeParse(answer, json)
  if (!parsed.success) return null
  const { streams, format } = parsed.output
  const tracks = tracksOf(streams, format.format_name, learned)
  const { video, audio, facts } = takenStreams(tracks)
  const container = CONTAINERS.find(([pattern]) => pattern.test(format.format_name))
  const isImage = container?.[1] === 'image'
  return {
    engine: 'ffmpeg-wasm',
    container: container?.[1] ?? format.format_name,
    mimeType: container?.[2] ?? null,
    sizeBytes,
    ...lengthOf(format, { video: video?.stream, audio: audio?.stream }, edits),
    video: video === null || isImage ? null : videoReport(video.stream),
    audio: audio === null ? null : audioReport(audio.stream),
    ...facts,
  }
}

/** The sounds that ffprobe tells of and edits can decode; empty for what is no answer of it. */
export function soundsIn(json: unknown): readonly FileTrack[] {
  const parsed = v.safeParse(answer, json)
  return parsed.success
    ? tracksOf(parsed.output.streams, parsed.output.format.format_name).filter(
        ({ kind, isDecodable }) => kind === 'sound' && isDecodable,
      )
    : []
}

/** That of the picture; of all streams together where it has none of its own. */
function lengthOf(
  format: Format,
  { video, audio }: { readonly video: Stream | undefined; readonly audio: Stream | undefined },
  edits: MovieTimes['edits'],
): Pick<ProbeReport, 'durationMs' | 'pictureStartMs'> {
  const totalS = finite(format.duration)
  const totalMs = totalS === null ? null : Math.round(totalS * 1_000)
  const fileStartS = finite(format.start_time) ?? 0
  const [shown, heard] = [video, audio].map((each) => spanOf(each, fileStartS, edits))
  if (shown == null) return { durationMs: totalMs }
  const ownMs = pictureLengthMs({ ...shown, soundEndS: heard?.endS ?? null })
  return {
    durationMs: totalMs === null ? ownMs : Math.min(ownMs, totalMs),
    pictureStartMs: pictureStartMs(fileStartS, shown.startS),
  }
}

/**
 * When a stream is shown, in seconds by the clock of the file; null where nothing says it. Writers
 * of Matroska note its end in a tag.
 */
function spanOf(
  stream: Stream | undefined,
  fileStartS: number,
  edits: MovieTimes['edits'],
): { readonly startS: number; readonly endS: number } | null {
  const edited = edits.get(Number(stream?.id))
  const startS = Math.max(finite(stream?.start_time) ?? fileStartS, edited?.startS ?? 0)
  const lastsS = finite(Number(stream?.duration ?? Number.NaN))
  const endS =
    lastsS === null
      ? clockSeconds(stream?.tags?.['DURATION'])
      : Math.min(startS + lastsS, edited?.endS ?? Infinity)
  return endS === null || endS <= startS ? null : { startS, endS }
}

/** As the server believes it. */
const MOST_RATE = 1000

/** Any angle as clockwise 0, 90, 180 or 270. */
export function clockwise(degrees: number): VideoTrackReport['rotation'] {
  const turned = (((Math.round(degrees / 90) * 90) % 360) + 360) % 360
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0
}

function videoReport(found: Stream): VideoTrackReport {
  // The display matrix counts counter-clockwise, the old tag clockwise.
  const matrix = finite(found.side_data_list?.find((data) => data.rotation !== undefined)?.rotation)
  const rotation =
    matrix === null
      ? clockwise(finite(Number(found.tags?.['rotate'] ?? 0)) ?? 0)
      : clockwise(-matrix)
  const width = found.width ?? 0
  const height = found.height ?? 0
  const wide = Math.round(width * ratio(found.sample_aspect_ratio))
  const isTurned = rotation === 90 || rotation === 270
  return {
    codec: found.codec_name ?? 'unknown',
    codecString: null,
    codedWidth: width,
    codedHeight: height,
    displayWidth: isTurned ? height : wide,
    displayHeight: isTurned ? wide : height,
    rotation,
    frameRate: rate(found.avg_frame_rate) ?? rate(found.r_frame_rate),
    bitRate: finite(found.bit_rate),
    isHdr: found.color_transfer === 'smpte2084' || found.color_transfer === 'arib-std-b67',
  }
}

function audioReport(found: Stream): AudioTrackReport {
  return {
    codec: found.codec_name ?? 'unknown',
    channels: found.channels ?? 0,
    sampleRate: finite(found.sample_rate) ?? 0,
  }
}

/** `30000/1001` as a number; null of `0/0`, and of the ticks of a clock. */
function rate(text = ''): number | null {
  const [above = 0, below = 0] = text.split('/').map(Number)
  return above > 0 && below > 0 && above / below <= MOST_RATE ? above / below : null
}

/** `4:3` as a number; 1 when it says nothing. */
function ratio(text = ''): number {
  const [above = 0, below = 0] = text.split(':').map(Number)
  return above > 0 && below > 0 ? above / below : 1
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
