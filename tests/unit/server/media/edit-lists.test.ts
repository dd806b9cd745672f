import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { longestEditList } from '#server/media/edit-lists.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-test-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

function box(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

/** Entries of a list, whose count stands behind its version and flags. */
function listOf(entries: number): Buffer {
  const body = Buffer.alloc(8 + 12 * entries)
  body.writeUInt32BE(entries, 4)
  return box('trak', box('edts', box('elst', body)))
}

it.each([
  ['at the end of what is read at a time', 4096],
  ['behind hundreds of small boxes', 20_000],
])('TRU-03 the longest edit list of a file is found %s', async (_, before) => {
  const path = join(folder, 'lists.mp4')
  // Each byte of a header comes to lie on both sides of the border.
  for (let more = 0; more < 48; more += 4) {
    const small = Array.from({ length: (before - 64) / 8 }, () => box('free', Buffer.alloc(0)))
    const odd = box('free', Buffer.alloc(more))
    const movie = box('moov', Buffer.concat([listOf(3), listOf(7), listOf(5)]))
    await writeFile(path, Buffer.concat([...small, odd, movie]))
    expect(await longestEditList(path)).toBe(7)
  }
})

it('TRU-03 a list that says more entries than it has room for has as many as fit', async () => {
  const path = join(folder, 'said.mp4')
  const bytes = box('moov', listOf(4))
  bytes.writeUInt32BE(4_000_000, bytes.length - 12 * 4 - 4)
  await writeFile(path, bytes)
  expect(await longestEditList(path)).toBe(4)
  await writeFile(path, bytes.subarray(0, 20))
  expect(await longestEditList(path)).toBe(0)
})
