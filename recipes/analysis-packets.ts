/** Packets of one picture each, summed over this much time. */
export const BUCKET_MS = 500

/** What the packets of a video say of all of it; nothing is decoded for it. */
export interface PacketSurvey {
  /** Where decoding can begin, in order of time. */
  readonly keysMs: readonly number[]
  /** Where a picture was large for its place: a cut is at one of them, or at a key frame. */
  readonly largeMs: readonly number[]
  /**
   * For each `BUCKET_MS` the mean size in bytes of the pictures that depend on others (P and B
   * frames), which grow with what moves. 0 where there are none.
   */
  readonly sizes: readonly number[]
}

/** Reads what the muxer `framecrc` prints, in pieces of any length. */
export interface PacketReader {
  read(text: string): void
  survey(): PacketSurvey
}

/** What is known of the packets that were added. */
export interface PacketTally {
  add(packet: Packet): void
  survey(): PacketSurvey
}

/** A picture this many times as large as the largest of the second before is new as a whole. */
const LARGE = 2.5
/** Pictures that count as the second before. */
const RECENT = 25

/** Lines that it does not know are passed over, so the text may be cut off. */
export function createPacketReader(): PacketReader {
  const tally = createTally()
  const state = { rest: '', tickMs: 0 }
  return {
    read: (text) => {
      const lines = (state.rest + text).split('\n')
      state.rest = lines.pop() ?? ''
      for (const line of lines) {
        const packet = packetOf(line, state.tickMs)
        if (packet !== null) tally.add(packet)
        else state.tickMs = tickOf(line) ?? state.tickMs
      }
    },
    survey: tally.survey,
  }
}

/** One picture as it is stored. */
export interface Packet {
  readonly atMs: number
  readonly bytes: number
  readonly isKey: boolean
}

/** `#tb 0: 1/15360` */
function tickOf(line: string): number | null {
  const match = /^#tb 0: (\d+)\/(\d+)$/.exec(line)
  return match === null ? null : (Number(match[1]) / Number(match[2])) * 1000
}

/** `0, dts, pts, duration, size, checksum, F=0x0`, where the flags are those of no key frame. */
function packetOf(line: string, tickMs: number): Packet | null {
  if (!line.startsWith('0,')) return null
  const [, , pts, , size, , flags] = line.split(',').map((word) => word.trim())
  const atMs = Number(pts) * tickMs
  const bytes = Number(size)
  if (!Number.isFinite(atMs) || !Number.isFinite(bytes) || atMs < 0) return null
  return { atMs, bytes, isKey: flags === undefined || !flags.startsWith('F=0x0') }
}

/** Sums packets up, which come in the order in which they are stored. */
export function createTally(): PacketTally {
  const keysMs: number[] = []
  const largeMs: number[] = []
  const sums: { bytes: number; pictures: number }[] = []
  const recent: number[] = []
  const addDependent = ({ atMs, bytes }: Packet): void => {
    if (recent.length === RECENT && bytes > LARGE * Math.max(...recent)) largeMs.push(atMs)
    recent.push(bytes)
    if (recent.length > RECENT) recent.shift()
    const sum = sums[Math.floor(atMs / BUCKET_MS)]
    if (sum === undefined) return
    sum.bytes += bytes
    sum.pictures += 1
  }
  return {
    add: (packet) => {
      // A time far ahead would fill the memory: no source is longer than a day.
      const bucket = Math.min(Math.floor(packet.atMs / BUCKET_MS), 200_000)
      while (sums.length <= bucket) sums.push({ bytes: 0, pictures: 0 })
      if (packet.isKey) keysMs.push(packet.atMs)
      else addDependent(packet)
    },
    survey: () => ({
      keysMs: keysMs.toSorted((a, b) => a - b),
      largeMs: largeMs.toSorted((a, b) => a - b),
      sizes: sums.map(({ bytes, pictures }) => (pictures === 0 ? 0 : bytes / pictures)),
    }),
  }
}
