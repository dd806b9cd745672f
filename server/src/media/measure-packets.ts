import { stat } from 'node:fs/promises'
import { pictureStartMs } from '#recipes/first-picture.ts'
import { pictureLengthMs } from '#recipes/picture-length.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { closesGaps, HOSTILE_INPUT_FLAGS } from '#server/media/formats.ts'
import { runConfined } from '#server/media/confined.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { machineFault } from '#server/media/process.ts'

/** Which file, and which of its streams has the length: the picture, or the sound without one. */
export interface PacketSource {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
  readonly streamIndex: number
  /** Of the sound beside the picture; null = none. */
  readonly soundIndex: number | null
  /** As ffprobe names it. */
  readonly formatName: string
}

/** What the packets of a file say, whatever its headers claim. Nothing is decoded. */
export interface PacketMeasure {
  /** How long the stream is shown, in milliseconds; ffmpeg plays it no longer. */
  readonly lengthMs: number
  /** How much the file has before the stream. */
  readonly pictureStartMs: number
  /** The longest from one packet of the stream to the next, or from the last one to its end. */
  readonly longestStayMs: number
  /** Whether the sound begins and ends with the picture; null where there is none. */
  readonly soundFits: boolean | null
  /** When the last stream ends, counted from the first packet of the file, in milliseconds. */
  readonly endMs: number
  /** Packets of the stream that are shown: one for each picture, or two where it is interlaced. */
  readonly packets: number
  /** Their bytes together. */
  readonly bytes: number
  /**
   * Packets a second where they follow each other evenly; null where fewer than half of them do.
   */
  readonly evenRate: number | null
  /** The longest time from a key frame of the stream to the next one, or to its end. */
  readonly keyGapMs: number
  /** What follows from the sound, where another one is taken; by the number of its stream. */
  readonly withSound: (soundIndex: number | null) => ShownMeasure
  /** Of all streams by their number: packets that are shown, and from the first one to the end. */
  readonly streams: ReadonlyMap<number, { readonly packets: number; readonly lengthMs: number }>
}

type ShownMeasure = Pick<PacketMeasure, 'lengthMs' | 'longestStayMs' | 'soundFits'>

/** Why the packets give no length; `detail` is for support. */
export interface MeasureFailure {
  readonly code:
    'media/no-packets' | 'media/clock-restarts' | 'media/clock-jumps' | 'media/too-slow'
  readonly detail: string
}

/**
 * Times may fall by this much or by 16 pictures, the most that H.264 stores out of order (A.3.1).
 * ffmpeg takes more for a new clock and plays on, so a length by the times would be too short.
 */
const FALL_S = 1
const MAX_REORDERED = 16
/**
 * ffmpeg's `dts_delta_threshold`: where gaps are closed, a longer one is left out of what it plays,
 * and a length by the times would be too long.
 */
const JUMP_S = 10
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
 * Reads the times of all packets as ffmpeg shows them, with edit lists applied. Rejects when
 * aborted, and with a `ToolFault` when the machine ended ffprobe or was too slow for it: half of
 * the packets would be a wrong length.
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
    limits: { maxFileBytes: 0, cpuSeconds: MIN_CPU_S + sizeBytes / BYTES_PER_CPU_S },
    cwd: source.scratchDir,
    signal: source.signal,
    timeoutMs: MIN_WALL_MS + sizeBytes / BYTES_PER_MS,
    onOutput: (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) clock.add(line)
    },
  })
  const fault = machineFault(end)
  if (fault !== null) throw fault
  // A broken file ends in an error; what came before it is there.
  if (end.kind === 'timeout') return err({ code: 'media/too-slow', detail: end.stderrTail })
  return clock.read()
}

/** The times of one stream, in seconds. */
interface Span {
  startS: number
  endS: number
  latestS: number
  packets: number
  bytes: number
}

/** Adds up the packets of a file, one line of ffprobe's CSV each. */
export interface PacketClock {
  add(line: string): void
  read(): Result<PacketMeasure, MeasureFailure>
}

/**
 * No encoder ends picture and sound together; a packet of sound has up to 64 ms (1,024 samples at
 * 16 kHz).
 */
const FITS_WITHIN_S = 0.1

/**
 * A clock for a file whose stream `streamIndex` has the length; `hasGapsClosed` of one that ffmpeg
 * plays without its gaps.
 */
export function createPacketClock(
  { streamIndex, soundIndex }: Pick<PacketSource, 'streamIndex' | 'soundIndex'>,
  hasGapsClosed = false,
): PacketClock {
  const spans = new Map<number, Span>()
  const fall: Leap = { atS: 0, byS: 0 }
  const jump: Leap = { atS: 0, byS: 0 }
  const rhythm = createRhythm()
  const keys = createKeyGaps()

  const note = (index: number, packet: Packet): void => {
    const { atS, decodedS, durationS, bytes, isKey } = packet
    const span = spans.get(index) ?? spanFrom(packet)
    const byS = span.latestS - decodedS
    const isFall = byS > Math.max(FALL_S, MAX_REORDERED * usualS(span))
    if (index === streamIndex && isFall && byS > fall.byS)
      Object.assign(fall, { atS: span.latestS, byS })
    if (index === streamIndex && hasGapsClosed && -byS >= JUMP_S && -byS > jump.byS)
      Object.assign(jump, { atS: span.latestS, byS: -byS })
    span.startS = Math.min(span.startS, atS)
    span.latestS = Math.max(span.latestS, decodedS)
    span.packets += 1
    span.bytes += bytes
    span.endS = Math.max(span.endS, atS + (durationS > 0 ? durationS : usualS(span)))
    spans.set(index, span)
    if (index !== streamIndex) return
    rhythm.add(atS)
    if (isKey) keys.add(atS, span.startS)
  }
  return {
    add: (line) => {
      const packet = packetIn(line)
      if (packet !== null) note(packet.index, packet)
    },
    read: () => {
      const main = spans.get(streamIndex)
      if (main === undefined)
        return err({ code: 'media/no-packets', detail: 'no packet has a time' })
      if (fall.byS > 0)
        return err({ code: 'media/clock-restarts', detail: `times fall by ${wordsOf(fall)}` })
      if (jump.byS > 0)
        return err({ code: 'media/clock-jumps', detail: `times jump by ${wordsOf(jump)}` })
      const all = [...spans.values()]
      const fileStartS = Math.min(...all.map(({ startS }) => startS))
      const beat = rhythm.read()
      const withSound = shownBy(main, spans, beat)
      return ok({
        ...withSound(soundIndex),
        withSound,
        pictureStartMs: pictureStartMs(fileStartS, main.startS),
        endMs: Math.round((Math.max(...all.map(({ endS }) => endS)) - fileStartS) * 1000),
        packets: main.packets,
        bytes: main.bytes,
        evenRate: beat.evenRate,
        keyGapMs: keys.readMs(main),
        streams: streamsIn(spans),
      })
    },
  }
}

function streamsIn(spans: ReadonlyMap<number, Span>): PacketMeasure['streams'] {
  return new Map(
    [...spans].map(([index, { packets, startS, endS }]) => [
      index,
      { packets, lengthMs: Math.round((endS - startS) * 1000) },
    ]),
  )
}

/** What follows from each of the sounds that may be taken. */
function shownBy(
  main: Span,
  spans: ReadonlyMap<number, Span>,
  beat: Rhythm,
): PacketMeasure['withSound'] {
  return (index) => shownOf(main, index === null ? undefined : spans.get(index), beat)
}

/** How long a picture is shown in all and at most, and whether its sound is as long. */
function shownOf(main: Span, sound: Span | undefined, { longestS, lastS }: Rhythm): ShownMeasure {
  const lengthMs = pictureLengthMs({ ...main, soundEndS: sound?.endS ?? null })
  const endS = main.startS + lengthMs / 1000
  return {
    lengthMs,
    longestStayMs: Math.round(Math.max(longestS, endS - lastS) * 1000),
    soundFits:
      sound === undefined
        ? null
        : Math.max(sound.startS - main.startS, Math.abs(sound.endS - endS)) <= FITS_WITHIN_S,
  }
}

/** The largest step of a clock in one direction, and when. */
interface Leap {
  readonly atS: number
  readonly byS: number
}

function wordsOf({ atS, byS }: Leap): string {
  return `${byS.toFixed(3)} s at ${atS.toFixed(3)} s`
}

/** The packet that a line of ffprobe's CSV tells of; null where it is not shown or has no time. */
function packetIn(line: string): (Packet & { readonly index: number }) | null {
  const [kind, index, shown, decoded, duration, size, flags = ''] = line.split(',')
  // Marked `D`: an edit list or the sound's own delay hides it.
  if ((kind !== 'video' && kind !== 'audio') || flags.includes('D')) return null
  const shownS = Number(shown)
  const decodedS = Number(decoded)
  const atS = Number.isFinite(shownS) ? shownS : decodedS
  if (!Number.isFinite(atS)) return null
  return {
    index: Number(index),
    atS,
    decodedS: Number.isFinite(decodedS) ? decodedS : atS,
    durationS: Number(duration),
    bytes: Number(size),
    isKey: flags.includes('K'),
  }
}

/** One packet; `durationS` is NaN where the file does not say it. */
interface Packet {
  readonly atS: number
  readonly decodedS: number
  readonly durationS: number
  readonly bytes: number
  readonly isKey: boolean
}

function spanFrom({ atS, decodedS }: Packet): Span {
  return { startS: atS, endS: atS, latestS: decodedS, packets: 0, bytes: 0 }
}

/** From one packet to the next, on average. */
function usualS({ startS, latestS, packets }: Span): number {
  return packets < 2 ? 0 : (latestS - startS) / (packets - 1)
}

/** Finds the longest time between two key frames. */
function createKeyGaps(): {
  add(atS: number, startS: number): void
  readMs(span: Pick<Span, 'startS' | 'endS'>): number
} {
  const found: { latestS: number | null; gapS: number } = { latestS: null, gapS: 0 }
  return {
    add: (atS, startS) => {
      found.gapS = Math.max(found.gapS, atS - (found.latestS ?? startS))
      found.latestS = atS
    },
    readMs: ({ startS, endS }) =>
      Math.round(Math.max(found.gapS, endS - (found.latestS ?? startS)) * 1000),
  }
}

/** Longer than this is no rhythm but a still picture. */
const LONGEST_BEAT_MS = 2000
/** Clocks of whole milliseconds and uneven cameras miss the beat by as much. */
const BEAT_SLACK_MS = 1

/** Of the times from one picture to the next, in the order in which they are shown. */
interface Rhythm {
  readonly evenRate: number | null
  readonly longestS: number
  /** When the last picture begins. */
  readonly lastS: number
}

/** Finds the usual time from one picture to the next, and the longest. */
function createRhythm(): { add(atS: number): void; read(): Rhythm } {
  /** The latest times in order; an earlier one may still come between them. */
  const waiting: number[] = []
  /** How often each interval came, by its whole milliseconds, and their sum. */
  const beats = new Map<number, { count: number; sumS: number }>()
  const found = { longestS: 0 }
  const note = (stepS: number): void => {
    found.longestS = Math.max(found.longestS, stepS)
    const ms = Math.round(stepS * 1000)
    if (ms <= 0 || ms > LONGEST_BEAT_MS) return
    const beat = beats.get(ms) ?? { count: 0, sumS: 0 }
    beats.set(ms, { count: beat.count + 1, sumS: beat.sumS + stepS })
  }
  const around = (ms: number): { count: number; sumS: number } => {
    let [count, sumS] = [0, 0]
    for (let each = ms - BEAT_SLACK_MS; each <= ms + BEAT_SLACK_MS; each += 1) {
      count += beats.get(each)?.count ?? 0
      sumS += beats.get(each)?.sumS ?? 0
    }
    return { count, sumS }
  }
  return {
    add: (atS) => {
      const later = waiting.findIndex((each) => each > atS)
      waiting.splice(later < 0 ? waiting.length : later, 0, atS)
      const [first, second] = waiting
      if (waiting.length <= MAX_REORDERED || first === undefined || second === undefined) return
      note(second - first)
      waiting.shift()
    },
    read: () => {
      waiting.forEach((atS, index) => note(atS - (waiting[index - 1] ?? atS)))
      const lastS = waiting.at(-1) ?? 0
      waiting.length = 0
      const all = [...beats.values()].reduce((sum, { count }) => sum + count, 0)
      const usual = [...beats.keys()]
        .map(around)
        .reduce((most, each) => (each.count > most.count ? each : most), { count: 0, sumS: 0 })
      return {
        evenRate: usual.count * 2 > all ? usual.count / usual.sumS : null,
        longestS: found.longestS,
        lastS,
      }
    },
  }
}
