import { rateOf } from './sample-times.ts'
import type { ReadBytes } from '#checks/boxes.ts'
import { readSegmentStart, tagsOffset, trackEnds } from '#src/local/probe/segment.ts'
import {
  gridOf,
  packetsIn,
  streamIdsIn,
  unwrapped,
  type PacketGrid,
  type PesPacket,
  type PesPackets,
} from '#src/local/probe/transport-stream.ts'

/**
 * Times that a container gives in few bytes. The fast reader takes clusters and packets apart for
 * them, 5 to 12 MB a file. Null where it gives none: then the packets have to be read.
 */
export interface QuickTimes {
  readonly frameRate: number | null
  /** Of the first picture or sound. */
  readonly startSeconds: number | null
  /** Of the picture, or of a file without one. */
  readonly mainStartSeconds: number | null
  readonly mainEndSeconds: number | null
  /** Of the sound beside a picture. */
  readonly soundEndSeconds: number | null
}
/** Tracks as the fast reader numbers them: PIDs, or the numbers of a segment. */
export interface TrackIds {
  readonly video: number | null
  readonly sound: number | null
  readonly all: readonly number[]
}

export const NO_TIMES: QuickTimes = {
  frameRate: null,
  startSeconds: null,
  mainStartSeconds: null,
  mainEndSeconds: null,
  soundEndSeconds: null,
}
const SEGMENT_HEAD_BYTES = 512 * 1024
/** Tags of a few tracks; pictures are attachments. */
const SEGMENT_TAGS_BYTES = 64 * 1024
const STREAM_HEADS = [1, 4].map((mebibytes) => mebibytes * 1024 ** 2)
/** Enough for a rate: 90,000 ticks a second are exact. */
const PICTURES = 24
/** Some sound ends a while before the file. */
const TAIL_SECONDS = 1
const [MIN_TAIL_BYTES, MAX_TAIL_BYTES] = [512 * 1024, 8 * 1024 ** 2]
/** Pictures that are stored before an earlier one (H.264 §A.3.1). */
const MAX_REORDERED = 16

/**
 * Rate and start as the segment's first bytes say them, and the end of the picture as its tags do;
 * ffprobe believes them as well.
 */
export async function segmentTimes(
  read: ReadBytes,
  { video, sound }: TrackIds,
): Promise<QuickTimes> {
  const head = await read(0, SEGMENT_HEAD_BYTES)
  const start = readSegmentStart(head)
  const stays = video === null ? undefined : start?.pictureSeconds.get(video)
  // Another track may begin earlier than a first block that is late.
  const isAtZero = start?.firstSeconds != null && start.firstSeconds <= 0
  const ends = video === null ? new Map<number, number>() : await notedEnds(read, head)
  const noted = (track: number | null): number | null =>
    (track === null ? null : ends.get(track)) ?? null
  return {
    frameRate: stays === undefined ? null : 1 / stays,
    startSeconds: isAtZero ? start.firstSeconds : null,
    mainStartSeconds: (video === null ? null : start?.trackSeconds.get(video)) ?? null,
    mainEndSeconds: noted(video),
    soundEndSeconds: noted(sound),
  }
}

/**
 * Of the tracks of a segment by their numbers: when they end in seconds, where its tags say so, and
 * how many blocks its first bytes have of them.
 */
export async function segmentTracks(
  read: ReadBytes,
): Promise<Record<'ends' | 'blocks', ReadonlyMap<number, number>>> {
  const head = await read(0, SEGMENT_HEAD_BYTES)
  const blocks = readSegmentStart(head)?.trackBlocks ?? new Map<number, number>()
  return { ends: await notedEnds(read, head), blocks }
}

/** By track. */
async function notedEnds(read: ReadBytes, head: Uint8Array): Promise<ReturnType<typeof trackEnds>> {
  const at = tagsOffset(head)
  if (at === null) return new Map()
  const isHere = at + SEGMENT_TAGS_BYTES <= head.byteLength
  const tags = isHere ? head.subarray(at) : await read(at, at + SEGMENT_TAGS_BYTES)
  return trackEnds(head, tags)
}

/** Rate, start and end by the timestamps of the first and the last packets. */
export async function streamTimes(
  read: ReadBytes,
  sizeBytes: number,
  ids: TrackIds,
): Promise<QuickTimes> {
  for (const headBytes of STREAM_HEADS) {
    const head = await read(0, headBytes)
    const grid = gridOf(head)
    if (grid === null) return NO_TIMES
    const packets = packetsIn(head.subarray(grid.startsAt), grid.strideBytes)
    const pictures = ids.video === null ? [] : (packets.get(ids.video) ?? [])
    const isEnough = ids.video === null || pictures.length >= PICTURES
    if (!isEnough && head.byteLength < sizeBytes && headBytes !== STREAM_HEADS.at(-1)) continue
    const firsts = ids.all
      .flatMap((id) => (packets.get(id) ?? []).slice(0, MAX_REORDERED))
      .map(({ seconds }) => seconds)
    if (firsts.length === 0) return NO_TIMES
    const startSeconds = Math.min(...firsts.map((seconds) => unwrapped(seconds, firsts[0] ?? 0)))
    const frameRate = rateOf(pictures.map(({ seconds }) => unwrapped(seconds, startSeconds)))
    const spanSeconds =
      Math.max(...firsts, ...pictures.map(({ seconds }) => seconds)) - startSeconds
    const tailBytes = await readTail(
      read,
      sizeBytes,
      grid,
      (head.byteLength / Math.max(spanSeconds, 0.04)) * TAIL_SECONDS,
    )
    const tail = packetsIn(tailBytes, grid.strideBytes)
    return {
      frameRate,
      startSeconds,
      mainStartSeconds:
        pictures.length === 0
          ? startSeconds
          : Math.min(
              ...pictures
                .slice(0, MAX_REORDERED)
                .map(({ seconds }) => unwrapped(seconds, startSeconds)),
            ),
      mainEndSeconds: endOf(tail, ids, frameRate, startSeconds),
      soundEndSeconds:
        ids.video === null || ids.sound === null
          ? null
          : endOf(tail, { video: null, all: [ids.sound] }, null, startSeconds),
    }
  }
  return NO_TIMES
}

/** Of pictures and sound (ISO/IEC 13818-1, table 2-22), and of what discs have of both. */
const isOfMedia = (streamId: number): boolean =>
  (streamId >= 0xc0 && streamId <= 0xef) || streamId === 0xfd
/** Subtitles and notes, but sound as well. */
const PRIVATE = 0xbd

/**
 * Whether a transport stream begins with pictures or sound beside these tracks. The fast reader
 * leaves out without a word what it cannot read: MPEG-2 and VC-1, sound of broadcasts (LATM) and
 * of discs.
 */
export async function hasMoreStreams(
  read: ReadBytes,
  { sound, all }: Omit<TrackIds, 'video'>,
): Promise<boolean> {
  const head = await read(0, STREAM_HEADS[0] ?? 0)
  const grid = gridOf(head)
  const ids = grid === null ? [] : streamIdsIn(head.subarray(grid.startsAt), grid.strideBytes)
  return Array.from(ids).some(
    ([pid, id]) => !all.includes(pid) && (isOfMedia(id) || (id === PRIVATE && sound === null)),
  )
}

async function readTail(
  read: ReadBytes,
  sizeBytes: number,
  { startsAt, strideBytes }: PacketGrid,
  wantedBytes: number,
): Promise<Uint8Array> {
  const tailBytes = Math.min(MAX_TAIL_BYTES, Math.max(MIN_TAIL_BYTES, wantedBytes))
  const from =
    startsAt +
    Math.max(0, Math.floor((sizeBytes - tailBytes - startsAt) / strideBytes)) * strideBytes
  return await read(from, sizeBytes)
}

/** Null when the picture, or a track of a file without one, is not met in the tail. */
function endOf(
  tail: PesPackets,
  ids: Pick<TrackIds, 'video' | 'all'>,
  frameRate: number | null,
  startSeconds: number,
): number | null {
  const ends = (ids.video === null ? ids.all : [ids.video]).map((id) => {
    const packets = (tail.get(id) ?? []).map(({ seconds, payloadBytes }) => ({
      seconds: unwrapped(seconds, startSeconds),
      payloadBytes,
    }))
    const latest = Math.max(...packets.map(({ seconds }) => seconds))
    if (id === ids.video) return latest + (frameRate === null ? Number.NaN : 1 / frameRate)
    return latest + lastSoundSeconds(packets)
  })
  return ends.length > 0 && ends.every(Number.isFinite) ? Math.max(...ends) : null
}

/**
 * How long the last packet of sound is heard: by the bytes that one second of those before it
 * takes.
 */
function lastSoundSeconds(packets: readonly PesPacket[]): number {
  const [first, last] = [packets[0], packets.at(-1)]
  if (first === undefined || last === undefined || last.seconds <= first.seconds) return 0
  const bytesBefore = packets.slice(0, -1).reduce((sum, { payloadBytes }) => sum + payloadBytes, 0)
  return bytesBefore === 0 ? 0 : (last.payloadBytes * (last.seconds - first.seconds)) / bytesBefore
}
