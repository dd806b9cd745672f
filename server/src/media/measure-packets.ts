import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { err, type Result } from '#recipes/result.ts'
import { closesGaps, HOSTILE_INPUT_FLAGS, MAX_DURATION_MS } from '#server/media/formats.ts'
import { runConfined } from '#server/media/confined.ts'
import { PROBE_MEMORY_BYTES } from '#server/media/cost.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { writeHusk, type Husk } from '#server/media/movie-husk.ts'
import {
  createPacketClock,
  type MeasureFailure,
  type PacketClock,
  type PacketMeasure,
  type PictureListener,
  type TakenStreams,
} from '#server/media/packet-clock.ts'
import { machineFault } from '#server/media/process.ts'

/** Which file, and which of its streams has the length: the picture, or the sound without one. */
export interface PacketSource extends TakenStreams, PictureListener {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
  /** As ffprobe names it. */
  readonly formatName: string
  readonly tracks: FileProbe['tracks']
}

/** Of less, all is read sooner than a husk is written. */
const LEAST_HUSK_BYTES = 64 * 1024 ** 2

/**
 * Processor time decides what is too much of a file: some formats are taken apart to find their
 * pictures, at some 200 MB a second, and a day of 60 tiny pictures a second takes about a minute.
 */
const MIN_CPU_S = 180
const BYTES_PER_CPU_S = 50_000_000
/**
 * Wall time is the machine's: reading all of a file takes as long as its disk needs, and 2 MB/s is
 * a disk that others keep busy. Its end is no verdict on the file.
 */
const MIN_WALL_MS = 900_000
const BYTES_PER_MS = 2_000

/**
 * A file plays its bytes once, twice where sound stands in the packets of the picture too, as DV
 * has it. A short clip that an editor repeats plays more of them; one whose index names the same
 * bytes again and again is a small file that costs as much as a large one.
 */
const TIMES_PLAYED = 2
const FREE_BYTES = 64 * 1024 ** 2
/** Packets have some bytes each, but for those of two or three hours that no rule needs to know. */
const LEAST_PACKET_BYTES = 8
const FREE_PACKETS = 1_000_000
/** Beside the longest video: what is longer by less is refused by its length all the same. */
const LENGTH_MARGIN_S = 60

/**
 * Whether packets that were read are enough for a verdict: `too-long` or `too-much`; else null.
 * @param sizeBytes of the file
 */
export function enoughRead(
  { packets, bytes, longestS }: ReturnType<PacketClock['soFar']>,
  sizeBytes: number,
): 'too-long' | 'too-much' | null {
  if (longestS > MAX_DURATION_MS / 1000 + LENGTH_MARGIN_S) return 'too-long'
  return bytes > FREE_BYTES + sizeBytes * TIMES_PLAYED ||
    packets > FREE_PACKETS + sizeBytes / LEAST_PACKET_BYTES
    ? 'too-much'
    : null
}

/**
 * Reads the times of all packets as ffmpeg shows them, with edit lists applied, and no more of them
 * than a file of this size can have; of a large MP4 or MOV by its index alone where that says as
 * much ([Note: husks] in movie-husk.ts). Rejects when aborted, and with a `ToolFault` when the
 * machine ended ffprobe or was too slow for it: half of the packets would be a wrong length.
 */
export async function measurePackets(
  ffmpeg: Ffmpeg,
  source: PacketSource,
): Promise<Result<PacketMeasure, MeasureFailure>> {
  const { path, scratchDir, formatName } = source
  const { size: sizeBytes } = await stat(path)
  const isLarge = formatName.startsWith('mov,') && sizeBytes >= LEAST_HUSK_BYTES
  // What was told of pictures could not be taken back.
  if (isLarge && source.onPicture === undefined) {
    const emptied = join(scratchDir, 'husk.mp4')
    try {
      // A disk without room for it is no reason to refuse the file.
      const husk = await writeHusk(path, emptied, source.tracks).catch(() => null)
      const measured =
        husk === null ? null : await survey(ffmpeg, source, { path: emptied, sizeBytes, husk })
      if (measured !== null) return measured
    } finally {
      await rm(emptied, { force: true })
    }
  }
  const measured = await survey(ffmpeg, source, { path, sizeBytes, husk: null })
  if (measured === null) throw new Error('A file without a husk was surveyed by one')
  return measured
}

interface Surveyed {
  /** Of the file, or of its husk. */
  readonly path: string
  /** Of the file. */
  readonly sizeBytes: number
  readonly husk: Husk | null
}

/** Null where a husk did not tell all packets. */
async function survey(
  ffmpeg: Ffmpeg,
  source: PacketSource,
  { path, sizeBytes, husk }: Surveyed,
): Promise<Result<PacketMeasure, MeasureFailure> | null> {
  const clock = createPacketClock(source, closesGaps(source.formatName))
  const sized = husk === null ? (line: string) => line : sizesOf(husk, source.streamIndex)
  const read = { rest: '', isLost: false }
  const add = (line: string): void => {
    const real = sized(line)
    if (real === null) read.isLost = true
    else clock.add(real)
  }
  const end = await runConfined(ffmpeg, {
    tool: 'ffprobe',
    args: (seen) => [
      '-v',
      'error',
      ...HOSTILE_INPUT_FLAGS,
      '-show_entries',
      `packet=codec_type,stream_index,pts_time,dts_time,duration_time,size,flags${husk === null ? '' : ',pos'}`,
      '-print_format',
      'csv=p=0',
      '-i',
      seen(path),
    ],
    limits: {
      maxFileBytes: 0,
      cpuSeconds: MIN_CPU_S + sizeBytes / BYTES_PER_CPU_S,
      memoryBytes: PROBE_MEMORY_BYTES,
    },
    cwd: source.scratchDir,
    signal: source.signal,
    timeoutMs: MIN_WALL_MS + sizeBytes / BYTES_PER_MS,
    onOutput: (text) => {
      const lines = (read.rest + text).split('\n')
      read.rest = lines.pop() ?? ''
      for (const line of lines) add(line)
    },
    isEnough: () => read.isLost || enoughRead(clock.soFar(), sizeBytes) !== null,
  })
  const soFar = clock.soFar()
  const enough = enoughRead(soFar, sizeBytes)
  if (read.isLost) return null
  if (enough === 'too-long') return clock.read()
  if (enough === 'too-much')
    return err({ code: 'media/plays-too-much', detail: JSON.stringify({ ...soFar, sizeBytes }) })
  const fault = machineFault(end)
  if (fault !== null) throw fault
  if (husk !== null && end.kind !== 'done') return null
  // A broken file ends in an error; what came before it is there.
  if (end.kind === 'timeout') return err({ code: 'media/too-slow', detail: end.stderrTail })
  return clock.read()
}

/**
 * Gives lines of a husk as ffprobe prints them of the file; null where that cannot be told. The
 * first packet of the stream has to be a key frame, because no other one of H.264 is known to be.
 */
function sizesOf({ sizeAt }: Husk, streamIndex: number): (line: string) => string | null {
  let hasBegun = false
  return (line) => {
    if (!line.startsWith('video,') && !line.startsWith('audio,')) return ''
    const [kind, index, shown, decoded, duration, size, place, flags = ''] = line.split(',')
    const bytes = sizeAt(Number(place), Number(size))
    const isFirst = !hasBegun && Number(index) === streamIndex
    if (bytes === null || (isFirst && !flags.includes('K'))) return null
    hasBegun ||= isFirst
    return [kind, index, shown, decoded, duration, bytes, flags].join()
  }
}
