import { expect, it, onTestFinished, vi } from 'vitest'
import { patience } from '#tests/setup/patience.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { createFakeResults, refuse } from '#tests/fakes/fake-results.ts'
import { fakeJobWithFiles } from '#tests/fakes/fake-job-with-files.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { followRules, keepOutput, removeKept, setLimit, setRule } from '#src/local/kept/commands.ts'
import { createKeptBytes, STEP_BYTES } from '#src/local/kept/kept-bytes.ts'
import { startKeepLoop, type KeepLoopDeps } from '#src/local/kept/keep-loop.ts'
import { putJobs } from '#src/local/db/media-jobs.ts'
import { emptyRoom } from '#src/local/db/account-files.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { createLog } from '#src/lib/log.ts'

const OUTPUT = idOf(700)
const OTHER = idOf(701)
const VIDEO = idOf(2)
const BYTES = new Uint8Array(STEP_BYTES + 5).fill(7, STEP_BYTES)

it('PHO-04: a file is got in steps, under its tag, and is read as one', async () => {
  const world = await createWorld()
  world.start()
  await world.keep(OUTPUT)
  await world.until(OUTPUT, { state: 'kept', gotBytes: BYTES.length })
  expect(world.results.ranges).toEqual([
    `bytes=0-${STEP_BYTES - 1}`,
    `bytes=${STEP_BYTES}-${STEP_BYTES + 4}`,
  ])
  const file = await world.bytes.read(OUTPUT, BYTES.length, 'video/mp4')
  expect(file?.type).toBe('video/mp4')
  expect(new Uint8Array((await file?.slice(-6).arrayBuffer()) ?? [])).toEqual(
    new Uint8Array([0, 7, 7, 7, 7, 7]),
  )
})

it('PHO-04: what a page got before it died is not got again', async () => {
  const world = await createWorld()
  await world.keep(OUTPUT)
  await world.db.keptFiles.update(OUTPUT, { state: 'getting', gotBytes: 0 })
  await world.bytes.write(OUTPUT, 0, new Blob([BYTES.subarray(0, STEP_BYTES)]))
  // The page died while it wrote this one.
  await world.bytes.write(OUTPUT, STEP_BYTES, new Blob(['ab']))
  world.start()
  await world.until(OUTPUT, { state: 'kept' })
  expect(world.results.ranges).toEqual([`bytes=${STEP_BYTES}-${STEP_BYTES + 4}`])
})

it('PHO-04: a broken line, a silent one, a portal and a busy server pass', async () => {
  const world = await createWorld()
  const portal = () => new Response('<h1>Sign in</h1>', { headers: { etag: '"portal"' } })
  const silent = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
    })
  const offline = () => Promise.reject(new TypeError('Failed to fetch'))
  world.results.faults.push(offline, silent, portal, () => refuse(503, 'server/busy'))
  world.start()
  await world.keep(OUTPUT)
  await waitFor(async () => {
    await world.clock.advance(31_000)
    expect(await world.row(OUTPUT)).toMatchObject({ state: 'kept' })
  })
  expect(world.results.ranges.filter((range) => range?.startsWith('bytes=0-'))).toHaveLength(5)
})

it('PHO-04: an answer that is the whole file gives the step that is missing', async () => {
  const world = await createWorld()
  const whole = () => new Response(BYTES, { headers: { etag: `"${OUTPUT}"` } })
  world.results.faults.push(whole, whole)
  world.start()
  await world.keep(OUTPUT)
  await world.until(OUTPUT, { state: 'kept' })
  expect((await world.bytes.read(OUTPUT, BYTES.length, ''))?.size).toBe(BYTES.length)
})

it('PHO-04: a file that the server has no more says so, and the next one is got', async () => {
  const world = await createWorld()
  world.results.faults.push(() => refuse(404, 'outputs/not-found'))
  await world.keep(OUTPUT)
  await world.clock.advance(1)
  await world.keep(OTHER)
  world.start()
  await world.until(OTHER, { state: 'kept' })
  expect(await world.row(OUTPUT)).toMatchObject({ state: 'failed', fault: 'gone' })
})

it('PHO-04: nothing is got beyond the limit, or where the device is nearly full', async () => {
  const world = await createWorld()
  await setLimit(world, BYTES.length)
  await world.keep(OUTPUT)
  await world.clock.advance(1)
  await world.keep(OTHER)
  world.start()
  await world.until(OTHER, { state: 'failed', fault: 'no-room' })
  expect(await world.row(OUTPUT)).toMatchObject({ state: 'kept' })

  await setLimit(world, 4 * BYTES.length)
  world.setEstimate({ quota: 2_000_000_000, usage: 2_000_000_000 - 500_000_000 - BYTES.length + 1 })
  await world.keep(OTHER)
  await world.until(OTHER, { state: 'failed', fault: 'no-room' })
  world.setEstimate({ quota: 2_000_000_000, usage: 2_000_000_000 - 500_000_000 - BYTES.length })
  await world.keep(OTHER)
  await world.until(OTHER, { state: 'kept' })
})

it('PHO-04: a file that the browser has removed is not called kept', async () => {
  const world = await createWorld()
  await world.keep(OUTPUT)
  await world.db.keptFiles.update(OUTPUT, { state: 'kept', gotBytes: BYTES.length })
  await world.bytes.write(OTHER, 0, new Blob(['of no row']))
  world.start()
  await world.until(OUTPUT, { state: 'failed', fault: 'removed', gotBytes: 0 })
  expect(await world.bytes.list()).toEqual([])
})

it('PHO-04: what is removed while it is got leaves no byte, also when its row is cleared', async () => {
  for (const remove of [
    (world: World) => removeKept(world, [OUTPUT]),
    async (world: World) => {
      await world.db.keptFiles.clear()
      await emptyRoom(world.files.open, USER_ID, 'kept')
    },
  ]) {
    const world = await createWorld()
    const asked = Promise.withResolvers<void>()
    const hang = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
        asked.resolve()
      })
    await world.bytes.write(OUTPUT, 0, new Blob([BYTES.subarray(0, STEP_BYTES)]))
    world.results.faults.push(hang)
    await world.keep(OUTPUT)
    world.start()
    await asked.promise
    await remove(world)
    await waitFor(async () => expect(await world.bytes.list()).toEqual([]))
    expect(await world.row(OUTPUT)).toBeUndefined()
  }
})

it('PHO-04: of two tabs one gets the files, and the other goes on when it has gone', async () => {
  const world = await createWorld()
  const asked = Promise.withResolvers<void>()
  world.results.faults.push((request) => {
    asked.resolve()
    return new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
    })
  })
  const first = world.start()
  await world.keep(OUTPUT)
  await asked.promise
  world.start()
  await world.clock.advance(5000)
  expect(world.results.ranges).toHaveLength(1)
  await first.stop()
  await waitFor(async () => {
    await world.clock.advance(5000)
    expect(await world.row(OUTPUT)).toMatchObject({ state: 'kept' })
  })
  expect(world.results.ranges).toHaveLength(3)
})

it('PHO-04: a file that is removed while a rule is followed does not come back', async () => {
  const world = await createWorld()
  await setRule(world, VIDEO, true)
  await world.make([OUTPUT, OTHER, idOf(702)])
  await followRules(world)
  expect(await world.row(idOf(702))).toBeDefined()
  await Promise.all([followRules(world), removeKept(world, [idOf(702)])])
  expect(await world.row(idOf(702))).toBeUndefined()
})

it('PHO-04: a rule keeps what a video makes from then on, and nothing that was removed by hand', async () => {
  const world = await createWorld()
  world.start()
  await setRule(world, VIDEO, true)
  await world.make([OUTPUT, OTHER, idOf(702)])
  await world.until(idOf(702), { state: 'kept' })
  expect(await world.db.keptFiles.count()).toBe(1)
  await removeKept(world, [idOf(702)])
  await world.make([OUTPUT, OTHER, idOf(702), idOf(703)])
  await world.until(idOf(703), { state: 'kept' })
  expect(await world.row(idOf(702))).toBeUndefined()
  await setRule(world, VIDEO, false)
  await world.make([OUTPUT, OTHER, idOf(704)])
  expect(await world.row(idOf(704))).toBeUndefined()
})

/** A machine may be busy: as long as a test may take. */
function waitFor(look: () => Promise<void>): Promise<void> {
  return vi.waitFor(look, { timeout: patience(30) })
}

type World = Awaited<ReturnType<typeof createWorld>>

/** A device with a video of which two results are known, of `BYTES` each. */
async function createWorld() {
  const db = await openTestDb()
  const clock = createFakeClock()
  const files = createFakeFiles()
  const results = createFakeResults(BYTES)
  const bytes = createKeptBytes(files.open, USER_ID, null)
  let estimate: StorageEstimate = { quota: 100_000_000_000, usage: 0 }
  const deps: KeepLoopDeps = {
    db,
    clock,
    bytes,
    fetch: results.fetch,
    locks: createFakeLocks(),
    log: createLog('test'),
    random: () => 1,
    origin: 'https://onecut.test',
    userId: USER_ID,
    estimate: () => Promise.resolve(estimate),
  }
  const loops: ReturnType<typeof startKeepLoop>[] = []
  onTestFinished(async () => {
    await Promise.all(loops.map((loop) => loop.stop()))
    db.close()
  })
  const make = (outputIds: readonly string[]) =>
    db.transaction('rw', db.mediaJobs, db.libraryEntries, () =>
      putJobs(db, [mediaJobToRow(fakeJobWithFiles(VIDEO, outputIds, BYTES.length), clock.now())]),
    )
  await make([OUTPUT, OTHER])
  return {
    ...deps,
    db,
    clock,
    files,
    results,
    make,
    row: (outputId: string) => db.keptFiles.get(outputId),
    keep: (outputId: string) => keepOutput(deps, VIDEO, outputId),
    setEstimate: (next: StorageEstimate) => {
      estimate = next
    },
    start: () => {
      const loop = startKeepLoop(deps)
      loops.push(loop)
      return loop
    },
    until: (outputId: string, state: object) =>
      waitFor(async () => expect(await db.keptFiles.get(outputId)).toMatchObject(state)),
  }
}
