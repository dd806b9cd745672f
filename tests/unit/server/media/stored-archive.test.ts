import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { storedArchive, type StoredMember } from '#server/media/stored-archive.ts'
import { createRandom } from '#tests/faults/random.ts'
import { unzip } from '#tests/setup/zip.ts'

const MADE_AT = new Date('2026-11-28T19:05:31Z')
const random = createRandom(31)
const files = [300_000, 0, 90_001].map((size, at) => ({
  name: ['Beach.mp4', 'empty.txt', 'Пляж-海.jpg'][at] ?? '',
  bytes: Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256))),
}))

/** The files as members; `read` counts what was read of all of them. */
function membersOf(isKnown: boolean) {
  const read = { bytes: 0 }
  const members = files.map(({ name, bytes }): StoredMember => {
    const open = (range = { start: 0, end: bytes.length - 1 }) => {
      const asked = bytes.subarray(range.start, range.end + 1)
      read.bytes += asked.length
      const half = asked.length >> 1
      return Promise.resolve(Readable.from([asked.subarray(0, half), asked.subarray(half)]))
    }
    return { name, sizeBytes: bytes.length, crc32: isKnown ? crc32(bytes) : null, read: open }
  })
  return { members, read }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

it.each([true, false])(
  'LIF-03 the archive is that of yazl, checksums known: %s',
  async (isKnown) => {
    const zip = new ZipFile()
    for (const { name, bytes } of files)
      zip.addReadStream(Readable.from([bytes]), name, {
        compress: false,
        size: bytes.length,
        mtime: MADE_AT,
      })
    zip.end()
    const expected = await buffer(zip.outputStream as Readable)
    const { members, read } = membersOf(isKnown)
    const archive = storedArchive(members, MADE_AT)
    expect(archive.sizeBytes).toBe(expected.length)
    const whole = await buffer(archive.read(null))
    expect(digestOf(whole)).toBe(digestOf(expected))
    expect(read.bytes).toBe(390_001)
    expect([...unzip(whole).keys()]).toEqual(files.map(({ name }) => name))
  },
)

it.each(['1970-01-01', '1979-12-31', '2108-06-01', '9999-01-01'])(
  'LIF-03 a clock that says %s makes an archive too, of the nearest time that one can have',
  async (day) => {
    const zip = new ZipFile()
    const [file] = files
    const mtime = new Date(`${day}T12:00:00Z`)
    zip.addBuffer(file?.bytes ?? Buffer.alloc(0), 'a', { compress: false, mtime })
    zip.end()
    const timeOf = (bytes: Buffer) => bytes.subarray(10, 14).toString('hex')
    const whole = await buffer(storedArchive(membersOf(true).members, mtime).read(null))
    expect(timeOf(whole)).toBe(timeOf(await buffer(zip.outputStream as Readable)))
  },
)

it.each([true, false])(
  'LIF-03 a range is as in the whole archive, and nothing before it is read, checksums known: %s',
  async (isKnown) => {
    const whole = await buffer(storedArchive(membersOf(isKnown).members, MADE_AT).read(null))
    const size = whole.length
    const starts = [0, 29, 30, 40, 300_030, 300_050, 300_100, size - 90_200, size - 300, size - 1]
    for (const start of [...starts, ...starts.map(() => Math.floor(random() * size))])
      for (const end of [start, Math.min(start + 17, size - 1), size - 1]) {
        const { members, read } = membersOf(isKnown)
        const part = await buffer(storedArchive(members, MADE_AT).read({ start, end }))
        expect(digestOf(part), `${start}-${end}`).toBe(digestOf(whole.subarray(start, end + 1)))
        if (isKnown) expect(read.bytes).toBeLessThanOrEqual(end - start + 1)
      }
  },
)

it('LIF-03 files past 4 GiB have their sizes and places in eight bytes', async () => {
  const sizeBytes = 5 * 2 ** 30
  const nothing = () => Promise.reject(new Error('A file was read'))
  const member = (name: string) => ({ name, sizeBytes, crc32: 7, read: nothing })
  const archive = storedArchive([member('one.mp4'), member('two.mp4')], MADE_AT)
  const at = async (start: number, length: number) =>
    await buffer(archive.read({ start, end: start + length - 1 }))
  const end = await at(archive.sizeBytes - 98, 98)
  expect(end.readUInt32LE(0)).toBe(0x06064b50)
  const directory = Number(end.readBigUInt64LE(48))
  const record = await at(directory, 2 * (46 + 7 + 9 + 28))
  expect([record.readUInt32LE(90), record.readUInt16LE(90 + 62)]).toEqual([0x02014b50, 1])
  const [size, place] = [record.readBigUInt64LE(90 + 66), record.readBigUInt64LE(90 + 82)]
  expect([Number(size), Number(place)]).toEqual([sizeBytes, 30 + 7 + sizeBytes + 24])
  expect((await at(Number(place), 4)).readUInt32LE(0)).toBe(0x04034b50)
  const descriptor = await at(Number(place) - 24, 24)
  expect([descriptor.readUInt32LE(4), Number(descriptor.readBigUInt64LE(16))]).toEqual([
    7,
    sizeBytes,
  ])
})

it.each([-1, 1])(
  'LIF-03 a file of another size by %s breaks the archive off',
  async (difference) => {
    const read = () => Promise.resolve(Readable.from([Buffer.alloc(10 + difference)]))
    const archive = storedArchive([{ name: 'a', sizeBytes: 10, crc32: 1, read }], MADE_AT)
    await expect(buffer(archive.read(null))).rejects.toThrow('another size')
  },
)
