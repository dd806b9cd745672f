import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld, startUpload, type UploadWorld } from '#tests/fakes/upload-world.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import { err } from '#src/lib/result.ts'

/** Some pieces long. */
const LARGE_PART = 660 * 1_024
const PART = 1_000
const HOUR = 3_120_000

function kindOf(world: UploadWorld, uploadId: string): UploadState['kind'] {
  return world.row(uploadId).state.kind
}

describe('an upload', () => {
  it('UPL-07 sends every part once, completes, and is done when the server has checked it', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 23 * PART + 7)
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger).toMatchObject({
      puts: 24,
      creates: 1,
      completes: 1,
      receivedBytes: file.bytes.byteLength,
    })
    expect(world.row(id).safeBytes).toBe(file.bytes.byteLength)
    expect(world.disk.dropped.has(id)).toBe(true)
  })

  it('UPL-09 has five parts under way at the most, over two uploads and two tabs', async () => {
    const world = createUploadWorld(PART)
    const first = await startUpload(world, createFakeFile('one.mp4', 40 * PART))
    const second = await startUpload(world, createFakeFile('two.mp4', 40 * PART, 2))
    await world.clock.run(
      HOUR,
      () => kindOf(world, first.id) === 'done' && kindOf(world, second.id) === 'done',
    )
    expect([kindOf(world, first.id), kindOf(world, second.id)]).toEqual(['done', 'done'])
    expect(world.server.ledger).toMatchObject({ maxConcurrentPuts: 5, puts: 80 })
  })

  it('creates a queued upload at once, although another one is sending', async () => {
    const world = createUploadWorld(PART)
    const first = await startUpload(world, createFakeFile('one.mp4', 400 * PART))
    const second = await startUpload(world, createFakeFile('two.mp4', 10 * PART, 2))
    await world.clock.run(500)
    expect(kindOf(world, first.id)).toBe('uploading')
    expect(world.row(second.id)).toMatchObject({
      uploadRequestId: 'server-2',
      state: { kind: 'queued' },
    })
  })

  it('sends an asset beside a video, because the intro is needed before the video is there', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('one.mp4', 400 * PART))
    const file = createFakeFile('intro.mp4', 10 * PART, 2)
    const asset = world.addDraft(file, { purpose: 'media-asset' }).id
    tab.hold(asset, file)
    void tab.commands.start(asset, null)
    expect(await world.clock.run(HOUR, () => kindOf(world, asset) === 'done')).toBe(true)
    expect(kindOf(world, id)).toBe('uploading')
  })

  it('is sent at once when it is created and no other upload sends, and one that cannot be created does not block the others', async () => {
    const world = createUploadWorld(PART)
    const { create } = world.server.api
    world.server.api.create = (row, signal) =>
      row.file.name === 'one.mp4'
        ? Promise.resolve(err({ kind: 'busy', retryAfterMs: HOUR }))
        : create(row, signal)
    const { tab, id } = await startUpload(world, createFakeFile('one.mp4', 10 * PART), false)
    await world.clock.run(10)
    const file = createFakeFile('two.mp4', 10 * PART, 2)
    const second = world.addDraft(file).id
    const seen = new Set<string>()
    world.disk.listeners.add(() => seen.add(kindOf(world, second)))
    tab.hold(second, file)
    void tab.commands.start(second, null)
    expect(await world.clock.run(HOUR / 2, () => kindOf(world, second) === 'done')).toBe(true)
    expect(kindOf(world, id)).toBe('waiting')
    expect(Array.from(seen)).toEqual(['preparing', 'uploading', 'finalising', 'verifying', 'done'])
  })

  it.each([
    ['as it expects', PART],
    ['in another way', 3 * PART],
    ['in a way that it has not heard of', null],
  ])('sends the right bytes when the server cuts the file %s', async (_, usualPartBytes) => {
    const world = createUploadWorld(PART)
    world.usualPartBytes = usualPartBytes
    const file = createFakeFile('scene.mp4', 10 * PART)
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger).toMatchObject({ puts: 10, receivedBytes: 10 * PART })
  })

  it('lets another upload send while a tab holds one that cannot be created', async () => {
    const world = createUploadWorld(PART)
    const other = await world.openTab()
    const released = Promise.withResolvers<void>()
    const held = world.addDraft(createFakeFile('one.mp4', 10 * PART)).id
    const never = new AbortController().signal
    void other.deps.locks.withLock(`upload:${held}`, never, () => released.promise)
    const tab = await world.openTab()
    tab.hold(held, createFakeFile('one.mp4', 10 * PART))
    void tab.commands.start(held, null)
    await world.clock.run(10)
    const { id } = await startUpload(world, createFakeFile('two.mp4', 10 * PART, 2))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(kindOf(world, held)).toBe('preparing')
    released.resolve()
  })

  it('begins with the answer to the creation, without asking for the upload again', async () => {
    const world = createUploadWorld(PART)
    let reads = 0
    const { read } = world.server.api
    world.server.api.read = (id, signal) => {
      reads += 1
      return read(id, signal)
    }
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 10 * PART))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(reads).toBe(0)
  })

  it('sends nothing again after a crash while it is put together', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 10 * PART)
    const { complete } = world.server.api
    const { tab, id } = await startUpload(world, file)
    world.server.api.complete = (uploadRequestId, parts, signal) => {
      tab.crash()
      return complete(uploadRequestId, parts, signal)
    }
    await world.clock.run(HOUR, () => world.server.ledger.completes === 1)
    expect(kindOf(world, id)).toBe('finalising')
    await world.openTab()
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger).toMatchObject({
      puts: 10,
      receivedBytes: file.bytes.byteLength,
      completes: 1,
    })
  })

  it('updates its row about once a second on a fast network, and with all safe parts when it is paused', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 400 * PART))
    const told = new Set<number>()
    world.disk.listeners.add(() => told.add(world.row(id).safeBytes))
    const startMs = world.clock.now()
    await world.clock.run(HOUR, () => (world.disk.parts.get(id)?.size ?? 0) >= 100)
    expect(told.size).toBeLessThanOrEqual(3 + (2 * (world.clock.now() - startMs)) / 1_000)
    expect(await tab.commands.pause(id)).toEqual({ ok: true, value: undefined })
    expect(world.row(id)).toMatchObject({
      state: { kind: 'paused' },
      safeBytes: (world.disk.parts.get(id)?.size ?? 0) * PART,
    })
  })

  it('goes on after a crash with at most the parts under way sent again', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 40 * PART)
    const { tab, id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 20 * PART)
    tab.crash()
    await world.openTab()
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger.receivedBytes).toBeLessThanOrEqual(45 * PART)
  })

  it('does not send a part again whose answer was lost', async () => {
    const world = createUploadWorld(PART)
    world.server.faultOf = (partNumber, attempt) =>
      partNumber === 3 && attempt === 1 ? { kind: 'answer-lost' } : null
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 5 * PART))
    await world.clock.run(1_300)
    tab.crash()
    await world.openTab()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.ledger.puts).toBe(5)
  })

  it('does not hammer a server that takes a few bytes and hangs up, says that it waits, and is quick when it is back', async () => {
    const world = createUploadWorld(PART)
    // Where parts resume, the few bytes are kept.
    world.server.isResumable = false
    let isAway = true
    world.server.faultOf = () => (isAway ? { kind: 'reset', afterShare: 0.02 } : null)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 30 * PART))
    let didWait = false
    await world.clock.run(60_000, () => {
      didWait ||= kindOf(world, id) === 'waiting'
      return false
    })
    expect(didWait).toBe(true)
    // One every half second would be 600 in a minute.
    expect(world.server.ledger.puts).toBeLessThan(250)
    isAway = false
    expect(await world.clock.run(25_000, () => kindOf(world, id) === 'done')).toBe(true)
  })

  it('asks for a fresh address when one has expired, and nothing is lost', async () => {
    const world = createUploadWorld(PART)
    world.server.urlLifeMs = 2_500
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('SCL-02 hashes parts before it asks for their addresses where a store compares them, and sends what it was told to send', async () => {
    const world = createUploadWorld(PART)
    world.server.isResumable = false
    world.server.urlsNeedChecksums = true
    world.server.urlLifeMs = 2_500
    world.server.faultOf = (partNumber, attempt) =>
      partNumber === 3 && attempt === 1 ? { kind: 'bit-flip' } : null
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(file.bytes)
    // As many are under way as with addresses that need no hash.
    expect(world.server.ledger.maxConcurrentPuts).toBe(5)
  })

  it('SCL-02 sends each part once though the store answers late, or buffers pass a part on slowly, and the store cannot be asked how much it has', async () => {
    const world = createUploadWorld(LARGE_PART)
    world.server.isResumable = false
    world.server.urlsNeedChecksums = true
    world.server.bytesPerMs = 2_000
    // The last part takes 17 s, where three were silence enough on a network so fast.
    world.server.faultOf = (partNumber) =>
      partNumber === 7 ? { kind: 'swallowed', bytesPerMs: 40 } : null
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 7 * LARGE_PART))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.ledger.puts, 'the last one was sent for ever').toBe(7)
  })

  it('does not blame the store when an address runs out in a sleep, twice', async () => {
    const world = createUploadWorld(PART)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 30 * PART))
    // Parts in flight end before the ticker looks at the clock: their refusal comes first.
    world.server.bytesPerMs = PART / 600
    await world.clock.run(400)
    world.clock.jump(HOUR)
    await world.clock.run(300)
    world.clock.jump(HOUR)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
  })

  it('SAF-01 waits with the reason when even fresh addresses are refused, and goes on when they are not', async () => {
    const world = createUploadWorld(PART)
    let isRefused = true
    world.server.faultOf = () => (isRefused ? { kind: 'status', status: 403 } : null)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'waiting')).toBe(true)
    expect(world.row(id).state).toMatchObject({ wait: { reason: 'refused', code: 'http/403' } })
    isRefused = false
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
  })

  it('survives a burst of server errors, waiting as the server asked', async () => {
    const world = createUploadWorld(PART)
    const until = world.clock.now() + 90_000
    world.server.faultOf = () =>
      world.clock.now() < until ? { kind: 'status', status: 503, retryAfterMs: 30_000 } : null
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 12 * PART))
    await world.clock.run(10_000)
    expect(world.row(id).state).toMatchObject({ kind: 'waiting', wait: { reason: 'server' } })
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
    expect(world.server.ledger.puts).toBeLessThan(12 + 5 + 4 + 3 + 2 + 5)
  })

  it('JOB-04 sends the end of the file early also where its first try fails, because its price waits for it', async () => {
    const world = createUploadWorld(PART)
    const stored: number[] = []
    world.server.faultOf = (partNumber, attempt) => {
      if (partNumber === 100 && attempt === 1) return { kind: 'status', status: 503 }
      stored.push(partNumber)
      return null
    }
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 100 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(new Set(stored).size).toBe(100)
    expect(stored.indexOf(100)).toBeLessThan(20)
  })

  it('reads a hidden ETag from the list of the server', async () => {
    const world = createUploadWorld(PART)
    world.server.faultOf = () => ({ kind: 'no-etag' })
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 8 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
    expect(world.server.ledger.puts).toBe(8)
  })

  it('SAF-02 completes by the ETags that the server lists, whatever its answers said', async () => {
    const world = createUploadWorld(PART)
    world.server.faultOf = (partNumber) => (partNumber === 3 ? { kind: 'wrong-etag' } : null)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 8 * PART))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.ledger.puts).toBe(8)
  })

  it('starts over after a refusal that came before there was an upload', async () => {
    const world = createUploadWorld(PART)
    world.server.apiProblem = { kind: 'refused', code: 'request/invalid', message: null }
    const { id, tab } = await startUpload(world, createFakeFile('scene.mp4', 2 * PART))
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'failed')).toBe(true)
    world.server.apiProblem = null
    expect(await tab.commands.startOver(id)).toEqual({ ok: true, value: undefined })
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
  })

  it.each([404, 507])(
    'SAF-03 a storage that refuses with %i for two minutes costs one piece a try, not a part',
    async (status) => {
      const world = createUploadWorld(LARGE_PART)
      let until = Infinity
      const file = createFakeFile('scene.mp4', 8 * LARGE_PART)
      world.server.bytesPerMs = 2_000
      world.server.faultOf = (partNumber) => {
        if (until === Infinity && partNumber > 2) until = world.clock.now() + 120_000
        return until !== Infinity && world.clock.now() < until ? { kind: 'status', status } : null
      }
      const { id } = await startUpload(world, file)
      expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
      const { refusedBytes, puts } = world.server.ledger
      const underWay = 5 * LARGE_PART
      expect(refusedBytes, 'it was twice that').toBeLessThan(underWay + puts * 256 * 1_024)
    },
  )

  it('SAF-03 lets pieces arrive that lie in buffers and report no progress, because the server holds more and more of them', async () => {
    const world = createUploadWorld(LARGE_PART)
    world.server.faultOf = () => ({ kind: 'swallowed', bytesPerMs: 62.5 })
    const file = createFakeFile('scene.mp4', 6 * LARGE_PART)
    const { id } = await startUpload(world, file)
    expect(await world.clock.run(HOUR, () => kindOf(world, id) === 'done')).toBe(true)
    expect(world.server.ledger.receivedBytes).toBe(file.bytes.length)
    expect(world.server.ledger.offsets, 'no attempt was given up').toBe(0)
    const quietMs = Math.max(...world.progress.map(({ quietForMs }) => quietForMs))
    expect(quietMs, 'it was 20.8 s while only whole pieces counted').toBeLessThan(15_000)
    const safe = new Set(world.progress.map(({ safeBytes }) => safeBytes % LARGE_PART))
    expect(safe.size, 'what the server holds of a part counts as safe').toBeGreaterThan(10)
  })

  it('takes a captive portal for a lost network', async () => {
    const world = createUploadWorld(PART)
    const until = world.clock.now() + 60_000
    world.server.faultOf = () => (world.clock.now() < until ? { kind: 'html' } : null)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 4 * PART))
    expect(await world.clock.run(20_000, () => kindOf(world, id) === 'waiting')).toBe(true)
    expect(world.row(id)).toMatchObject({ safeBytes: 0, state: { wait: { reason: 'network' } } })
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
  })

  it('sends a part again whose bytes were damaged on the way', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 6 * PART)
    world.server.faultOf = (partNumber, attempt) =>
      partNumber === 2 && attempt <= 2 ? { kind: 'bit-flip' } : null
    const { id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('repairs what the server lost between sending and completing', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 10 * PART)
    const { id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => world.row(id).safeBytes === 9 * PART)
    world.server.losePart('server-1', 2)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('asks for the file again when nothing can read it, and goes on once the same bytes are there', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 40 * PART)
    const { tab, id } = await startUpload(world, file, false)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 10 * PART)
    tab.crash()
    const next = await world.openTab()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-file')
    expect(world.row(id).state).toEqual({ kind: 'needs-file', why: 'no-handle' })
    const again = new File([file.bytes], 'renamed.mp4')
    next.hold(id, file)
    const provided = next.commands.provideFile(id, again, null)
    await expect(provided).resolves.toEqual({ ok: true, value: undefined })
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('does not take another file of the same size for the same upload', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 40 * PART)
    const { tab, id } = await startUpload(world, file, false)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 10 * PART)
    tab.crash()
    const next = await world.openTab()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-file')
    const other = createFakeFile('scene.mp4', 40 * PART, 9)
    await expect(
      next.commands.provideFile(id, new File([other.bytes], 'scene.mp4'), null),
    ).resolves.toEqual({ ok: false, error: { code: 'upload/file-differs' } })
    expect(kindOf(world, id)).toBe('conflict')
  })

  it('does not ask for a file that another tab holds, but does so when that tab is gone', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 60 * PART), false)
    await world.clock.run(2_000)
    await world.openTab()
    await world.clock.run(2_000)
    expect(kindOf(world, id)).toBe('uploading')
    tab.crash()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-file')
    expect(kindOf(world, id)).toBe('needs-file')
  })

  it('stops at a lost session without losing what is under way, and goes on after signing in', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { tab, id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 5 * PART)
    world.server.apiProblem = { kind: 'signed-out' }
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-auth')
    expect(kindOf(world, id)).toBe('needs-auth')
    world.server.apiProblem = null
    void tab.commands.signedIn()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('pauses from another tab, stays paused over a reload, and resumes', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 30 * PART))
    const other = await world.openTab()
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 5 * PART)
    void other.commands.pause(id)
    await world.clock.run(100)
    expect(kindOf(world, id)).toBe('paused')
    const { puts } = world.server.ledger
    tab.crash()
    await world.clock.run(60_000)
    expect(world.server.ledger.puts).toBe(puts)
    void other.commands.resume(id)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
  })

  it('reports a discard to the server until it confirms, and can be undone for ten seconds', async () => {
    const world = createUploadWorld(PART)
    const { tab, id } = await startUpload(world, createFakeFile('scene.mp4', 60 * PART))
    await world.clock.run(2_000)
    void tab.commands.discard(id)
    await world.clock.run(5_000)
    void tab.commands.undoDiscard(id)
    await world.clock.run(1_000)
    expect(kindOf(world, id)).toBe('uploading')
    void tab.commands.discard(id)
    world.server.apiProblem = { kind: 'silent' }
    await world.clock.run(60_000)
    expect(kindOf(world, id)).toBe('discarding')
    tab.crash()
    await world.openTab()
    world.server.apiProblem = null
    await world.clock.run(HOUR, () => !world.disk.rows.has(id))
    expect(world.disk.rows.has(id)).toBe(false)
    expect(world.server.ledger.aborts).toBe(1)
  })

  it('discards an upload that stands in the queue without waiting for its turn', async () => {
    const world = createUploadWorld(PART)
    await startUpload(world, createFakeFile('one.mp4', 4_000 * PART))
    const second = await startUpload(world, createFakeFile('two.mp4', 10 * PART, 2))
    await world.clock.run(1_000)
    void second.tab.commands.discard(second.id)
    await world.clock.run(20_000)
    expect(world.disk.rows.has(second.id)).toBe(false)
  })

  it('drops dead connections after a sleep and goes on at once', async () => {
    const world = createUploadWorld(PART)
    let isAsleep = false
    world.server.faultOf = () => (isAsleep ? { kind: 'black-hole' } : null)
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 20 * PART))
    await world.clock.run(2_000)
    isAsleep = true
    await world.clock.run(1_500)
    world.clock.jump(8 * HOUR)
    isAsleep = false
    const before = world.clock.now()
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
    expect(world.clock.now() - before).toBeLessThan(20_000)
  })

  it.each(Array.from({ length: 12 }, (_, index) => 30_000 + index * 250))(
    'UPL-09 sends again within 1.25 s of the end of a black hole of %i ms, wherever its checks are then',
    async (holeMs) => {
      const world = createUploadWorld(PART)
      world.server.bytesPerMs = 1
      let isCut = false
      const { ping } = world.server.api
      world.server.faultOf = () => (isCut ? { kind: 'black-hole' } : null)
      world.server.api.ping = async (signal) => {
        if (!isCut) return ping(signal)
        await world.clock.sleep(HOUR, signal).catch(() => undefined)
        return false
      }
      const { id } = await startUpload(world, createFakeFile('scene.mp4', 40 * PART))
      await world.clock.run(2_000)
      isCut = true
      await world.clock.run(holeMs)
      isCut = false
      const { puts } = world.server.ledger
      expect(await world.clock.run(1_250, () => world.server.ledger.puts > puts)).toBe(true)
      await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
      expect(kindOf(world, id)).toBe('done')
    },
  )

  it('goes on although nothing can be written on the device, and loses nothing', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 5 * PART)
    world.disk.isFull = true
    await world.clock.run(3_000)
    world.disk.isFull = false
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger.puts).toBe(30)
  })

  it('wakes an upload that waited for a login once the disk has room again', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { tab, id } = await startUpload(world, file)
    world.server.apiProblem = { kind: 'signed-out' }
    await world.clock.run(HOUR, () => kindOf(world, id) === 'needs-auth')
    tab.crash()
    world.server.apiProblem = null
    world.disk.isFull = true
    await world.openTab()
    await world.clock.run(3_000)
    expect(kindOf(world, id)).toBe('needs-auth')
    world.disk.isFull = false
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('says so when the server no longer has the upload, and starts over with the same file', async () => {
    const world = createUploadWorld(PART)
    const file = createFakeFile('scene.mp4', 30 * PART)
    const { tab, id } = await startUpload(world, file)
    await world.clock.run(HOUR, () => world.row(id).safeBytes >= 5 * PART)
    world.server.validate('server-1', 'failed')
    const upload = world.server.uploads()[0]
    if (upload !== undefined) upload.state = 'aborted'
    await world.clock.run(HOUR, () => kindOf(world, id) === 'expired')
    expect(kindOf(world, id)).toBe('expired')
    void tab.commands.startOver(id)
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(world.server.content('server-2')).toEqual(file.bytes)
  })

  it('fails with the reason of the server when the file is no video', async () => {
    const world = createUploadWorld(PART)
    world.server.autoValidates = false
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'verifying')
    world.server.validate('server-1', 'failed')
    await world.clock.run(HOUR, () => kindOf(world, id) === 'failed')
    expect(world.row(id).state).toEqual({
      kind: 'failed',
      code: 'upload/invalid-file',
      message: 'This is not a video file.',
    })
  })

  it('UPL-12 notes that the server fails at the check, and goes on asking', async () => {
    const world = createUploadWorld(PART)
    world.server.autoValidates = false
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'verifying')
    world.server.isCheckLate = true
    await world.clock.run(HOUR, () => 'isLate' in world.row(id).state)
    expect(world.row(id).state).toEqual({ kind: 'verifying', isLate: true })
    world.server.validate('server-1', 'validated')
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
  })

  it('UPL-11 blames CORS only when a foreign store never answers and the API does', async () => {
    const world = createUploadWorld(PART)
    world.server.isForeign = true
    world.server.isResumable = false
    world.server.faultOf = () => ({ kind: 'reset', afterShare: 0 })
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    const refusal = { kind: 'waiting', wait: { reason: 'refused', code: 'upload/cors' } }
    const isBlamed = (): boolean => {
      const { state } = world.row(id)
      return state.kind === 'waiting' && state.wait.reason === 'refused'
    }
    expect(await world.clock.run(HOUR, isBlamed)).toBe(true)
    expect(world.row(id).state).toMatchObject(refusal)
  })

  it('waits for the network as long as it takes, on the embedded store', async () => {
    const world = createUploadWorld(PART)
    const until = world.clock.now() + HOUR
    world.server.faultOf = () =>
      world.clock.now() < until ? { kind: 'reset', afterShare: 0 } : null
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 3 * PART))
    await world.clock.run(HOUR / 2)
    expect(kindOf(world, id)).toBe('waiting')
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    expect(kindOf(world, id)).toBe('done')
  })

  it('reports progress at most four times a second and never lets it go back', async () => {
    const world = createUploadWorld(PART)
    const begin = world.clock.now()
    world.server.faultOf = (partNumber, attempt) =>
      partNumber % 4 === 0 && attempt === 1 ? { kind: 'reset', afterShare: 0.7 } : null
    const { id } = await startUpload(world, createFakeFile('scene.mp4', 100 * PART))
    await world.clock.run(HOUR, () => kindOf(world, id) === 'done')
    const safe = world.progress.map((news) => news.safeBytes)
    expect(safe).toEqual(safe.toSorted((a, b) => a - b))
    expect(safe.length).toBeLessThanOrEqual(((world.clock.now() - begin) / 1_000) * 4 + 1)
    expect(world.progress.every((news) => news.safeBytes + news.inFlightBytes <= 100 * PART)).toBe(
      true,
    )
  })
})
