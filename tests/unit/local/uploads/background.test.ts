import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import {
  createUploadWorld,
  startUpload,
  type FakeSync,
  type FakeTab,
  type UploadWorld,
} from '#tests/fakes/upload-world.ts'
import { BACKGROUND_BEGIN_MS } from '#src/local/uploads/engine/background.ts'
import { runs } from '#tests/seeds.ts'

const PART = 1_000
const HOUR = 3_600_000
const IN_FLIGHT = 5

/** An upload that a page has started; every context can read its bytes. */
async function begun(
  partCount: number,
): Promise<{ world: UploadWorld; tab: FakeTab; id: string; bytes: Uint8Array }> {
  const world = createUploadWorld(PART)
  const file = createFakeFile('scene.mp4', partCount * PART)
  const { tab, id } = await startUpload(world, file)
  await world.clock.run(1_500)
  return { world, tab, id, bytes: file.bytes }
}

/** Runs until the sync event has ended. Returns its end, or null when it did not end in time. */
async function endOf(
  world: UploadWorld,
  sync: FakeSync,
  forMs: number,
): Promise<'done' | 'left' | null> {
  let end: 'done' | 'left' | null = null
  void sync.ended.then((value) => {
    end = value
  })
  await world.clock.run(forMs, () => end !== null)
  return end
}

const isDone = (world: UploadWorld, id: string) => (): boolean =>
  world.row(id).state.kind === 'done'

describe('uploads with no page open', () => {
  it('UPL-07 go on in the service worker when the page closes, and send nothing twice beyond the parts under way', async () => {
    const { world, tab, id, bytes } = await begun(40)
    tab.crash()
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('done')
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.content('server-1')).toEqual(bytes)
    expect(world.server.ledger).toMatchObject({ creates: 1, completes: 1, aborts: 0 })
    expect(world.server.ledger.puts).toBeLessThanOrEqual(40 + IN_FLIGHT)
  })

  it('wait as long as a page is there, and take over when it dies, without a message of anybody', async () => {
    const { world, tab, id } = await begun(400)
    const sync = world.dispatchSync()
    await world.clock.run(10_000)
    expect(world.server.ledger.maxConcurrentPuts).toBe(IN_FLIGHT)
    const before = world.server.ledger.puts
    expect(before).toBeLessThanOrEqual(60)
    tab.crash()
    await world.clock.run(10_000)
    expect(world.server.ledger.puts).toBeGreaterThan(before + 10)
    expect(world.server.ledger.maxConcurrentPuts).toBe(IN_FLIGHT)
    sync.crash()
    expect(world.row(id).state.kind).toBe('uploading')
  })

  it('UPL-07 give way to a page that opens: the parts under way end, and it sends the rest', async () => {
    const { world, tab, id, bytes } = await begun(60)
    tab.crash()
    const sync = world.dispatchSync()
    await world.clock.run(3_000)
    const sentBefore = world.server.ledger.puts
    const next = await world.openTab()
    await world.clock.run(HOUR, isDone(world, id))
    expect(world.server.content('server-1')).toEqual(bytes)
    // Only the parts in flight at the death of the first page are sent twice.
    expect(world.server.ledger.puts).toBeLessThanOrEqual(60 + IN_FLIGHT)
    expect(world.server.ledger.maxConcurrentPuts).toBeLessThanOrEqual(IN_FLIGHT)
    expect(sentBefore).toBeGreaterThan(0)
    // The page is still open, so the service worker keeps waiting; its time ends, and nothing is
    // left.
    expect(await endOf(world, sync, HOUR)).toBe('done')
    await next.close()
  })

  it('go back to the service worker within the same event when the page closes again', async () => {
    const { world, tab, id } = await begun(300)
    tab.crash()
    const sync = world.dispatchSync()
    await world.clock.run(3_000)
    const next = await world.openTab()
    await world.clock.run(3_000)
    next.crash()
    const { puts } = world.server.ledger
    await world.clock.run(5_000)
    expect(world.server.ledger.puts).toBeGreaterThan(puts + 5)
    sync.crash()
    expect(world.row(id).state.kind).toBe('uploading')
  })

  it('stand back from a second tab when the first one closes', async () => {
    const { world, tab } = await begun(400)
    const sync = world.dispatchSync()
    await world.clock.run(1_000)
    const second = await world.openTab()
    tab.crash()
    await world.clock.run(5_000)
    const { maxConcurrentPuts } = world.server.ledger
    expect(maxConcurrentPuts).toBeLessThanOrEqual(IN_FLIGHT)
    sync.crash()
    const { puts } = world.server.ledger
    await world.clock.run(5_000)
    // The second tab did all the work: nothing changes when the service worker dies.
    expect(world.server.ledger.puts).toBeGreaterThan(puts + 10)
    second.crash()
  })

  it('end in time with what is left, so that the browser tries again, and drop no part that is nearly there', async () => {
    const { world, tab, id } = await begun(2_000)
    tab.crash()
    const startedAtMs = world.clock.now()
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('left')
    expect(world.clock.now() - startedAtMs).toBeLessThanOrEqual(BACKGROUND_BEGIN_MS + 5_000)
    const { puts } = world.server.ledger
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('left')
    expect(world.server.ledger.puts).toBeGreaterThan(puts)
    expect(world.server.ledger.puts * PART).toBeLessThanOrEqual(
      world.row(id).safeBytes + IN_FLIGHT * PART,
    )
  })

  it('drop parts that take too long at the very end, before the browser ends everything', async () => {
    const { world, tab } = await begun(20)
    tab.crash()
    world.server.bytesPerMs = PART / HOUR
    const startedAtMs = world.clock.now()
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('left')
    expect(world.clock.now() - startedAtMs).toBeLessThan(180_000)
  })

  it('leave a file alone that only a page can read, and write nothing about it', async () => {
    const { world, tab, id } = await begun(40)
    world.kept.clear()
    tab.crash()
    const before = world.row(id)
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('done')
    expect(world.row(id).state).toEqual(before.state)
  })

  it('do not call a file lost whose right to be read ends under them; the next page finds out', async () => {
    const { world, tab, id } = await begun(200)
    tab.crash()
    const sync = world.dispatchSync()
    await world.clock.run(3_000)
    const file = world.kept.get(id)
    expect(file).toBeDefined()
    if (file !== undefined) file.problem = { kind: 'needs-permission' }
    expect(await endOf(world, sync, HOUR)).toBe('done')
    expect(world.row(id).state.kind).toBe('uploading')
    await world.openTab()
    await world.clock.run(5_000)
    expect(world.row(id).state.kind).toBe('needs-permission')
  })

  it('end at once when the account signs out', async () => {
    const { world, tab } = await begun(200)
    tab.crash()
    const sync = world.dispatchSync()
    await world.clock.run(3_000)
    sync.stop()
    expect(await endOf(world, sync, 100)).toBe('done')
    expect(world.server.ledger.concurrentPuts).toBe(0)
  })

  it('report an upload to the server that was discarded just before the page closed', async () => {
    const { world, tab, id } = await begun(40)
    void tab.commands.discard(id)
    await world.clock.run(100)
    tab.crash()
    expect(await endOf(world, world.dispatchSync(), HOUR)).toBe('done')
    expect(world.server.ledger.aborts).toBe(1)
    expect(world.disk.rows.has(id)).toBe(false)
  })
})

type Step =
  | { readonly kind: 'run'; readonly forMs: number }
  | { readonly kind: 'open' | 'close' | 'kill-page' | 'sync' | 'kill-worker' | 'sleep' }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 3_000 }).map((forMs): Step => ({ kind: 'run', forMs })),
  },
  fc
    .constantFrom<Exclude<Step['kind'], 'run'>>(
      'open',
      'close',
      'kill-page',
      'sync',
      'kill-worker',
      'sleep',
    )
    .map((kind): Step => ({ kind })),
)

describe('two hosts over one store', () => {
  it('UPL-07 never lose a part and never send one twice beyond those under way at a death, in any order of pages and events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60_500 }),
        fc.array(step, { maxLength: 25 }),
        async (sizeBytes, steps) => {
          const world = createUploadWorld(PART)
          const file = createFakeFile('scene.mp4', sizeBytes)
          const { id } = world.addDraft(file)
          world.kept.set(id, file)
          const tabs: FakeTab[] = [await world.openTab()]
          const syncs: FakeSync[] = []
          let deaths = 0
          void tabs[0]?.commands.start(id, null)
          await world.clock.run(50)
          for (const next of steps) {
            switch (next.kind) {
              case 'run':
                await world.clock.run(next.forMs)
                break
              case 'open':
                tabs.push(await world.openTab())
                break
              case 'close':
                deaths += 1
                void tabs.shift()?.close()
                break
              case 'kill-page':
                deaths += 1
                tabs.shift()?.crash()
                break
              case 'sync':
                syncs.push(world.dispatchSync())
                break
              case 'kill-worker':
                deaths += 1
                syncs.shift()?.crash()
                break
              // All connections are dead after the sleep.
              case 'sleep':
                deaths += 1
                world.clock.jump(HOUR)
                break
            }
            await world.clock.run(1)
            expect(world.server.ledger.maxConcurrentPuts).toBeLessThanOrEqual(IN_FLIGHT)
          }
          for (const tab of tabs) tab.crash()
          deaths += tabs.length
          // The app is never opened again: the browser's sync events finish the upload.
          for (let event = 0; event < 3 && world.row(id).state.kind !== 'done'; event += 1)
            await endOf(world, world.dispatchSync(), HOUR)
          expect(world.row(id).state).toMatchObject({ kind: 'done' })
          expect(world.server.content('server-1')).toEqual(file.bytes)
          expect(world.server.ledger).toMatchObject({ creates: 1, completes: 1, aborts: 0 })
          expect(world.server.ledger.puts).toBeLessThanOrEqual(
            Math.ceil(sizeBytes / PART) + deaths * IN_FLIGHT,
          )
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
