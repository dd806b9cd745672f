import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { packArchive, streamArchive } from '#server/media/archive.ts'
import { storedArchive } from '#server/media/stored-archive.ts'

it('packing a file that is not there fails, and ends nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  try {
    const packed = packArchive(
      join(folder, 'stills.zip'),
      [{ path: join(folder, 'missing.jpg'), name: 'still-1.jpg' }],
      new AbortController().signal,
    )
    await expect(packed).rejects.toThrow('ENOENT')
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('LIF-01 a download that ends while its next file is looked for reads nothing of it', async () => {
  const [asked, found, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const read: string[] = []
  const bytesOf = async function* (name: string) {
    read.push(name)
    yield await Promise.resolve('x')
  }
  const members = async function* () {
    try {
      yield { name: 'first.json', chunks: bytesOf('first') }
      asked.resolve()
      await found.promise
      yield { name: 'second.json', chunks: bytesOf('second') }
    } finally {
      ended.resolve()
    }
  }
  const archive = streamArchive(members())
  archive.resume()
  await asked.promise
  const closed = new Promise((resolve) => archive.once('close', resolve))
  archive.destroy()
  await closed
  found.resolve()
  await ended.promise
  expect(read).toEqual(['first'])
})

/** Says that names are UTF-8 (APPNOTE 4.4.4, bit 11). Without it, Windows guesses a code page. */
const IS_UTF8 = 1 << 11
const firstOf = (archive: Buffer) => ({
  isUtf8: (archive.readUInt16LE(6) & IS_UTF8) !== 0,
  name: archive.toString('utf8', 30, 30 + archive.readUInt16LE(26)),
})

it('SRC-08 archives say that their names are UTF-8', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  const expected = { isUtf8: true, name: 'Пляж-海-👍🏽.jpg' }
  try {
    const path = join(folder, 'still.jpg')
    await writeFile(path, 'x')
    const { signal } = new AbortController()
    await packArchive(join(folder, 'stills.zip'), [{ path, name: expected.name }], signal)
    expect(firstOf(await readFile(join(folder, 'stills.zip')))).toEqual(expected)
    const read = async () => await Promise.resolve(Readable.from([Buffer.from('x')]))
    const member = { name: expected.name.normalize('NFD'), sizeBytes: 1, crc32: null, read }
    const stored = storedArchive([member], new Date('2026-11-28')).read(null)
    expect(firstOf(await buffer(stored))).toEqual(expected)
  } finally {
    await rm(folder, { recursive: true })
  }
})
