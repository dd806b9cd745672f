import { pictureStartMs } from '#recipes/first-picture.ts'
import { pictureLengthMs } from '#recipes/picture-length.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { createKeyGaps, createRhythm, MAX_REORDERED, type Rhythm } from './picture-rhythm.ts'

/** What the packets of a file say, whatever its headers claim. Nothing is decoded. */
export interface PacketMeasure {
  /** How long the stream is shown, in milliseconds; ffmpeg plays it no longer. */
  readonly lengthMs: number
  /** How much the file has before the stream. */
  readonly pictureStartMs: number
  /** When the first packet of the file that is shown begins, by its clock, in seconds. */
  readonly fileStartS: number
  /** The longest from one packet of the stream to the next, or from the last one to its end. */
  readonly longestStayMs: number
  /** As `SourceProbe` has it. */
  readonly startsWithoutKey: boolean
  /** As `SourceProbe` has it. */
  readonly hidesPictures: boolean
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
  /**
   * The longest time from a key frame of the stream to the next one, or to its end; null but of
   * broadcast formats, in which only the pictures say which those are.
   */
  readonly keyGapMs: number | null
  /** What follows from the sound, where another one is taken; by the number of its stream. */
  readonly withSound: (soundIndex: number | null) => ShownMeasure
  /** Of all streams by their number: packets that are shown, and from the first one to the end. */
  readonly streams: ReadonlyMap<number, { readonly packets: number; readonly lengthMs: number }>
}

type ShownMeasure = Pick<PacketMeasure, 'lengthMs' | 'longestStayMs' | 'soundFits'>

/** Why the packets give no length; `detail` is for support. */
export interface MeasureFailure {
  readonly code:
    | 'media/no-packets'
    | 'media/clock-restarts'
    | 'media/clock-jumps'
    | 'media/plays-too-much'
    | 'media/too-slow'
  readonly detail: string
}

/**
 * Times may fall by this much or by as many pictures as are stored out of order. ffmpeg takes more
 * for a new clock and plays on, so a length by the times would be too short.
 */
const FALL_S = 1
/**
 * ffmpeg's `dts_delta_threshold`: where gaps are closed, a longer one is left out of what it plays,
 * and a length by the times would be too long.
 */
const JUMP_S = 10

/** The times of one stream, in seconds. */
interface Span {
  startS: number
  endS: number
  latestS: number
  packets: number
  bytes: number
}

/** Which stream has the length, and which is the sound beside it; null = none. */
export interface TakenStreams {
  readonly streamIndex: number
  readonly soundIndex: number | null
}

/**
 * Hears of each packet of the stream that has the length and is shown, in the order of the file.
 */
export interface PictureListener {
  readonly onPicture?: (
    packet: Readonly<Record<'atS' | 'bytes', number>> & { readonly isKey: boolean },
  ) => void
}

/** Adds up the packets of a file, one line of ffprobe's CSV each. */
export interface PacketClock {
  add(line: string): void
  /** What all packets of pictures and sound come to until now, hidden ones too. */
  soFar(): { readonly packets: number; readonly bytes: number; readonly longestS: number }
  read(): Result<PacketMeasure, MeasureFailure>
}

/**
 * No encoder ends picture and sound together; a packet of sound has up to 64 ms (1,024 samples at
 * 16 kHz).
 */
const FITS_WITHIN_S = 0.1

/**
 * A clock for a file whose stream `streamIndex` has the length; `isBroadcast` of one that ffmpeg
 * plays without its gaps.
 */
export function createPacketClock(
  { streamIndex, soundIndex, onPicture }: TakenStreams & PictureListener,
  isBroadcast = false,
): PacketClock {
  const spans = new Map<number, Span>()
  const fall: Leap = { atS: 0, byS: 0 }
  const jump: Leap = { atS: 0, byS: 0 }
  const first = createFirstKey(isBroadcast)
  const [keys, hidden] = [createKeyGaps(), createHidden()]
  const read = { packets: 0, bytes: 0 }
  let rhythm = createRhythm()

  const note = (index: number, packet: Packet): void => {
    const span = spans.get(index) ?? spanFrom(packet)
    const byS = span.latestS - packet.decodedS
    const isFall = byS > Math.max(FALL_S, MAX_REORDERED * usualS(span))
    const { latestS: atS } = span
    spans.set(index, grown(span, packet))
    if (index !== streamIndex) return
    if (isFall && byS > fall.byS) Object.assign(fall, { atS, byS })
    if (isBroadcast && -byS >= Math.max(JUMP_S, jump.byS)) Object.assign(jump, { atS, byS: -byS })
    rhythm.add(packet.atS)
    onPicture?.(packet)
    if (isBroadcast && packet.isKey) keys.add(packet.atS, span.startS)
  }
  return {
    add: (line) => {
      const packet = packetIn(line)
      if (packet === null) return
      read.packets += 1
      read.bytes += packet.bytes
      if (packet.index === streamIndex && first.begins(packet, spans)) rhythm = createRhythm()
      if (packet.index === streamIndex) hidden.add(packet, spans.get(streamIndex)?.startS)
      if (packet.isShown) note(packet.index, packet)
    },
    soFar: () => ({ ...read, longestS: longestOf(spans, [streamIndex, soundIndex]) }),
    read: () => {
      const stored = spans.get(streamIndex)
      if (stored === undefined)
        return err({ code: 'media/no-packets', detail: 'no packet has a time' })
      const failure = failureOf(fall, jump)
      if (failure !== null) return err(failure)
      const main = first.shownOf(stored)
      const beat = rhythm.read()
      const withSound = shownBy(main, spans, beat)
      return ok({
        ...withSound(soundIndex),
        withSound,
        startsWithoutKey: first.isLate(stored),
        hidesPictures: hidden.isCopied(main),
        ...inFile(main, [...spans.values()], first.lostS()),
        packets: main.packets,
        bytes: main.bytes,
        evenRate: beat.evenRate,
        keyGapMs: isBroadcast ? keys.readMs(main) : null,
        streams: streamsIn(spans),
      })
    },
  }
}

/** Where the key frame is that a stream can be decoded from ([Note: first picture]). */
interface FirstKey {
  /** Notes a packet of the stream. True where the stream begins with it, and not before. */
  begins(packet: Packet, spans: ReadonlyMap<number, Span>): boolean
  /** When the first packet is shown that was left out. */
  lostS(): number
  /** What can be shown of the stream. */
  shownOf(stored: Span): Span
  /** Whether the first picture that is shown is none that decoding can begin with. */
  isLate(stored: Span): boolean
}

/**
 * An edit list hides the key frame before the pictures that it shows; of an open group, some
 * pictures that are stored after their key frame are shown before it.
 * @param isBroadcast such formats are taken anywhere, and the pictures themselves say which are
 *   keys; of others the index says it, and some leave out the first one
 */
function createFirstKey(isBroadcast: boolean): FirstKey {
  const found = { atS: Infinity, lostS: Infinity }
  return {
    begins: ({ index, atS, isKey }, spans) => {
      if (!isKey || !Number.isFinite(atS) || found.atS < Infinity) return false
      found.atS = atS
      const span = isBroadcast ? spans.get(index) : undefined
      if (span === undefined) return false
      found.lostS = span.startS
      // The clock still counts from what is left out: a jump behind it is one.
      Object.assign(span, { startS: Infinity, endS: -Infinity, packets: 0, bytes: 0 })
      return true
    },
    lostS: () => found.lostS,
    shownOf: (stored) =>
      isBroadcast && found.atS < Infinity
        ? { ...stored, startS: Math.max(stored.startS, found.atS) }
        : stored,
    isLate: ({ startS }) => found.atS > startS,
  }
}

/** A trim that ends between two pictures hides one or two, which outlast nothing. */
const HIDDEN_S = 0.1

/**
 * Packets of the stream that an edit list hides behind its first picture: those that lead to a
 * second piece, and those behind the end. Decoders leave them out, and copies do not.
 */
function createHidden(): {
  /** @param startS when the first picture so far is shown */
  add(packet: Packet, startS: number | undefined): void
  isCopied(shown: Span): boolean
} {
  const state = { latestS: -Infinity, isBetween: false }
  return {
    add: ({ atS, isShown }, startS = Infinity) => {
      if (isShown) state.isBetween ||= state.latestS < atS && state.latestS > startS
      else if (atS > startS) state.latestS = Math.max(state.latestS, atS)
    },
    isCopied: ({ endS }) => state.isBetween || state.latestS > endS + HIDDEN_S,
  }
}

/** How long the longest of these streams is so far. */
function longestOf(spans: ReadonlyMap<number, Span>, indexes: readonly (number | null)[]): number {
  const taken = indexes.flatMap((index) => spans.get(index ?? -1) ?? [])
  return Math.max(0, ...taken.map(({ startS, endS }) => endS - startS))
}

/**
 * Where a stream begins in its file, and where the file ends.
 * @param lostS the first packet of the stream, where it cannot be shown
 */
function inFile(
  { startS }: Span,
  all: readonly Span[],
  lostS: number,
): Pick<PacketMeasure, 'pictureStartMs' | 'fileStartS' | 'endMs'> {
  const fileStartS = Math.min(lostS, ...all.map((each) => each.startS))
  return {
    pictureStartMs: pictureStartMs(fileStartS, startS),
    fileStartS,
    endMs: Math.round((Math.max(...all.map(({ endS }) => endS)) - fileStartS) * 1000),
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

/** Null where a clock neither starts again nor leaves out a gap. */
function failureOf(fall: Leap, jump: Leap): MeasureFailure | null {
  if (fall.byS > 0)
    return { code: 'media/clock-restarts', detail: `times fall by ${wordsOf(fall)}` }
  return jump.byS > 0
    ? { code: 'media/clock-jumps', detail: `times jump by ${wordsOf(jump)}` }
    : null
}

function wordsOf({ atS, byS }: Leap): string {
  return `${byS.toFixed(3)} s at ${atS.toFixed(3)} s`
}

/** The packet that a line of ffprobe's CSV tells of; null where it is neither picture nor sound. */
function packetIn(line: string): Packet | null {
  const [kind, index, shown, decoded, duration, size, flags = ''] = line.split(',')
  if (kind !== 'video' && kind !== 'audio') return null
  const shownS = Number(shown)
  const decodedS = Number(decoded)
  const atS = Number.isFinite(shownS) ? shownS : decodedS
  return {
    index: Number(index),
    // Marked `D`: an edit list or the sound's own delay hides it.
    isShown: Number.isFinite(atS) && !flags.includes('D'),
    atS,
    decodedS: Number.isFinite(decodedS) ? decodedS : atS,
    durationS: Number(duration),
    bytes: Number(size),
    isKey: flags.includes('K'),
  }
}

/** One packet; `durationS` is NaN where the file does not say it. */
interface Packet {
  readonly index: number
  /** False also where it has no time. */
  readonly isShown: boolean
  readonly atS: number
  readonly decodedS: number
  readonly durationS: number
  readonly bytes: number
  readonly isKey: boolean
}

function spanFrom({ atS, decodedS }: Packet): Span {
  return { startS: atS, endS: atS, latestS: decodedS, packets: 0, bytes: 0 }
}

/** The times of a stream with one more packet. Changes the span, of which a file has millions. */
function grown(span: Span, { atS, decodedS, durationS, bytes }: Packet): Span {
  span.startS = Math.min(span.startS, atS)
  span.latestS = Math.max(span.latestS, decodedS)
  span.packets += 1
  span.bytes += bytes
  span.endS = Math.max(span.endS, atS + (durationS > 0 ? durationS : usualS(span)))
  return span
}

/** From one packet to the next, on average. */
function usualS({ startS, latestS, packets }: Span): number {
  return packets < 2 ? 0 : (latestS - startS) / (packets - 1)
}
