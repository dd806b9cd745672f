import { expect, it, onTestFinished, vi } from 'vitest'
import { patience } from '#tests/setup/patience.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles, type FakeFolder } from '#tests/fakes/fake-files.ts'
import { fakeJobWithFiles } from '#tests/fakes/fake-job-with-files.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { answerRange, createFakeResults, refuse } from '#tests/fakes/fake-results.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { keptFetchesOf, type BrowserGetter } from '#src/local/kept/by-browser.ts'
import { createKeptBytes, STEP_BYTES, type KeptBytes } from '#src/local/kept/kept-bytes.ts'
import { openKeptFiles } from '#src/local/kept/kept-files.ts'
import { copyFetched } from '#src/local/kept/copy-fetched.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { putJobs } from '#src/local/db/media-jobs.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { wipeAccount } from '#src/local/db/wipe.ts'
import { silentLog, type Log } from '#src/lib/log.ts'

const OUTPUT = idOf(700)
const OTHER = idOf(701)
const VIDEO = idOf(2)
const BYTES = new Uint8Array(2 * STEP_BYTES + 5).fill(7, STEP_BYTES)

it('PHO-04: the browser gets a file as one request, and the copy is the file, with no page beside it', async () => {
  const world = await createWorld()
  const { stop } = world.open()
  world.browser.come = 9
  await world.keep()
  expect(await world.row()).toMatchObject({ state: 'getting', handed: { fromBytes: 0 } })
  await world.until({ gotBytes: 9 })
  await stop()
  await world.end(answerRange(world.asked(), BYTES))
  expect(await world.row()).toMatchObject({ state: 'kept', gotBytes: BYTES.length })
  expect(await world.row()).not.toHaveProperty('handed')
  const file = await world.bytes.read(OUTPUT, BYTES.length, '')
  expect(new Uint8Array((await file?.slice(-6).arrayBuffer()) ?? [])).toEqual(BYTES.slice(-6))
  expect(world.results.ranges).toEqual([])
})

it('PHO-04: only the rest is asked for, and an answer that is the whole file serves too', async () => {
  for (const answer of [answerRange, () => new Response(BYTES, { headers: TAG })]) {
    const world = await createWorld()
    await world.bytes.write(OUTPUT, 0, new Blob([BYTES.subarray(0, STEP_BYTES)]))
    world.open()
    await world.keep()
    expect(world.asked().headers.get('range')).toBe(`bytes=${STEP_BYTES}-${BYTES.length - 1}`)
    expect(world.asked().headers.get('if-range')).toBe(TAG.etag)
    await world.end(answer(world.asked(), BYTES))
    expect(await world.row()).toMatchObject({ state: 'kept' })
    expect((await world.bytes.read(OUTPUT, BYTES.length, ''))?.size).toBe(BYTES.length)
  }
})

it('PHO-04: what the browser does not take, or brings in part, or not at all, the page gets', async () => {
  const portal = new Response(BYTES, { headers: { etag: '"portal"' } })
  const half = new Response(BYTES.subarray(0, STEP_BYTES + 9), { status: 206, headers: TAG })
  for (const answer of [null, portal, half, refuse(503, 'server/busy')]) {
    const world = await createWorld()
    world.browser.isTaken = answer !== null
    world.open()
    await world.keep()
    if (answer !== null) await world.end(answer)
    await world.until({ state: 'kept' })
    // Whole steps are not asked for again.
    const first = answer === half ? STEP_BYTES : 0
    expect(world.results.ranges[0]).toMatch(new RegExp(`^bytes=${first}-`))
  }
})

it('PHO-04: the loop gets what is one step, what has no room twice, and what no press asked for', async () => {
  for (const change of [
    (world: World) => void (world.browser.mayBegin = false),
    (world: World) =>
      void (world.estimate = { quota: 500_000_000 + 2 * BYTES.length - 1, usage: 0 }),
    (world: World) =>
      world.bytes
        .write(OUTPUT, 0, new Blob([BYTES.subarray(0, STEP_BYTES)]))
        .then(() =>
          world.bytes.write(OUTPUT, STEP_BYTES, new Blob([BYTES.subarray(0, STEP_BYTES)])),
        ),
  ]) {
    const world = await createWorld()
    await change(world)
    world.open()
    await world.keep()
    await world.until({ state: 'kept' })
    expect(world.browser.requests.size).toBe(0)
  }
})

it('PHO-04: a file that the browser has forgotten, or stands still with, is taken back', async () => {
  for (const come of [null, 3]) {
    const world = await createWorld()
    world.open()
    world.browser.come = come
    await world.keep()
    await world.pass(async () => expect(await world.row()).toMatchObject({ state: 'kept' }))
    expect(world.browser.ended).toEqual([...world.browser.requests.keys()])
  }
})

it('PHO-04: a file that stands in the line of the browser is not taken back while another one moves', async () => {
  const world = await createWorld()
  const kept = world.open()
  world.browser.come = 3
  await world.keep()
  await kept.keep(VIDEO, { outputId: OTHER, sizeBytes: BYTES.length })
  const [first = '', second = ''] = world.browser.requests.keys()
  for (let bytes = 0; bytes < 12; bytes += 1) {
    world.browser.comeOf.set(first, bytes)
    await world.looks(8)
  }
  expect(world.browser.ended).toEqual([])
  await world.pass(() => expect(world.browser.ended.toSorted()).toEqual([first, second].toSorted()))
})

it('PHO-04: after an outage, and after the sleep of a device, the browser has time to go on', async () => {
  const world = await createWorld()
  world.open()
  world.isAway = true
  world.browser.come = 3
  await world.keep()
  await world.pass(() => expect(world.unanswered).toBeGreaterThan(3))
  world.isAway = false
  await world.looks(20)
  expect(await world.row()).toMatchObject({ state: 'getting', handed: {} })
  world.browser.come = 4
  await world.looks(2)
  await world.clock.advance(3_600_000)
  await world.looks(20)
  expect(await world.row()).toMatchObject({ state: 'getting', handed: {} })
  expect(world.browser.ended).toEqual([])
})

it('PHO-04: what a person ends in the browser waits for a press, and what they remove leaves nothing', async () => {
  const world = await createWorld()
  const kept = world.open()
  await world.keep()
  await world.end(null, 'aborted')
  expect(await world.row()).toMatchObject({ state: 'failed', fault: 'stopped' })
  await world.clock.advance(1)
  await kept.getAgain({ outputId: OUTPUT, sizeBytes: BYTES.length })
  expect(world.browser.requests.size).toBe(2)
  await kept.remove([OUTPUT])
  expect(world.browser.ended).toEqual([keptFetchesOf(USER_ID, OUTPUT)])
  await world.end(answerRange(world.asked(), BYTES))
  expect(await world.row()).toBeUndefined()
  expect(await world.bytes.list()).toEqual([])
})

it('PHO-04: the end of a download that was stopped says nothing of the next one of the file', async () => {
  const world = await createWorld()
  const kept = world.open()
  await world.keep()
  const [first = ''] = world.browser.requests.keys()
  await kept.remove([OUTPUT])
  await world.clock.advance(1)
  await world.keep()
  await world.end(null, 'aborted', { id: first })
  expect(await world.row()).toMatchObject({ state: 'getting', handed: {} })
  await world.end(answerRange(world.asked(), BYTES))
  expect(await world.row()).toMatchObject({ state: 'kept' })
})

it('PHO-04: a press twice, or in two tabs, gets a file once, and one that is stopped before the browser begins is ended', async () => {
  const world = await createWorld()
  const kept = world.open()
  await Promise.all([world.keep(), world.keep()])
  expect(await world.row()).toMatchObject({ state: 'getting', handed: {} })
  expect(world.browser.running.size).toBe(1)
  await kept.remove([OUTPUT])
  expect(world.browser.running.size).toBe(0)
  world.browser.onBegin = () => kept.remove([OUTPUT])
  await world.clock.advance(1)
  await world.keep()
  expect(await world.row()).toBeUndefined()
  expect(world.browser.running.size).toBe(0)
  expect(world.browser.requests.size).toBe(2)
})

it('PHO-04: a file that was taken back and is given to the browser again has its time again', async () => {
  const world = await createWorld()
  const kept = world.open()
  world.browser.come = null
  await world.keep()
  await world.pass(async () => expect(await world.row()).toMatchObject({ state: 'kept' }))
  await kept.remove([OUTPUT])
  await world.clock.advance(60_000)
  await world.keep()
  await world.looks(2)
  expect(await world.row()).toMatchObject({ state: 'getting', handed: {} })
})

it('PHO-04: a copy that fails is in the log, and the page gets what is missing', async () => {
  const world = await createWorld()
  world.open()
  await world.keep()
  const write = async () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
  await world.end(answerRange(world.asked(), BYTES), '', { bytes: { ...world.bytes, write } })
  expect(world.lines).toContain('copying what the browser got failed')
  await world.until({ state: 'kept' })
})

it('PHO-08: an account that is wiped while a step is read or written leaves no byte', async () => {
  for (const moment of ['read', 'write'] as const) {
    const world = await createWorld()
    const kept = world.open()
    await world.keep()
    await kept.stop()
    const service = await openTestDb(world.device)
    const steps = [BYTES.subarray(0, STEP_BYTES), BYTES.subarray(STEP_BYTES)]
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (to) => {
          const step = steps.shift()
          if (step === undefined) return to.close()
          if (steps.length === 0 && moment === 'read') await world.wipe()
          to.enqueue(step)
        },
      },
      { highWaterMark: 0 },
    )
    const write: typeof world.bytes.write = async (outputId, at, step) => {
      if (at > 0 && moment === 'write') await world.wipe()
      await world.bytes.write(outputId, at, step)
    }
    const deps = { db: service, bytes: { ...world.bytes, write } }
    const answer = new Response(body, { status: 206, headers: TAG })
    await expect(world.end(answer, '', deps)).rejects.toThrow('closed')
    expect(steps).toEqual([])
    expect([...filesIn(world.root)]).toEqual([])
  }
})

function* filesIn(folder: FakeFolder): Generator<string> {
  for (const child of folder.children.values())
    if (child.kind === 'file') yield child.name
    else yield* filesIn(child)
}

const TAG = { etag: `"${OUTPUT}"` }

/** The id of another download than the last, and what the service worker has of its own. */
interface EndedBeside {
  readonly id?: string
  readonly db?: AccountDb
  readonly bytes?: KeptBytes
}

type World = Awaited<ReturnType<typeof createWorld>>

/** A device with one result of `BYTES`, whose browser gets files. */
async function createWorld() {
  const device = newDevice()
  const db = await openTestDb(device)
  const clock = createFakeClock()
  const results = createFakeResults(BYTES)
  const files = createFakeFiles()
  const bytes = createKeptBytes(files.open, USER_ID, null)
  const locks = createFakeLocks()
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: (message) => void lines.push(message) }
  const browser = {
    mayBegin: true,
    isTaken: true,
    come: 0 as number | null,
    /** Where it is not the same for all, by their ids. */
    comeOf: new Map<string, number>(),
    looks: 0,
    /** By their ids. */
    requests: new Map<string, Request>(),
    running: new Set<string>(),
    onBegin: (): Promise<unknown> => new Promise(setImmediate),
    ended: [] as string[],
  }
  const getter: BrowserGetter = {
    mayBegin: () => browser.mayBegin,
    // It refuses an id that is running, as browsers do.
    begin: async (id, request) => {
      await browser.onBegin()
      if (!browser.isTaken || browser.running.has(id)) return false
      browser.requests.set(id, request)
      browser.running.add(id)
      return true
    },
    comeBytes: async (id) => {
      browser.looks += 1
      return browser.comeOf.get(id) ?? browser.come
    },
    end: async (idPrefix) => {
      browser.ended.push(idPrefix)
      for (const id of browser.running) if (id.startsWith(idPrefix)) browser.running.delete(id)
    },
  }
  const job = fakeJobWithFiles(VIDEO, [OUTPUT, OTHER], BYTES.length)
  await db.transaction('rw', db.mediaJobs, db.libraryEntries, () =>
    putJobs(db, [mediaJobToRow(job, clock.now())]),
  )
  const opened: ReturnType<typeof openKeptFiles>[] = []
  onTestFinished(async () => {
    await Promise.all(opened.map((kept) => kept.stop()))
    db.close()
  })
  const row = () => db.keptFiles.get(OUTPUT)
  const world = {
    clock,
    lines,
    device,
    root: files.root,
    bytes,
    browser,
    results,
    row,
    isAway: false,
    unanswered: 0,
    estimate: { quota: 100_000_000_000, usage: 0 },
    open: () => {
      const kept = openKeptFiles(files.open, {
        db,
        clock,
        locks,
        getter,
        fetch: (request) => {
          if (!world.isAway) return results.fetch(request)
          world.unanswered += 1
          return Promise.reject(new TypeError('away'))
        },
        log,
        random: () => 1,
        origin: 'https://onecut.test',
        userId: USER_ID,
        estimate: async () => world.estimate,
      })
      opened.push(kept)
      return kept
    },
    keep: () => opened[0]?.keep(VIDEO, { outputId: OUTPUT, sizeBytes: BYTES.length }),
    asked: () => [...browser.requests.values()].at(-1) ?? expect.fail('the browser was not asked'),
    /** The event that ends it, in a service worker. */
    end: (
      answer: Response | null,
      failureReason = '',
      { id = [...browser.requests.keys()].at(-1) ?? '', ...own }: EndedBeside = {},
    ) => {
      browser.running.delete(id)
      return copyFetched(
        { db, bytes, locks, log, userId: USER_ID, ...own },
        {
          id,
          failureReason,
          matchAll: async () => [
            {
              request: world.asked(),
              responseReady:
                answer === null ? Promise.reject(new TypeError('ended')) : Promise.resolve(answer),
            },
          ],
        },
      )
    },
    wipe: async () => {
      const deviceDb = await openDeviceDb(device)
      const deps = { deviceDb, clock, caches: null, files: files.open, dbOptions: device }
      expect(await wipeAccount(deps, USER_ID, db)).toEqual({ ok: true, value: undefined })
      deviceDb.close()
    },
    until: (state: object) =>
      vi.waitFor(async () => expect(await row()).toMatchObject(state), { timeout: patience(30) }),
    /** Lets looks at the browser follow each other by a second. */
    looks: async (count: number) => {
      for (let look = 0; look < count; look += 1) {
        const { looks } = browser
        const next = async () => {
          await clock.advance(250)
          expect(browser.looks).toBeGreaterThan(looks)
        }
        await vi.waitFor(next, { interval: 4, timeout: patience(30) })
      }
    },
    /** Lets time pass until it is so. */
    pass: (isSo: () => Promise<void> | void) =>
      vi.waitFor(
        async () => {
          await clock.advance(5_000)
          await isSo()
        },
        { timeout: patience(30) },
      ),
  }
  return world
}
