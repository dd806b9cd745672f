import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
