import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { err } from '#src/lib/result.ts'

const PART = 30 * 1_024
const HOUR = 3_600_000
const WHOLE = createFakeFile('scene.mp4', 12 * PART)
const PIECE = createFakeFile('scene.mp4', 2 * PART + 5, 2)

const kindOf = (world: UploadWorld, id: string): UploadState['kind'] => world.row(id).state.kind
const bytesOf = (world: UploadWorld, id: string): number =>
  world.disk.parts.get(id)?.size ?? (kindOf(world, id) === 'done' ? Infinity : 0)

/** Element by element, an assertion takes seconds for some megabytes. */
function isSame(found: Uint8Array | null, wanted: Uint8Array): boolean {
  return found !== null && Buffer.compare(found, wanted) === 0
}

/** A video on its way over a slow line, some of whose parts have arrived. */
async function sendingVideo() {
  const world = createUploadWorld(PART)
  world.server.network = { totalBytesPerMs: 22, connectionBytesPerMs: null, bufferBytes: 0 }
  const { tab, id } = await startUpload(world, WHOLE)
  await world.clock.run(4_000)
  expect(kindOf(world, id)).toBe('uploading')
  return { world, tab, id }
}

function addExcerpt(
  world: UploadWorld,
  uploadId: string,
  changes: Partial<UploadRow> = {},
): string {
  const row = world.addDraft(PIECE, {
    purpose: 'excerpt',
    excerpt: {
      uploadId,
      uploadRequestId: world.row(uploadId).uploadRequestId ?? '',
      stretches: [{ startMs: 0, endMs: 1_000 }],
    },
    state: { kind: 'preparing' },
    ...changes,
  })
  world.kept.set(row.id, PIECE)
  return row.id
}

describe('an excerpt', () => {
  it('NOW-01 is sent before all that is left of its video, which costs no byte twice', async () => {
    const { world, id } = await sendingVideo()
    const excerpt = addExcerpt(world, id)
    await world.clock.run(600)
    const before = bytesOf(world, id)
    await world.clock.run(HOUR, () => kindOf(world, excerpt) === 'done')
    expect(bytesOf(world, id)).toBe(before)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(isSame(world.server.content('server-1'), WHOLE.bytes)).toBe(true)
    expect(isSame(world.server.content('server-2'), PIECE.bytes)).toBe(true)
    expect(world.server.ledger.receivedBytes).toBe(WHOLE.bytes.byteLength + PIECE.bytes.byteLength)
  })

  it('NOW-01 is sent before a video that is queued, and before one that begins', async () => {
    const { world, tab, id } = await sendingVideo()
    const other = createFakeFile('two.mp4', 5 * PART, 3)
    const second = world.addDraft(other).id
    tab.hold(second, other)
    const excerpt = addExcerpt(world, id)
    void tab.commands.start(second, null)
    await world.clock.run(HOUR, () => kindOf(world, excerpt) === 'done')
    expect(bytesOf(world, second)).toBe(0)
    expect(kindOf(world, excerpt)).toBe('done')
    expect(
      await world.clock.run(
        HOUR,
        () => kindOf(world, id) === 'done' && kindOf(world, second) === 'done',
      ),
    ).toBe(true)
  })

  it.each([
    ['that the server does not take', err({ kind: 'gone' } as const)],
    ['for which the server has no room', err({ kind: 'no-space' } as const)],
  ])('NOW-01 %s keeps no video waiting', async (_name, refusal) => {
    const { world, id } = await sendingVideo()
    const { create } = world.server.api
    world.server.api.create = (row, signal) =>
      row.purpose === 'excerpt' ? Promise.resolve(refusal) : create(row, signal)
    const excerpt = addExcerpt(world, id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(['expired', 'waiting']).toContain(kindOf(world, excerpt))
  })

  it('NOW-01 whose file cannot be composed keeps no video waiting', async () => {
    const { world, id } = await sendingVideo()
    const excerpt = addExcerpt(world, id)
    world.kept.delete(excerpt)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(kindOf(world, excerpt)).toBe('needs-file')
  })

  it('NOW-01 pauses, goes on and is given up with its video', async () => {
    const { world, tab, id } = await sendingVideo()
    const excerpt = addExcerpt(world, id)
    await world.clock.run(600)
    const paused = tab.commands.pause(id)
    await world.clock.run(500)
    await paused
    expect([kindOf(world, id), kindOf(world, excerpt)]).toEqual(['paused', 'paused'])
    void tab.commands.resume(id)
    await world.clock.run(600)
    expect(kindOf(world, excerpt)).toBe('uploading')
    void tab.commands.discard(id)
    await world.clock.run(HOUR, () => !world.disk.rows.has(id))
    expect(Array.from(world.disk.rows.keys())).toEqual([])
    expect(world.server.ledger.aborts).toBeGreaterThanOrEqual(1)
  })

  it.each([1, 4, 7])(
    'NOW-01 is sent first again after a crash, %i times 400 ms after it began',
    async (times) => {
      const { world, tab, id } = await sendingVideo()
      const excerpt = addExcerpt(world, id)
      await world.clock.run(times * 400)
      tab.crash()
      await world.openTab()
      await world.clock.run(HOUR, () => kindOf(world, excerpt) === 'done')
      expect(bytesOf(world, id)).toBeLessThan(12)
      expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
      expect(isSame(world.server.content('server-1'), WHOLE.bytes)).toBe(true)
      expect(isSame(world.server.content('server-2'), PIECE.bytes)).toBe(true)
    },
  )

  it('NOW-01 is sent by another tab while one sends its video', async () => {
    const { world, id } = await sendingVideo()
    await world.openTab()
    await world.clock.run(1_000)
    const excerpt = addExcerpt(world, id)
    await world.clock.run(600)
    const before = bytesOf(world, id)
    await world.clock.run(HOUR, () => kindOf(world, excerpt) === 'done')
    expect(bytesOf(world, id)).toBe(before)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
  })
})
