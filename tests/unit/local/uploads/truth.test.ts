import { expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import {
  createUploadWorld,
  startUpload,
  type FakeTab,
  type UploadWorld,
} from '#tests/fakes/upload-world.ts'
import { uploadStateCopy } from '#src/components/upload-words/state-copy.ts'

const PART = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function halfway(): Promise<{
  readonly world: UploadWorld
  readonly id: string
  readonly tab: FakeTab
}> {
  const world = createUploadWorld(PART)
  const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 60 * PART))
  await world.clock.run(HOUR, () => world.row(id).safeBytes >= 10 * PART)
  return { world, id, tab }
}

/** The title on the screen for the row and the newest progress. */
function title(world: UploadWorld, id: string): string {
  return uploadStateCopy(world.row(id), {
    progress: world.progress.at(-1) ?? null,
    nowEpochMs: world.clock.now(),
    isOnline: true,
    outage: null,
  }).title
}

it('says within two seconds that the network is down, and until it is back', async () => {
  const { world, id } = await halfway()
  expect(title(world, id)).toBe('Uploading')
  world.server.faultOf = () => ({ kind: 'reset', afterShare: 0 })
  world.server.apiProblem = { kind: 'silent' }
  // Parts in flight arrive within a second.
  await world.clock.run(1_000)
  await world.clock.run(2_000, () => title(world, id).startsWith('Connection lost.'))
  expect(title(world, id)).toMatch(/^Connection lost\. .* is safe\.$/)
  const downAtMs = world.clock.now()
  const lies: string[] = []
  await world.clock.run(60_000, () => {
    if (!title(world, id).startsWith('Connection lost.'))
      lies.push(
        `${world.clock.now() - downAtMs} ms: ${title(world, id)} (${world.row(id).state.kind})`,
      )
    return false
  })
  // An attempt that has started and not failed yet shows the name of its stage for a moment.
  expect(lies.filter((lie) => lie.includes('(uploading)'))).toEqual([])
  world.server.faultOf = () => null
  world.server.apiProblem = null
  expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
})

it.each([
  [{ kind: 'foreign', status: 404 }, 'The server cannot be reached.'],
  [{ kind: 'no-space' }, 'The server has no space left.'],
  [{ kind: 'silent' }, 'Connection lost.'],
] as const)('SAF-01 says of a completion that meets %o what is known', async (problem, words) => {
  const { world, id } = await halfway()
  await world.clock.run(HOUR, () => world.row(id).safeBytes === 60 * PART)
  world.server.apiProblem = problem
  await world.clock.run(10_000, () => world.row(id).state.kind === 'waiting')
  expect(title(world, id)).toBe(`${words} 60 KB is safe.`)
  world.server.apiProblem = null
  expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
})

it('SAF-03 says that a storage is full, also where a machine in between says it of a stalled upload', async () => {
  const { world, id } = await halfway()
  world.server.isStorageThere = false
  world.server.faultOf = () => ({ kind: 'black-hole' })
  const isStalled = (): boolean => title(world, id).startsWith('Waiting for the storage.')
  expect(await world.clock.run(HOUR, isStalled)).toBe(true)
  world.server.isStorageThere = true
  world.server.faultOf = () => ({ kind: 'foreign', status: 507 })
  world.server.offsetFault = 507
  await world.clock.run(60_000, () => !isStalled())
  const said = new Set<string>()
  await world.clock.run(60_000, () => {
    said.add(title(world, id).split('.')[0] ?? '')
    return false
  })
  // A try that has begun shows the name of its stage for a moment.
  expect([...said].toSorted()).toEqual(['The server has no space left', 'Uploading'])
  world.server.faultOf = () => null
  world.server.offsetFault = null
  expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
})

it.each([
  ['has all of a part and says nothing yet', { kind: 'swallowed', bytesPerMs: 0.025 }, false],
  ['takes no byte of a part', { kind: 'black-hole' }, true],
] as const)(
  'SCL-02 says that it waits for the storage, or not, where a store that cannot be asked %s',
  async (_what, fault, doesWait) => {
    const world = createUploadWorld(PART)
    world.server.isResumable = false
    world.server.urlsNeedChecksums = true
    world.server.faultOf = (partNumber, attempt) =>
      partNumber === 6 && attempt <= 3 ? fault : null
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 6 * PART))
    const said = new Set<string>()
    const isDone = await world.clock.run(HOUR, () => {
      said.add(title(world, id).split('.')[0] ?? '')
      return world.row(id).state.kind === 'done'
    })
    expect(isDone).toBe(true)
    expect(said.has('Waiting for the storage')).toBe(doesWait)
  },
)

it('UPL-09 sends everything although nothing can be saved, says so, and is done once it can', async () => {
  const { world, id } = await halfway()
  world.disk.isFull = true
  expect(await world.clock.run(HOUR, () => world.server.ledger.completes === 1)).toBe(true)
  await world.clock.run(10_000)
  expect(title(world, id)).toMatch(/^This device could not save the progress\. .* is safe\.$/)
  const { puts, pings } = world.server.ledger
  await world.clock.run(5 * MINUTE)
  // Only the device is tried again.
  expect(world.server.ledger).toMatchObject({ puts, pings, completes: 1 })
  world.disk.isFull = false
  expect(await world.clock.run(20_000, () => world.row(id).state.kind === 'done')).toBe(true)
})

it('UPL-09 goes on after a reload on a device that cannot save anything', async () => {
  const { world, id, tab } = await halfway()
  world.disk.isFull = true
  tab.crash()
  await world.openTab()
  expect(await world.clock.run(HOUR, () => world.server.ledger.completes === 1)).toBe(true)
  expect(world.server.ledger.puts).toBeLessThanOrEqual(60 + 5)
  world.disk.isFull = false
  expect(await world.clock.run(20_000, () => world.row(id).state.kind === 'done')).toBe(true)
})

it('UPL-09 sends nothing before the plan is saved, and says what it waits for', async () => {
  const world = createUploadWorld(PART)
  const { id } = await startUpload(world, createFakeFile('scene.mp4', 10 * PART))
  await world.clock.run(10)
  world.disk.isFull = true
  await world.clock.run(60_000)
  expect(world.row(id).state.kind).toBe('preparing')
  expect(title(world, id)).toBe('This device could not save the progress. Nothing is lost.')
  expect(world.server.ledger.puts).toBe(0)
  world.disk.isFull = false
  expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
  expect(world.server.ledger.creates).toBe(1)
})

it('says that the device cannot save the progress, and no more once it can', async () => {
  const { world } = await halfway()
  world.disk.isFull = true
  expect(await world.clock.run(3_000, () => world.progress.at(-1)?.isUnsaved === true)).toBe(true)
  world.disk.isFull = false
  expect(await world.clock.run(HOUR, () => world.progress.at(-1)?.isUnsaved === false)).toBe(true)
})
