import { describe, expect, it } from 'vitest'
import { createFakeFile, type FakeFile } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'

const PART = 1_000
const HOUR = 3_600_000

/** Changes one bit of the file in place. */
function flip(file: FakeFile, at: number): void {
  file.bytes.set([(file.bytes[at] ?? 0) ^ 1], at)
}

function kindOf(world: UploadWorld, id: string): string {
  return world.row(id).state.kind
}

/** An upload of 20 parts that is paused with 8 of them or more safe. */
async function pausedMidway() {
  const world = createUploadWorld(PART)
  const file = createFakeFile('scene.mp4', 20 * PART)
  const { tab, id } = await startUpload(world, file)
  await world.clock.run(HOUR, () => (world.disk.parts.get(id)?.size ?? 0) >= 8)
  await tab.commands.pause(id)
  await world.clock.run(1_000)
  return { world, file, tab, id, sentBytes: world.server.ledger.receivedBytes }
}

describe('SAF-02 done proves that the stored bytes are those of the file', () => {
  it('a file changed in place between two visits is a conflict, not a mixture of two versions', async () => {
    const { world, file, tab, id } = await pausedMidway()
    const [partNumber = 0] = Array.from(world.disk.parts.get(id)?.keys() ?? [])
    flip(file, partNumber * PART - 1)
    file.modifiedEpochMs = 5
    await tab.commands.resume(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'conflict')).toBe(true)
    await tab.commands.startOver(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger).toMatchObject({ creates: 1, aborts: 0 })
  })

  it('starting over with a changed file sends only the parts that changed', async () => {
    const { world, file, tab, id, sentBytes } = await pausedMidway()
    const [partNumber = 0] = Array.from(world.disk.parts.get(id)?.keys() ?? [])
    flip(file, partNumber * PART - 1)
    file.modifiedEpochMs = 5
    await tab.commands.resume(id)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'conflict')
    await tab.commands.startOver(id)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.ledger.receivedBytes).toBe(20 * PART + PART)
    expect(sentBytes).toBeGreaterThanOrEqual(8 * PART)
  })

  it('starting over with a file of another name is another upload, and aborts nothing', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 20 * PART), false)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 4 * PART)
    tab.crash()
    const next = await world.openTab()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-file')
    const other = createFakeFile('other.mp4', 20 * PART, 9)
    next.hold(id, other)
    await next.commands.provideFile(id, new File([other.bytes], 'other.mp4'), null)
    await next.commands.startOver(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.row(id).file.name).toBe('other.mp4')
    expect(world.server.content('server-2')).toEqual(other.bytes)
    expect(world.server.ledger).toMatchObject({ creates: 2, aborts: 0 })
  })

  it('a file that was only touched goes on by itself', async () => {
    const { world, file, tab, id } = await pausedMidway()
    file.modifiedEpochMs = 5
    await tab.commands.resume(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.ledger.receivedBytes).toBe(20 * PART)
    expect(world.row(id).file.lastModifiedEpochMs).toBe(5)
  })

  it('a file that changes after its last part was sent is noticed before the upload is completed', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 6 * PART)
    const { id } = await startUpload(world, file)
    const { complete } = world.server.api
    let didComplete = false
    world.server.api.complete = (...args) => {
      didComplete = true
      return complete(...args)
    }
    await world.clock.run(HOUR, () => world.server.ledger.puts === 6)
    flip(file, PART)
    file.modifiedEpochMs = 5
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'conflict')).toBe(true)
    expect(didComplete).toBe(false)
  })

  it('a part for which the server lists other bytes is sent again', async () => {
    const { world, file, tab, id } = await pausedMidway()
    const [first = 0, second = 0] = Array.from(world.disk.parts.get(id)?.keys() ?? [])
    world.server.mangle('server-1', first, file.bytes.slice(second * PART - PART, second * PART))
    await tab.commands.resume(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('keeps the hash of the whole that both sides agree on', async () => {
    const world = createUploadWorld(PART)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.row(id).treeSha256).toMatch(/^[A-Za-z0-9+/]{43}=-3$/)
  })

  it('does not say done when the server names another hash of the whole', async () => {
    const world = createUploadWorld(PART)
    const { complete } = world.server.api
    world.server.api.complete = async (...args) => {
      const answer = await complete(...args)
      return answer.ok ? { ok: true, value: { ...answer.value, treeSha256: 'other-3' } } : answer
    }
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'failed')
    expect(world.row(id).state).toMatchObject({ code: 'upload/mismatch' })
  })
})

describe('SAF-04 safe parts belong to the account', () => {
  it('an upload whose part rows are gone goes on from the parts of the server, by their hashes', async () => {
    const { world, file, tab, id, sentBytes } = await pausedMidway()
    world.disk.parts.delete(id)
    await tab.commands.resume(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(sentBytes).toBeGreaterThanOrEqual(8 * PART)
    expect(world.server.ledger.receivedBytes).toBe(20 * PART)
  })
})

describe('SAF-03 what has arrived of a part is kept', () => {
  it('a part that breaks off goes on where it was', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 4 * PART)
    world.server.faultOf = (_, attempt) =>
      attempt <= 3 ? { kind: 'reset', afterShare: 0.5 } : null
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger.receivedBytes).toBe(4 * PART)
  })

  it('pause, resume and a crash send no byte twice that had arrived', async () => {
    const world = createUploadWorld(PART)
    world.server.bytesPerMs = 0.01
    world.server.faultOf = (_, attempt) =>
      attempt === 1 ? { kind: 'reset', afterShare: 0.7 } : null
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 5 * PART))
    await world.clock.run(80_000)
    tab.crash()
    await world.openTab()
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.ledger.receivedBytes).toBe(5 * PART)
  })

  it('bytes that belong to another version of the part are not gone on from', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 2 * PART)
    world.server.faultOf = (_, attempt) =>
      attempt === 1 ? { kind: 'reset', afterShare: 0.5 } : null
    const { tab, id } = await startUpload(world, file)
    await world.clock.run(700)
    await tab.commands.pause(id)
    flip(file, 3)
    file.modifiedEpochMs = 5
    await tab.commands.resume(id)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })
})
