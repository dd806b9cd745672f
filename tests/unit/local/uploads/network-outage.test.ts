import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import type { FakeNetwork } from '#tests/fakes/upload-network.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'

const PART = 50_000
const MINUTE = 60_000

interface Cut {
  readonly world: UploadWorld
  readonly id: string
  readonly swallow: (isDown: boolean) => void
}

/**
 * An upload in progress on a network that can swallow everything: parts stall until their watchdog
 * ends them, and reachability checks get no answer.
 */
async function uploading(partCount: number, network: FakeNetwork | null = null): Promise<Cut> {
  const world = createUploadWorld(PART, () => 0.99)
  world.server.bytesPerMs = PART / 1_000
  world.server.network = network
  const { id } = await startUpload(world, createFakeFile('scene.mp4', partCount * PART))
  await world.clock.run(1_500)
  const swallow = (isDown: boolean): void => {
    world.server.apiProblem = isDown ? { kind: 'silent' } : null
    world.server.faultOf = () => (isDown ? { kind: 'black-hole' } : null)
  }
  return { world, id, swallow }
}

describe('a network that swallows everything', () => {
  it.each([9_000, 12_000, 30_000, 10 * MINUTE])(
    'UPL-09 carries bytes again within 2 s after %i ms, although no part would have given up by itself',
    async (forMs) => {
      const { world, id, swallow } = await uploading(40)
      swallow(true)
      await world.clock.run(forMs)
      expect(world.row(id).state).toMatchObject({ kind: 'waiting', wait: { reason: 'network' } })
      swallow(false)
      const { puts } = world.server.ledger
      expect(await world.clock.run(2_000, () => world.server.ledger.puts > puts)).toBe(true)
    },
  )

  it('is reported within 7 s of the last byte, and costs no more than the parts in flight', async () => {
    const { world, id, swallow } = await uploading(30)
    swallow(true)
    const cutAt = world.clock.now()
    expect(await world.clock.run(MINUTE, () => world.row(id).state.kind === 'waiting')).toBe(true)
    // Parts in flight ended a second after the cut.
    expect(world.clock.now() - cutAt).toBeLessThanOrEqual(1_000 + 7_000)
    await world.clock.run(5 * MINUTE)
    swallow(false)
    await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.ledger.puts).toBeLessThanOrEqual(30 + 5)
  })

  it('stays in "waiting" for as long as nothing answers, with one try a minute at the least', async () => {
    const { world, id, swallow } = await uploading(40)
    swallow(true)
    await world.clock.run(10_000)
    const seen = new Set<string>()
    await world.clock.run(20 * MINUTE, () => {
      seen.add(world.row(id).state.kind)
      return false
    })
    expect([...seen]).toEqual(['waiting'])
    const { state } = world.row(id)
    expect(
      state.kind === 'waiting' ? state.wait.retryAtEpochMs - world.clock.now() : null,
    ).toBeLessThanOrEqual(MINUTE)
  })

  it('that comes and goes costs a part once only, so that parts arrive which take longer than it holds', async () => {
    const whole: FakeNetwork = {
      totalBytesPerMs: PART / 12_000,
      connectionBytesPerMs: null,
      bufferBytes: 0,
    }
    const { world, id } = await uploading(5, whole)
    let outages = 0
    // Every 20 s nothing moves for 25 s; the connections of the parts survive.
    while (outages < 12 && world.row(id).state.kind !== 'done') {
      world.server.apiProblem = null
      world.server.network = whole
      await world.clock.run(20_000, () => world.row(id).state.kind === 'done')
      world.server.apiProblem = { kind: 'silent' }
      world.server.network = { ...whole, totalBytesPerMs: 0 }
      await world.clock.run(25_000)
      outages += 1
    }
    world.server.apiProblem = null
    world.server.network = whole
    await world.clock.run(MINUTE, () => world.row(id).state.kind === 'done')
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.ledger.puts).toBeGreaterThan(5)
    expect(world.server.ledger.puts).toBeLessThanOrEqual(5 + 5)
  })
})

describe('something between that takes parts at once and passes them on slowly', () => {
  it('gets more time and fewer parts at once, so that they arrive', async () => {
    const world = createUploadWorld(PART)
    // Five at once get their answers after 200 s each, longer than every first limit; one alone
    // after 40 s.
    world.server.faultOf = () => ({ kind: 'swallowed', eachMs: 40_000 })
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 12 * PART))
    await world.clock.run(60 * MINUTE, () => world.row(id).state.kind === 'done')
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.ledger.puts).toBeLessThanOrEqual(12 + 5)
  })
})
