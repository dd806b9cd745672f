import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'
import { methodFor } from '#src/local/uploads/adapters/openapi-api.ts'
import {
  expectedGapMs,
  idleLimitMs,
  wholePartLimitMs,
} from '#src/local/uploads/network/watchdog.ts'

const PART = 1_000
const MINUTE = 60_000

/**
 * An upload in progress whose network is cut for `forMs`. `random` near 1 makes every back-off as
 * long as possible.
 */
async function cutFor(
  forMs: number,
  fault: 'network' | 'server',
): Promise<{ world: UploadWorld; id: string; putsAtCut: number; asksAtCut: number }> {
  const world = createUploadWorld(PART, () => 0.99)
  const { id } = await startUpload(world, createFakeFile('scene.mp4', 200 * PART))
  await world.clock.run(2_000)
  world.server.apiProblem =
    fault === 'network' ? { kind: 'silent' } : { kind: 'busy', retryAfterMs: null }
  let isCut = true
  world.server.faultOf = () =>
    !isCut
      ? null
      : fault === 'network'
        ? { kind: 'reset', afterShare: 0 }
        : { kind: 'status', status: 503 }
  await world.clock.run(forMs)
  isCut = false
  world.server.apiProblem = null
  return { world, id, putsAtCut: world.server.ledger.puts, asksAtCut: world.server.ledger.pings }
}

describe('a network that comes back', () => {
  it.each([3_000, 20_000, 50_000, 5 * MINUTE])(
    'carries bytes again within 2 s after %i ms, however long the backoff has become',
    async (forMs) => {
      const { world, putsAtCut } = await cutFor(forMs, 'network')
      expect(await world.clock.run(2_000, () => world.server.ledger.puts > putsAtCut)).toBe(true)
    },
  )

  it('is checked seldom once the outage is long', async () => {
    const { asksAtCut } = await cutFor(60 * MINUTE, 'network')
    expect(asksAtCut).toBeLessThan(1_400)
  })

  it('is not checked at all while a server is overloaded: its backoff stays whole', async () => {
    const { world, id, putsAtCut, asksAtCut } = await cutFor(3 * MINUTE, 'server')
    expect(asksAtCut).toBe(0)
    expect(world.row(id).state).toMatchObject({ kind: 'waiting', wait: { reason: 'server' } })
    await world.clock.run(2_000)
    expect(world.server.ledger.puts).toBe(putsAtCut)
  })

  it('hears a hint of the browser only when it waits for the network', async () => {
    const { world, id, putsAtCut } = await cutFor(3 * MINUTE, 'server')
    const other = await world.openTab()
    void other.commands.networkBack()
    await world.clock.run(500)
    expect(world.row(id).state.kind).toBe('waiting')
    expect(world.server.ledger.puts).toBe(putsAtCut)
  })
})

describe('the watchdog', () => {
  it('allows a slow network longer silences while sending, 15 s at least and a minute at most', () => {
    const limit = (bytesPerSecond: number | null, parts: number): number =>
      idleLimitMs('sending', PART, {
        failedConnects: 0,
        unansweredParts: 0,
        bytesPerSecond,
        expectedGapMs: expectedGapMs(bytesPerSecond, parts),
      })
    expect(limit(null, 5)).toBe(15_000)
    expect(limit(2_500_000, 5)).toBe(15_000)
    // 0.5 Mbit/s: a single part moves a block about every second; five share the network.
    expect(limit(62_500, 1)).toBe(15_000)
    expect(limit(62_500, 5)).toBeGreaterThan(40_000)
    expect(limit(6_250, 5)).toBe(60_000)
  })

  it('gives a part without any news one to two and a half minutes', () => {
    const pace = (bytesPerSecond: number | null) => ({
      failedConnects: 0,
      unansweredParts: 0,
      expectedGapMs: null,
      bytesPerSecond,
    })
    expect(wholePartLimitMs(16 << 20, pace(null))).toBe(150_000)
    expect(wholePartLimitMs(16 << 20, pace(50_000_000))).toBe(60_000)
    expect(wholePartLimitMs(16 << 20, pace(1_000_000))).toBeCloseTo(67_109, 0)
    expect(wholePartLimitMs(16 << 20, pace(10_000))).toBe(150_000)
  })
})

describe('the method of an upload', () => {
  it('UPL-08 is multipart, and a single part only for a server that has nothing else', () => {
    expect(methodFor(null)).toBe('s3-multipart')
    expect(methodFor(['s3-multipart', 's3-singlepart'])).toBe('s3-multipart')
    expect(methodFor(['s3-singlepart'])).toBe('s3-singlepart')
    expect(methodFor([])).toBe('s3-multipart')
  })
})
