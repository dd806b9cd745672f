import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import type { FakeNetwork } from '#tests/fakes/upload-network.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'

/** All sizes and rates are a 64th of real ones; times are real. */
const SCALE = 64
const PART = (16 << 20) / SCALE
const MINUTE = 60_000
const megabits = (perSecond: number): number => (perSecond * 1_000_000) / 8 / 1_000 / SCALE
const network = (totalMegabits: number, more: Partial<FakeNetwork> = {}): FakeNetwork => ({
  totalBytesPerMs: megabits(totalMegabits),
  connectionBytesPerMs: null,
  bufferBytes: 100_000 / SCALE,
  ...more,
})

async function begun(
  on: FakeNetwork,
  partCount: number,
): Promise<{ readonly world: UploadWorld; readonly id: string }> {
  const world = createUploadWorld(PART)
  world.server.network = on
  const { id } = await startUpload(world, createFakeFile('scene.mp4', partCount * PART))
  await world.clock.run(1_000, () => world.server.ledger.puts > 0)
  return { world, id }
}

describe('how many parts go at once', () => {
  it('UPL-09 over 0.5 Mbit/s: the first part is safe in a quarter of the time that five at once take', async () => {
    const { world, id } = await begun(network(0.5), 8)
    const soloMs = PART / megabits(0.5)
    const startMs = world.clock.now()
    await world.clock.run(60 * MINUTE, () => world.row(id).safeBytes > 0)
    expect(world.clock.now() - startMs).toBeLessThan(1.25 * soloMs)
    expect(await world.clock.run(120 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(
      true,
    )
    // Four parts are dropped once, with almost nothing sent: the whole upload takes hardly longer
    // than its bytes.
    expect(world.clock.now() - startMs).toBeLessThan(1.05 * 8 * soloMs)
    expect(world.server.ledger.receivedBytes).toBeLessThan(8.25 * PART)
  })

  it.each([
    ['1 Gbit/s', network(1_000)],
    ['100 Mbit/s', network(100)],
    ['8 MB/s for each connection', network(1_000, { connectionBytesPerMs: megabits(64) })],
  ])('UPL-09 over %s: five from the beginning, and for good', async (_, on) => {
    const { world, id } = await begun(on, 40)
    expect(world.server.ledger.concurrentPuts).toBe(5)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
    expect(world.server.ledger.receivedBytes).toBe(40 * PART)
  })

  it('is five again soon after a slow network became a fast one', async () => {
    const { world, id } = await begun(network(0.5), 40)
    await world.clock.run(60_000)
    expect(world.server.ledger.concurrentPuts).toBe(1)
    world.server.network = network(200)
    await world.clock.run(10_000)
    expect(world.server.ledger.concurrentPuts).toBe(5)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })

  it('is one soon after a fast network became a slow one, and what was sent of the others is not thrown away', async () => {
    const { world, id } = await begun(network(100), 60)
    await world.clock.run(5_000)
    const puts = world.server.ledger.puts
    world.server.network = network(0.5)
    await world.clock.run(10 * MINUTE)
    // The parts in flight end, and no other starts beside them.
    expect(world.server.ledger.puts).toBeLessThanOrEqual(puts + 1)
    world.server.network = network(100)
    expect(await world.clock.run(60 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })
})

/** Duration of the whole upload, relative to one that uses the whole network. */
async function slowdown(
  on: FakeNetwork,
  partCount: number,
  fullBytesPerMs: number,
): Promise<number> {
  const { world, id } = await begun(on, partCount)
  const startMs = world.clock.now()
  expect(await world.clock.run(24 * 60 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(
    true,
  )
  expect(world.server.ledger.receivedBytes).toBeLessThan((partCount + 0.25) * PART)
  return ((world.clock.now() - startMs) * fullBytesPerMs) / (partCount * PART)
}

describe('how full a network is', () => {
  // Packet loss and long round trips make each connection slow, not the network: fewer of them are
  // no faster.
  it.each([0.4, 0.8, 2, 4, 6])(
    'UPL-09 where each connection carries %f Mbit/s, five go on',
    async (each) => {
      expect(
        await slowdown(
          network(1_000, { connectionBytesPerMs: megabits(each) }),
          60,
          5 * megabits(each),
        ),
      ).toBeLessThan(1.15)
    },
  )

  it('UPL-09 where four connections fill it', async () => {
    expect(
      await slowdown(network(12, { connectionBytesPerMs: megabits(3) }), 60, megabits(12)),
    ).toBeLessThan(1.1)
  })

  it.each([0.5, 2, 5, 10, 20, 40])('UPL-09 of %f Mbit/s that all share', async (total) => {
    expect(await slowdown(network(total), 40, megabits(total))).toBeLessThan(1.02)
  })

  it("UPL-09 over 20 Mbit/s that all share, two go at once, so that none waits for the other's answer", async () => {
    const { world } = await begun(network(20), 60)
    await world.clock.run(2 * MINUTE)
    expect(world.server.ledger.concurrentPuts).toBe(2)
  })
})
