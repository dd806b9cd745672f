import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryPartLedger } from '#tests/fakes/part-ledger.ts'
import { lonePartLocks } from '#tests/fakes/part-locks.ts'
import { createPartTurns } from '#server/object-store/part-turns.ts'
import { createPartWriter } from '#server/object-store/part-writer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-writer-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

it('UPL-09 an attempt that follows at once does not wait for a silent one that has only just begun', async () => {
  const memory = createMemoryPartLedger()
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let calls = 0
  const ledger = {
    ...memory,
    look: async (uploadId: string, partNumber: number) => {
      calls += 1
      asked.resolve()
      if (calls === 1) await held.promise
      return await memory.look(uploadId, partNumber)
    },
  }
  const path = join(folder, 'upload')
  await writeFile(path, Buffer.alloc(4))
  const writer = createPartWriter({
    room: { enter: () => Promise.resolve() },
    fileOf: () => path,
    heldFileOf: () => join(folder, 'held'),
    ledger,
    turns: createPartTurns(lonePartLocks),
  })
  const grant = { uploadId: 'u', partNumber: 1, offset: 0, sizeBytes: 4, expiresAtEpochS: 0 }
  const rest = { grant, offset: 0, sizeBytes: 4, checksumSha256: null }
  const silent = writer.write({
    ...rest,
    body: new Readable({ read: () => undefined }),
  })
  const isSuperseded = expect(silent).rejects.toMatchObject({ code: 'parts/superseded' })
  await asked.promise
  const second = writer.write({
    ...rest,
    body: Readable.from([Buffer.from('data')]),
  })
  held.resolve()
  await second
  await isSuperseded
  expect(await readFile(path, 'utf8')).toBe('data')
})

/** A part of 2 MB whose fetch breaks off before its last byte, and what later tries ask for. */
async function breakOff() {
  const whole = randomBytes(2_000_000)
  const path = join(folder, 'upload')
  await writeFile(path, Buffer.alloc(whole.length))
  const memory = createMemoryPartLedger()
  const writer = createPartWriter({
    room: { enter: () => Promise.resolve() },
    fileOf: () => path,
    heldFileOf: () => join(folder, 'held'),
    ledger: memory,
    turns: createPartTurns(lonePartLocks),
  })
  const grant = {
    uploadId: 'u',
    partNumber: 1,
    offset: 0,
    sizeBytes: whole.length,
    expiresAtEpochS: 0,
  }
  const asked: number[] = []
  const fetchPart = async (version: string, end = whole.length): Promise<void> => {
    const from = async function* (offset: number) {
      asked.push(offset)
      for (let at = offset; at < end; at += 65_536)
        // A buffer of its own, which the store may empty.
        yield await Promise.resolve(Buffer.from(whole.subarray(at, Math.min(end, at + 65_536))))
    }
    await writer.writeFetched({ grant, bytes: { version, from } })
  }
  await expect(fetchPart('one', whole.length - 1)).rejects.toMatchObject({ code: 'parts/idle' })
  return { whole, path, asked, fetchPart, parts: async () => await memory.list('u') }
}

it('UPL-09 goes on with a part that it fetches at the byte where it broke off', async () => {
  const { whole, path, asked, fetchPart, parts } = await breakOff()
  await fetchPart('one')
  expect(asked).toEqual([0, whole.length - 1])
  expect((await readFile(path)).equals(whole)).toBe(true)
  expect(await parts()).toMatchObject([
    { checksumSha256: createHash('sha256').update(whole).digest('base64') },
  ])
})

it('UPL-09 adds nothing to what it holds of another version of the file', async () => {
  const { asked, fetchPart } = await breakOff()
  await fetchPart('two')
  expect(asked).toEqual([0, 0])
})

it('UPL-09 begins a part again of which a power cut took bytes that it had noted', async () => {
  const { whole, path, asked, fetchPart } = await breakOff()
  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(4096), 0, 4096, 1_000_000)
  await fetchPart('one')
  expect(asked).toEqual([0, 0])
  expect((await readFile(path)).equals(whole)).toBe(true)
})

it.each(['in one piece', 'in two pieces'])(
  'UPL-09 refuses a part that came %s and is not what its checksum says, and keeps nothing of it',
  async (how) => {
    const memory = createMemoryPartLedger()
    const path = join(folder, 'upload')
    await writeFile(path, Buffer.alloc(4))
    const writer = createPartWriter({
      room: { enter: () => Promise.resolve() },
      fileOf: () => path,
      heldFileOf: () => join(folder, 'held'),
      ledger: memory,
      turns: createPartTurns(lonePartLocks),
    })
    const grant = { uploadId: 'u', partNumber: 1, offset: 0, sizeBytes: 4, expiresAtEpochS: 0 }
    const checksumSha256 = createHash('sha256').update('data').digest('base64')
    const send = async (text: string, offset = 0) =>
      await writer.write({
        grant,
        offset,
        sizeBytes: text.length,
        body: Readable.from([Buffer.from(text)]),
        checksumSha256,
      })
    if (how === 'in two pieces') expect(await send('da')).toEqual({ kind: 'held', offset: 2 })
    const rest = how === 'in two pieces' ? send('to', 2) : send('dato')
    await expect(rest).rejects.toMatchObject({ code: 'parts/damaged' })
    expect(await memory.list('u')).toEqual([])
    expect(await writer.look(grant, checksumSha256)).toEqual({ kind: 'held', offset: 0 })
    expect(await send('data')).toMatchObject({ kind: 'stored' })
  },
)
