import { describe, expect, it } from 'vitest'
import { createFakeFile, type FakeFile } from '#tests/fakes/upload-bytes.ts'
import {
  createUploadWorld,
  startUpload,
  type FakeTab,
  type UploadWorld,
} from '#tests/fakes/upload-world.ts'
import type { CommandResult } from '#src/local/uploads/api.ts'
import {
  followHandedOver,
  handOver,
  recordFetched,
  type FetchedPart,
  type HandOverDeps,
} from '#src/local/uploads/hand-over/hand-over.ts'
import type {
  BrowserSender,
  BrowserSending,
  HandedPart,
} from '#src/local/uploads/hand-over/port.ts'
import { ok } from '#src/lib/result.ts'

const PART = 1_000
const PARTS = 30
const HOUR = 3_600_000
const IN_FLIGHT = 5

/** The browser's own sender, which sends when the test lets it. */
class FakeBrowser implements BrowserSender {
  taken: readonly HandedPart[] = []
  refuses = false
  /** Set: the browser copies bodies until it resolves. */
  copying: Promise<void> = Promise.resolve()
  isThere = false
  sent = 0

  async send(_uploadId: string, parts: readonly HandedPart[]): Promise<boolean> {
    await this.copying
    if (this.refuses) return false
    this.taken = parts
    this.isThere = true
    return true
  }

  async sending(): Promise<BrowserSending | null> {
    if (!this.isThere) return null
    const forget = async (): Promise<void> => {
      this.isThere = false
    }
    return { sentBytes: this.sent, forget }
  }

  /** Sends the parts, the first `count` of them only, and ends. */
  async finish(world: UploadWorld, count = this.taken.length): Promise<readonly FetchedPart[]> {
    const sent: FetchedPart[] = []
    for (const { url, body, sha256 } of this.taken.slice(0, count)) {
      const putting = world.server.transport.put({
        url,
        body,
        sha256,
        offset: 0,
        partSizeBytes: body.size,
        pace: { failedConnects: 0, unanswered: 0, expectedGapMs: null, bytesPerSecond: null },
        signal: new AbortController().signal,
        onSent: () => undefined,
      })
      await world.clock.run(5_000)
      const answer = await putting
      if (answer.kind === 'answer' && answer.eTag !== null)
        sent.push({
          partNumber: Number(/\/(\d+)\?/.exec(url)?.[1]),
          eTag: answer.eTag,
          sha256,
        })
    }
    this.isThere = false
    return sent
  }
}

interface Scene {
  readonly world: UploadWorld
  readonly tab: FakeTab
  readonly id: string
  readonly file: FakeFile
  readonly browser: FakeBrowser
}

/** An upload of 30 parts, some of them safe. Only this page can read the file. */
async function halfway(): Promise<Scene> {
  const world = createUploadWorld(PART)
  const file = createFakeFile('scene.mp4', PARTS * PART)
  const { tab, id } = await startUpload(world, file, false)
  await world.clock.run(HOUR, () => world.row(id).safeBytes >= 8 * PART)
  return { world, tab, id, file, browser: new FakeBrowser() }
}

const depsOf = ({ tab, browser }: Pick<Scene, 'tab' | 'browser'>): HandOverDeps => ({
  ...tab.deps,
  sender: browser,
})

async function settled<T>(world: UploadWorld, work: Promise<T>): Promise<T> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  await world.clock.run(HOUR, () => isOver)
  return ended
}

const hand = (scene: Scene): Promise<CommandResult> =>
  settled(scene.world, handOver(depsOf(scene), scene.id))

/** Follows it in another page of the browser. */
const follow = (scene: Scene): Promise<void> =>
  followHandedOver(depsOf(scene), scene.id, () => undefined)

const isDone =
  ({ world, id }: Scene) =>
  (): boolean =>
    world.row(id).state.kind === 'done'

describe('an upload that a page hands over to the browser', () => {
  it('SAF-06 is sent and completed with no page and without the file', async () => {
    const scene = await halfway()
    const { world, tab, id, file, browser } = scene
    expect(await hand(scene)).toEqual(ok(undefined))
    expect(world.row(id).state).toEqual({ kind: 'handed-over' })
    tab.crash()
    const fetched = await browser.finish(world)
    const service = (await world.openTab()).deps
    await settled(world, recordFetched(service, id, fetched, false))
    await world.clock.run(HOUR, isDone(scene))
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger).toMatchObject({ creates: 1, completes: 1, aborts: 0 })
    expect(world.server.ledger.puts).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
  })

  it('SAF-06 may be closed when the browser sends, or begins nothing for some seconds', async () => {
    const scene = await halfway()
    const { world, id, browser } = scene
    const handing = handOver(depsOf(scene), id)
    await world.clock.run(HOUR, () => browser.isThere)
    await world.clock.run(3_000)
    expect(world.row(id).state.kind).toBe('handing-over')
    browser.sent = 1
    await settled(world, handing)
    expect(world.row(id).state.kind).toBe('handed-over')

    const offline = await halfway()
    expect(await hand(offline)).toEqual(ok(undefined))
    expect(offline.world.row(offline.id).state.kind).toBe('handed-over')
  })

  it('SAF-06 is completed by the service worker within the event', async () => {
    const scene = await halfway()
    const { world, tab, id, browser } = scene
    await hand(scene)
    tab.crash()
    const fetched = await browser.finish(world)
    const service = await world.openTab()
    await settled(world, recordFetched(service.deps, id, fetched, false))
    service.crash()
    const sync = world.dispatchSync()
    expect(await settled(world, sync.ended)).toBe('done')
    expect(world.row(id).state.kind).toBe('done')
  })

  it('SAF-06 is not sent by a page as well, which shows it as handed over', async () => {
    const scene = await halfway()
    const { world, id } = scene
    await hand(scene)
    const { puts } = world.server.ledger
    await world.clock.run(60_000)
    expect(world.server.ledger.puts).toBe(puts)
    const next = await world.openTab()
    void follow({ ...scene, tab: next })
    scene.browser.sent = PART
    await world.clock.run(25_000)
    expect(world.server.ledger.puts).toBe(puts)
    expect(world.row(id).state.kind).toBe('handed-over')
  })

  it('SAF-06 goes on in the page when the browser refuses it, and loses nothing', async () => {
    const scene = await halfway()
    const { world, file, browser } = scene
    browser.refuses = true
    expect(await hand(scene)).toEqual({
      ok: false,
      error: { code: 'upload/not-handed-over' },
    })
    await world.clock.run(HOUR, isDone(scene))
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger.puts).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
  })

  it('SAF-06 is taken back by the next page when its page died too early', async () => {
    const scene = await halfway()
    const { world, tab, id, file, browser } = scene
    browser.copying = new Promise(() => undefined)
    void handOver(depsOf(scene), id)
    await world.clock.run(5_000)
    expect(world.row(id).state.kind).toBe('handing-over')
    tab.crash()
    const next = await world.openTab()
    next.hold(id, file)
    await settled(world, follow({ ...scene, tab: next }))
    await world.clock.run(HOUR, isDone(scene))
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('SAF-06 is taken back, and the copy forgotten, when the browser never sends it', async () => {
    const scene = await halfway()
    const { world, tab, id, file, browser } = scene
    browser.copying = new Promise(() => undefined)
    void handOver(depsOf(scene), id)
    await world.clock.run(5_000)
    tab.crash()
    browser.isThere = true
    const next = await world.openTab()
    next.hold(id, file)
    await settled(world, follow({ ...scene, tab: next }))
    expect(browser.isThere).toBe(false)
    await world.clock.run(HOUR, isDone(scene))
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('SAF-06 is taken back when the browser stops moving although the server answers', async () => {
    const scene = await halfway()
    const { world, id, file, browser } = scene
    await hand(scene)
    const seen: number[] = []
    const watching = followHandedOver(depsOf(scene), id, (sentBytes) => void seen.push(sentBytes))
    await world.clock.run(2_500)
    browser.sent = 5 * PART
    await world.clock.run(2_500)
    world.server.apiProblem = { kind: 'silent' }
    await world.clock.run(120_000)
    expect(world.row(id).state.kind, 'an outage is waited for').toBe('handed-over')
    world.server.apiProblem = null
    await settled(world, watching)
    expect(seen).toEqual([0, 5 * PART])
    expect(browser.isThere, 'what has begun is left to end by itself').toBe(true)
    await world.clock.run(HOUR, isDone(scene))
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('SAF-06 is left to the browser for a while after an outage', async () => {
    const scene = await halfway()
    const { world, id, browser } = scene
    await hand(scene)
    const watching = follow(scene)
    await world.clock.run(2_500)
    browser.sent = 5 * PART
    world.server.apiProblem = { kind: 'silent' }
    await world.clock.run(120_000)
    world.server.apiProblem = null
    await world.clock.run(15_000)
    expect(world.row(id).state.kind).toBe('handed-over')
    await settled(world, watching)
  })

  it('SAF-06 is not taken from the page that is handing it over', async () => {
    const scene = await halfway()
    const { world, id, browser } = scene
    const copied = Promise.withResolvers<void>()
    browser.copying = copied.promise
    const handing = handOver(depsOf(scene), id)
    await world.clock.run(5_000)
    const next = await world.openTab()
    void follow({ ...scene, tab: next })
    await world.clock.run(60_000)
    expect(world.row(id).state.kind).toBe('handing-over')
    copied.resolve()
    expect(await settled(world, handing)).toEqual(ok(undefined))
    expect(world.row(id).state.kind).toBe('handed-over')
  })

  it('SAF-06 is sent by the page where the browser did not send all of it', async () => {
    const scene = await halfway()
    const { world, tab, id, file, browser } = scene
    await hand(scene)
    const fetched = await browser.finish(world, 6)
    await settled(world, recordFetched(tab.deps, id, fetched, false))
    await world.clock.run(HOUR, isDone(scene))
    expect(world.server.content('server-1')).toEqual(file.bytes)
    expect(world.server.ledger.puts).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
  })

  it('SAF-06 is paused, with all parts that were sent, when the person ended it in the browser', async () => {
    const scene = await halfway()
    const { world, tab, id, browser } = scene
    await hand(scene)
    const safe = world.disk.parts.get(id)?.size ?? 0
    const fetched = await browser.finish(world, 4)
    await settled(world, recordFetched(tab.deps, id, fetched, true))
    expect(world.row(id).state).toEqual({ kind: 'paused' })
    expect(world.disk.parts.get(id)?.size).toBe(safe + 4)
    expect(world.row(id).safeBytes).toBe((safe + 4) * PART)
  })

  it('SAF-06 is not sent when the person pauses it before the browser has its copy', async () => {
    const scene = await halfway()
    const { world, tab, id, browser } = scene
    const copied = Promise.withResolvers<void>()
    browser.copying = copied.promise
    const handing = handOver(depsOf(scene), id)
    await world.clock.run(5_000)
    expect(await settled(world, tab.commands.pause(id))).toEqual(ok(undefined))
    copied.resolve()
    expect(await settled(world, handing)).toEqual(ok(undefined))
    expect(browser.isThere).toBe(false)
    expect(world.row(id).state.kind).toBe('paused')
  })

  it('SAF-06 gives the browser no part that the server has already', async () => {
    const scene = await halfway()
    const { world, tab, id, file, browser } = scene
    // Their answers were lost when the page let go of them.
    for (const partNumber of [1, 2, 3]) world.disk.parts.get(id)?.delete(partNumber)
    await hand(scene)
    expect(browser.taken.map(({ url }) => /\/(\d+)\?/.exec(url)?.[1])).not.toContain('2')
    tab.crash()
    const fetched = await browser.finish(world)
    const service = await world.openTab()
    await settled(world, recordFetched(service.deps, id, fetched, false))
    await world.clock.run(HOUR, isDone(scene))
    expect(world.row(id).state.kind).toBe('done')
    expect(world.server.content('server-1')).toEqual(file.bytes)
  })

  it('SAF-06 is left alone by the browser news once it was discarded', async () => {
    const scene = await halfway()
    const { world, tab, id, browser } = scene
    await hand(scene)
    const fetched = await browser.finish(world)
    expect(await settled(world, tab.commands.discard(id))).toEqual(ok(undefined))
    await settled(world, recordFetched(tab.deps, id, fetched, false))
    await world.clock.run(60_000)
    expect(world.server.ledger.aborts).toBe(1)
    expect(world.disk.rows.has(id)).toBe(false)
  })
})
