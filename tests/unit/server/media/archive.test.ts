import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packArchive, streamArchive } from '#server/media/archive.ts'

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
