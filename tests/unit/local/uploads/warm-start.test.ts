import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFakeFile, fakeSource } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld } from '#tests/fakes/upload-world.ts'
import { createWarmStarts } from '#src/local/uploads/engine/warm-start.ts'
import type { ByteSource, ServerUpload } from '#src/local/uploads/ports.ts'
import { ok } from '#src/lib/result.ts'

const PART = 1_000
const PLAN = { partSizeBytes: PART, partCount: 8, sizeBytes: 8 * PART }
const SERVER: ServerUpload = {
  uploadRequestId: 'server-1',
  state: 'open',
  failureReason: null,
  parts: [],
}
const file = createFakeFile('scene.mp4', 8 * PART)

function sha256(start: number, end: number): string {
  return createHash('sha256').update(file.bytes.subarray(start, end)).digest('base64')
}

/** Two drafts of the same file, which is in memory; `reads` lists what was read of it. */
function begun(
  options: { readonly usualPartBytes?: number | null; readonly isSendLockFree?: boolean } = {},
) {
  const { usualPartBytes = PART, isSendLockFree = true } = options
  const world = createUploadWorld(PART)
  const [one, two] = [world.addDraft(file), world.addDraft(file)]
  const reads: string[] = []
  const source: ByteSource = {
    ...fakeSource(file),
    read: (start, end) => {
      reads.push(`${start}-${end}`)
      return fakeSource(file).read(start, end)
    },
  }
  const warmStarts = createWarmStarts(
    {
      clock: world.clock,
      digest: (bytes) => crypto.subtle.digest('SHA-256', bytes),
      usualPartBytes: () => Promise.resolve(usualPartBytes),
      bytes: {
        open: () => Promise.resolve(ok(source)),
        isHeld: () => true,
        hold: () => undefined,
        letGo: () => undefined,
        keepCopy: () => Promise.resolve(),
      },
      store: { ...fakeStore, read: (id) => Promise.resolve(world.row(id)) },
    },
    () => Promise.resolve(isSendLockFree),
  )
  return { clock: world.clock, warmStarts, reads, one: one.id, two: two.id }
}

const unused = (): never => {
  throw new Error('not asked for here')
}
const fakeStore = {
  list: unused,
  change: unused,
  parts: unused,
  putPart: unused,
  replaceParts: unused,
  dropBytes: unused,
  remove: unused,
  watch: unused,
  watchAll: unused,
}
/** The first five in the order of sending: the last part right after the first. */
const FIRST = ['0-1000', '7000-8000', '1000-2000', '2000-3000', '3000-4000']

describe('an upload that is being created', () => {
  it('has its first parts read meanwhile, each once', async () => {
    const { warmStarts, reads, one } = begun()
    warmStarts.expect(one)
    await expect.poll(() => reads, { interval: 1 }).toEqual(FIRST)
    warmStarts.keep(one, SERVER, PLAN, true)
    const warmStart = await warmStarts.take(one, 'server-1')
    expect(await warmStart?.readAhead?.hashes.take(8)).toEqual({
      ok: true,
      value: sha256(7 * PART, 8 * PART),
    })
    expect(reads).toEqual(FIRST)
  })

  it('is read by the plan of the server, where that is another than expected', async () => {
    const { warmStarts, one } = begun({ usualPartBytes: 3 * PART })
    warmStarts.expect(one)
    warmStarts.keep(one, SERVER, PLAN, true)
    const warmStart = await warmStarts.take(one, 'server-1')
    expect(await warmStart?.readAhead?.hashes.take(2)).toEqual({
      ok: true,
      value: sha256(PART, 2 * PART),
    })
  })

  it('is read only when it is created, where the size of its parts is not known before', async () => {
    const { warmStarts, reads, one } = begun({ usualPartBytes: null })
    warmStarts.expect(one)
    warmStarts.keep(one, SERVER, PLAN, true)
    const warmStart = await warmStarts.take(one, 'server-1')
    expect(await warmStart?.readAhead?.hashes.take(1)).toEqual({ ok: true, value: sha256(0, PART) })
    await expect.poll(() => reads, { interval: 1 }).toEqual(FIRST)
  })

  it('is not read while another one is sent or expected', async () => {
    const busy = begun({ isSendLockFree: false })
    busy.warmStarts.expect(busy.one)
    busy.warmStarts.keep(busy.one, SERVER, PLAN, false)
    expect(await busy.warmStarts.take(busy.one, 'server-1')).toEqual({
      server: SERVER,
      readAhead: null,
    })
    expect(busy.reads).toEqual([])

    const { warmStarts, reads, one, two } = begun()
    warmStarts.expect(one)
    warmStarts.expect(two)
    warmStarts.keep(two, SERVER, PLAN, false)
    expect(await warmStarts.take(two, 'server-1')).toEqual({ server: SERVER, readAhead: null })
    await expect.poll(() => reads, { interval: 1 }).toEqual(FIRST)
  })

  it('is checked again when a minute has passed, and one that is over blocks no other', async () => {
    const { clock, warmStarts, reads, one, two } = begun()
    warmStarts.expect(one)
    await expect.poll(() => reads, { interval: 1 }).toEqual(FIRST)
    clock.jump(60_000)
    warmStarts.keep(one, SERVER, PLAN, false)
    expect(await warmStarts.take(one, 'server-1')).toEqual({ server: SERVER, readAhead: null })

    warmStarts.expect(one)
    warmStarts.forget(one)
    warmStarts.expect(two)
    warmStarts.keep(two, SERVER, PLAN, false)
    expect((await warmStarts.take(two, 'server-1'))?.readAhead).not.toBeNull()
  })
})
