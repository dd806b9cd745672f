import { stat } from 'node:fs/promises'
import { err, type Result } from '#recipes/result.ts'
import { closesGaps, HOSTILE_INPUT_FLAGS, MAX_DURATION_MS } from '#server/media/formats.ts'
import { runConfined } from '#server/media/confined.ts'
import { PROBE_MEMORY_BYTES } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
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
}

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
 * than a file of this size can have. Rejects when aborted, and with a `ToolFault` when the machine
 * ended ffprobe or was too slow for it: half of the packets would be a wrong length.
 */
export async function measurePackets(
  ffmpeg: Ffmpeg,
  source: PacketSource,
): Promise<Result<PacketMeasure, MeasureFailure>> {
  const clock = createPacketClock(source, closesGaps(source.formatName))
  let rest = ''
  const sizeBytes = (await stat(source.path)).size
  const end = await runConfined(ffmpeg, {
    tool: 'ffprobe',
    args: (seen) => [
      '-v',
      'error',
      ...HOSTILE_INPUT_FLAGS,
      '-show_entries',
      'packet=codec_type,stream_index,pts_time,dts_time,duration_time,size,flags',
      '-print_format',
      'csv=p=0',
      '-i',
      seen(source.path),
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
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) clock.add(line)
    },
    isEnough: () => enoughRead(clock.soFar(), sizeBytes) !== null,
  })
  const soFar = clock.soFar()
  const enough = enoughRead(soFar, sizeBytes)
  if (enough === 'too-long') return clock.read()
  if (enough === 'too-much')
    return err({ code: 'media/plays-too-much', detail: JSON.stringify({ ...soFar, sizeBytes }) })
  const fault = machineFault(end)
  if (fault !== null) throw fault
  // A broken file ends in an error; what came before it is there.
  if (end.kind === 'timeout') return err({ code: 'media/too-slow', detail: end.stderrTail })
  return clock.read()
}
