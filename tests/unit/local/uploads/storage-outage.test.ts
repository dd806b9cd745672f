import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import type { FakeNetwork } from '#tests/fakes/upload-network.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'
import { uploadStateCopy } from '#src/components/upload-words/state-copy.ts'

const PART = 50_000
const MINUTE = 60_000
/**
 * As on the wide area: a connection that the other side does not read takes some 50 kB of a part of
 * 16 MiB.
 */
const NETWORK: FakeNetwork = {
  totalBytesPerMs: 250,
  connectionBytesPerMs: null,
  bufferBytes: PART / 320,
}

type Away = 'answers-nothing' | 'takes-nothing'
interface Cut {
  readonly world: UploadWorld
  readonly id: string
  readonly cut: (isAway: boolean) => void
}

/**
 * An upload in progress whose storage alone goes away: parts stall on dead connections, new ones
 * swallow `holeBytes` and stall, the server answers. `away`: what a storage check meets.
 */
async function uploading(
  partCount: number,
  network = NETWORK,
  away: Away = 'takes-nothing',
  holeBytes = network.bufferBytes,
): Promise<Cut> {
  const world = createUploadWorld(PART, () => 0.99)
  world.server.network = network
  const { id } = await startUpload(world, createFakeFile('scene.mp4', partCount * PART))
  await world.clock.run(1_500)
  const cut = (isAway: boolean): void => {
    world.server.faultOf = () => (isAway ? { kind: 'hole', bufferBytes: holeBytes } : null)
    world.server.isStorageThere = !isAway || away === 'takes-nothing'
    if (isAway) world.server.breakConnections()
  }
  return { world, id, cut }
}

const title = (world: UploadWorld, id: string): string =>
  uploadStateCopy(world.row(id), {
    progress: world.progress.at(-1) ?? null,
    nowEpochMs: world.clock.now(),
    isOnline: true,
  }).title

describe('a storage that is away while the server answers', () => {
  it('UPL-09 is reported within 5 s, and no longer once parts move again', async () => {
    const { world, id, cut } = await uploading(200)
    expect(title(world, id)).toBe('Uploading')
    cut(true)
    expect(
      await world.clock.run(5_000, () => title(world, id).startsWith('Waiting for the storage.')),
    ).toBe(true)
    expect(title(world, id)).toMatch(/ is safe\.$/)
    const others = new Set<string>()
    await world.clock.run(5 * MINUTE, () => {
      others.add(title(world, id))
      return false
    })
    expect([...others]).toHaveLength(1)
    cut(false)
    expect(await world.clock.run(5_000, () => title(world, id) === 'Uploading')).toBe(true)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })

  it.each(
    [4_000, 9_000, 30_000, 10 * MINUTE].flatMap(
      (forMs) =>
        [
          [forMs, 'takes-nothing'],
          [forMs, 'answers-nothing'],
        ] as const,
    ),
  )(
    'UPL-09 gets bytes again within 2 s after %i ms in which it %s, although no part would have given up on its own',
    async (forMs, away) => {
      const { world, id, cut } = await uploading(200, NETWORK, away)
      cut(true)
      await world.clock.run(forMs)
      cut(false)
      const { safeBytes } = world.row(id)
      const { receivedBytes } = world.server.ledger
      let firstByteAtMs = Infinity
      const backAtMs = world.clock.now()
      world.server.onFirstByte = () => {
        firstByteAtMs = Math.min(firstByteAtMs, world.clock.now())
      }
      expect(
        await world.clock.run(4_000, () => world.row(id).safeBytes > safeBytes + 5 * PART),
      ).toBe(true)
      expect(firstByteAtMs - backAtMs).toBeLessThanOrEqual(2_000)
      expect(world.server.ledger.receivedBytes).toBeGreaterThan(receivedBytes)
      expect(world.row(id).state.kind).toBe('uploading')
    },
  )

  it('costs no more than the parts that were under way, and one connection is tried beside the hanging ones', async () => {
    const { world, id, cut } = await uploading(60)
    cut(true)
    await world.clock.run(2 * MINUTE)
    expect(world.server.ledger.maxConcurrentPuts).toBeLessThanOrEqual(5)
    cut(false)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
    expect(world.server.ledger.receivedBytes).toBeLessThanOrEqual((60 + 5) * PART)
  })

  it('gets bytes again within 2 s where dead connections swallow whole parts, which are not sent into them', async () => {
    const { world, id, cut } = await uploading(200, NETWORK, 'answers-nothing', PART)
    cut(true)
    await world.clock.run(5_000)
    expect(title(world, id)).toMatch(/^Waiting for the storage\./)
    const { puts } = world.server.ledger
    await world.clock.run(45_000)
    expect(world.server.ledger.puts).toBe(puts)
    expect(world.server.ledger.storageChecks).toBeGreaterThan(20)
    expect(world.server.ledger.storageChecks).toBeLessThanOrEqual(50)
    cut(false)
    expect(await world.clock.run(2_000, () => world.server.ledger.puts > puts)).toBe(true)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })

  it('is tried once a minute even where a proxy swallows the storage checks', async () => {
    const { world, id, cut } = await uploading(60)
    cut(true)
    world.server.isStorageThere = false
    await world.clock.run(5_000)
    world.server.faultOf = () => null
    expect(await world.clock.run(MINUTE + 5_000, () => title(world, id) === 'Uploading')).toBe(true)
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })

  it('does not make the last part wait that was handed over whole to a dead connection', async () => {
    const world = createUploadWorld(PART)
    const network: FakeNetwork = {
      totalBytesPerMs: 25,
      connectionBytesPerMs: null,
      bufferBytes: 20_000,
    }
    world.server.network = network
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 4 * PART + 15_000))
    await world.clock.run(400)
    world.server.faultOf = () => ({ kind: 'hole', bufferBytes: 0 })
    world.server.breakConnections()
    await world.clock.run(10_000)
    world.server.faultOf = () => null
    expect(await world.clock.run(25_000, () => world.row(id).state.kind === 'done')).toBe(true)
  })

  it('goes on by the connections from before when they outlived it', async () => {
    const { world, id } = await uploading(60)
    world.server.network = { ...NETWORK, totalBytesPerMs: 0 }
    await world.clock.run(8_000)
    expect(title(world, id)).toMatch(/^Waiting for the storage\./)
    world.server.network = NETWORK
    await world.clock.run(500)
    expect(title(world, id)).toBe('Uploading')
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
    // Only the bytes of the trial were thrown away.
    expect(world.server.ledger.receivedBytes).toBe(60 * PART)
  })

  it('whose tries swallow many bytes is tried more seldom, but goes on being tried', async () => {
    const { world, cut } = await uploading(200, { ...NETWORK, bufferBytes: PART / 2 })
    cut(true)
    await world.clock.run(MINUTE)
    const { puts } = world.server.ledger
    await world.clock.run(10 * MINUTE)
    const tries = world.server.ledger.puts - puts
    expect(tries).toBeLessThan(50)
    expect(tries).toBeGreaterThan(20)
  })

  it('is not suspected where a slow network moves a block every few seconds', async () => {
    const { world, id } = await uploading(12, {
      totalBytesPerMs: 1,
      connectionBytesPerMs: null,
      bufferBytes: 0,
    })
    let wasSuspected = false
    await world.clock.run(30 * MINUTE, () => {
      wasSuspected ||= title(world, id).startsWith('Waiting')
      return world.row(id).state.kind === 'done'
    })
    expect(wasSuspected).toBe(false)
    expect(world.row(id).state.kind).toBe('done')
  })

  it('is suspected twice at most where large buffers of a network are drained in silence', async () => {
    const { world, id } = await uploading(24, {
      totalBytesPerMs: 20,
      connectionBytesPerMs: null,
      bufferBytes: 0,
      blockBytes: PART / 2,
    })
    let suspicions = 0
    let wasSuspected = false
    await world.clock.run(30 * MINUTE, () => {
      const isSuspected = title(world, id).startsWith('Waiting')
      if (isSuspected && !wasSuspected) suspicions += 1
      wasSuspected = isSuspected
      return world.row(id).state.kind === 'done'
    })
    expect(suspicions).toBeLessThanOrEqual(2)
    expect(world.server.ledger.receivedBytes).toBeLessThanOrEqual((24 + 2) * PART)
    expect(world.row(id).state.kind).toBe('done')
  })

  it('that takes whole parts and is slow to answer is left alone', async () => {
    const world = createUploadWorld(PART)
    world.server.faultOf = () => ({ kind: 'swallowed', eachMs: 6_000 })
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 10 * PART))
    expect(await world.clock.run(30 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
    expect(world.server.ledger.puts).toBe(10)
  })

  it('is no longer blamed once the server does not answer either', async () => {
    const { world, id, cut } = await uploading(200)
    for (let outage = 0; outage < 2; outage += 1) {
      cut(true)
      await world.clock.run(10_000)
      expect(title(world, id)).toMatch(/^Waiting for the storage\./)
      world.server.apiProblem = { kind: 'silent' }
      expect(await world.clock.run(10_000, () => world.row(id).state.kind === 'waiting')).toBe(true)
      expect(title(world, id)).toMatch(/^Connection lost\./)
      world.server.apiProblem = null
      cut(false)
      expect(await world.clock.run(5_000, () => title(world, id) === 'Uploading')).toBe(true)
    }
  })

  it('that refuses while it comes back keeps its back-off', async () => {
    const { world, id, cut } = await uploading(200)
    cut(true)
    await world.clock.run(20_000)
    world.server.faultOf = () => ({ kind: 'status', status: 503, retryAfterMs: 30_000 })
    await world.clock.run(5_000)
    expect(world.row(id).state).toMatchObject({ kind: 'waiting', wait: { reason: 'server' } })
    world.server.faultOf = () => null
    expect(await world.clock.run(10 * MINUTE, () => world.row(id).state.kind === 'done')).toBe(true)
  })
})
