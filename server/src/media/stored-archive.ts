import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { plainFileName } from '#recipes/naming.ts'
import { freeName } from './free-name.ts'

/** The first and the last byte of a stretch. */
interface InclusiveRange {
  readonly start: number
  readonly end: number
}

/** A finished file of an archive. */
export interface StoredMember {
  readonly name: string
  readonly sizeBytes: number
  /** Of all its bytes, as `checksumOf` says; null: they are read for it where it is needed. */
  readonly crc32: number | null
  /** Its bytes, or these of them. */
  readonly read: (range?: InclusiveRange) => Promise<Readable>
}

/** An archive whose length is known before it is made, and that is made from any byte on. */
export interface StoredArchive {
  readonly sizeBytes: number
  /** All bytes, or these of them. */
  readonly read: (range: InclusiveRange | null) => Readable
}

/** The checksum that an archive has of each file. */
export async function checksumOf(path: string): Promise<number> {
  let sum = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    sum = crc32(chunk as Buffer, sum)
  return sum
}

/**
 * An archive of finished files, not compressed, that is made while it is read, one file after the
 * other: nothing of it is on the disk or in memory. The same members and time make the same bytes,
 * so that a download can go on where it broke off, and only what is asked for is read, but for
 * files whose checksum is not known. Same names get a number. A file that cannot be read, or is
 * shorter, breaks the stream off.
 *
 * Written here because yazl, which makes the other archives, must read every file from its
 * beginning; the bytes are the same as its.
 */
export function storedArchive(members: readonly StoredMember[], madeAt: Date): StoredArchive {
  const taken = new Set<string>()
  let offset = 0
  const entries = members.map((member): Entry => {
    const name = Buffer.from(freeName(plainFileName(member.name), taken))
    const { sizeBytes } = member
    const isLarge = sizeBytes > LARGEST || offset > LARGEST
    const entry = { name, offset, isLarge, member, crc: member.crc32, madeAt }
    offset += LOCAL_BYTES + name.length + sizeBytes + (isLarge ? 24 : 16)
    return entry
  })
  const directoryAt = offset
  const directoryBytes = directoryOf(entries, directoryAt).length
  const pieces: readonly Piece[] = [
    ...entries.flatMap((entry) => [
      madePiece(LOCAL_BYTES + entry.name.length, () => localHeader(entry)),
      filePiece(entry),
      madePiece(entry.isLarge ? 24 : 16, async () => {
        await learnChecksum(entry)
        return descriptorOf(entry)
      }),
    ]),
    madePiece(directoryBytes, async () => {
      for (const entry of entries) await learnChecksum(entry)
      return directoryOf(entries, directoryAt)
    }),
  ]
  const sizeBytes = directoryAt + directoryBytes
  return {
    sizeBytes,
    read: (range) =>
      Readable.from(bytesOf(pieces, range ?? { start: 0, end: sizeBytes - 1 }), {
        objectMode: false,
      }),
  }
}

/** A file in its archive. Its checksum becomes known while it is read. */
interface Entry {
  readonly name: Buffer
  /** Where its header begins. */
  readonly offset: number
  /** Its size, or its place, needs more than four bytes (APPNOTE 4.3.9.2, 4.5.3). */
  readonly isLarge: boolean
  readonly member: StoredMember
  readonly madeAt: Date
  crc: number | null
}

/** A stretch of the archive; `read` gives its bytes from `from` to before `to`. */
interface Piece {
  readonly sizeBytes: number
  readonly read: (from: number, to: number) => AsyncIterable<Buffer>
}

async function* bytesOf(pieces: readonly Piece[], { start, end }: InclusiveRange) {
  let at = 0
  for (const { sizeBytes, read } of pieces) {
    const from = Math.max(0, start - at)
    const to = Math.min(sizeBytes, end + 1 - at)
    at += sizeBytes
    if (from < to) yield* read(from, to)
  }
}

function madePiece(sizeBytes: number, make: () => Buffer | Promise<Buffer>): Piece {
  return {
    sizeBytes,
    async *read(from, to) {
      yield (await make()).subarray(from, to)
    },
  }
}

function filePiece(entry: Entry): Piece {
  const { sizeBytes } = entry.member
  return {
    sizeBytes,
    async *read(from, to) {
      const isWhole = from === 0 && to === sizeBytes
      let [sum, left] = [0, to - from]
      const range = isWhole ? undefined : { start: from, end: to - 1 }
      for await (const chunk of (await entry.member.read(range)) as AsyncIterable<Buffer>) {
        if (isWhole && entry.crc === null) sum = crc32(chunk, sum)
        left -= chunk.length
        if (left < 0) break
        yield chunk
      }
      if (left !== 0) throw new Error('A file of the archive has another size than it had')
      if (isWhole) entry.crc ??= sum
    },
  }
}

async function learnChecksum(entry: Entry): Promise<void> {
  if (entry.crc !== null) return
  let sum = 0
  for await (const chunk of (await entry.member.read()) as AsyncIterable<Buffer>)
    sum = crc32(chunk, sum)
  entry.crc = sum
}

/** The largest number that four bytes hold, where the one above means that eight of them follow. */
const LARGEST = 0xff_ff_ff_fe
const LOCAL_BYTES = 30
const UTF8_AND_SIZES_FOLLOW = (1 << 11) | (1 << 3)
/** Unix, version 6.3 of the specification. */
const MADE_BY = (3 << 8) | 63
const [READ_BY_ALL, READ_BY_64] = [20, 45]
/** A file that its owner and group write and all read. */
const MODE = (0o100664 << 16) >>> 0

/** APPNOTE 4.3.7. */
function localHeader({ name, madeAt }: Entry): Buffer {
  const { date, time } = dosTime(madeAt)
  return Buffer.concat([
    numbers([4, 0x04034b50], [2, READ_BY_ALL], [2, UTF8_AND_SIZES_FOLLOW], [2, 0], [2, time]),
    numbers([2, date], [4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    name,
  ])
}

/** APPNOTE 4.3.9. */
function descriptorOf({ crc, isLarge, member }: Entry): Buffer {
  const bytes = isLarge ? 8 : 4
  const size = [bytes, member.sizeBytes] as const
  return numbers([4, 0x08074b50], [4, crc ?? 0], size, size)
}

/** The list of all files with the end of the archive. APPNOTE 4.3.12 to 4.3.16. */
function directoryOf(entries: readonly Entry[], offset: number): Buffer {
  const records = Buffer.concat(entries.map(recordOf))
  const count = entries.length
  const isLarge = count >= 0xff_ff || offset > LARGEST || records.length > LARGEST
  const ofFour = (value: number) => [4, value > LARGEST ? 0xff_ff_ff_ff : value] as const
  const ofTwo = [2, Math.min(count, 0xff_ff)] as const
  const large = isLarge
    ? Buffer.concat([
        numbers([4, 0x06064b50], [8, 44], [2, MADE_BY], [2, READ_BY_64], [4, 0], [4, 0]),
        numbers([8, count], [8, count], [8, records.length], [8, offset]),
        numbers([4, 0x07064b50], [4, 0], [8, offset + records.length], [4, 1]),
      ])
    : Buffer.alloc(0)
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], ofTwo, ofTwo, ofFour(records.length))
  return Buffer.concat([records, large, end, numbers(ofFour(offset), [2, 0])])
}

/** APPNOTE 4.3.12, with the time in seconds (extra field UT of Info-ZIP). */
function recordOf({ name, offset, isLarge, member, crc, madeAt }: Entry): Buffer {
  const { date, time } = dosTime(madeAt)
  const { sizeBytes } = member
  const seconds = Math.max(0, Math.min(Math.floor(madeAt.getTime() / 1000), 0x7f_ff_ff_ff))
  const extra = Buffer.concat([
    numbers([2, 0x5455], [2, 5], [1, 3], [4, seconds]),
    isLarge
      ? numbers([2, 1], [2, 24], [8, sizeBytes], [8, sizeBytes], [8, offset])
      : Buffer.alloc(0),
  ])
  const ofFour = (value: number) => [4, isLarge ? 0xff_ff_ff_ff : value] as const
  const version = isLarge ? READ_BY_64 : READ_BY_ALL
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, MADE_BY], [2, version], [2, UTF8_AND_SIZES_FOLLOW], [2, 0]),
    numbers([2, time], [2, date], [4, crc ?? 0], ofFour(sizeBytes), ofFour(sizeBytes)),
    numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, MODE]),
    numbers(ofFour(offset)),
    name,
    extra,
  ])
}

const FIRST_DOS_TIME = new Date(1980, 0, 1)
const LAST_DOS_TIME = new Date(2107, 11, 31, 23, 59, 58)

/**
 * In the time of the server's zone, as DOS has it (APPNOTE 4.4.6); of other years the nearest that
 * it has.
 */
function dosTime(wanted: Date): { readonly date: number; readonly time: number } {
  const late = wanted > LAST_DOS_TIME ? LAST_DOS_TIME : wanted
  const at = late < FIRST_DOS_TIME ? FIRST_DOS_TIME : late
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return { date, time }
}

/** Numbers of one, two, four or eight bytes each, the lowest byte first. */
function numbers(...values: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const written = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of values)
    at =
      bytes === 8
        ? written.writeBigUInt64LE(BigInt(value), at)
        : written.writeUIntLE(value, at, bytes)
  return written
}
