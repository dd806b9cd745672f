import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inPool } from '#tests/faults/in-pool.ts'
import { settle, startRun, wrongWith, type ClientRunOptions } from '#tests/faults/client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { FAST_NETWORK, type Fault } from '#tests/faults/faults.ts'
import { mixedRules, mixedTurns } from '#tests/faults/mixed-turns.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { TestFile } from '#tests/faults/test-files.ts'

const PART_BYTES = 48 * 1_024
const PARTS = 10
const AT_ONCE = 8
/** Others repeat a run: `ONECUT_FAULT_SEEDS=7,8`. */
const SEEDS = (
  process.env['ONECUT_FAULT_SEEDS'] ?? Array.from({ length: 8 }, (_, at) => at + 1).join(',')
)
  .split(',')
  .map(Number)
/** A third of the file a virtual second or so: an outage begins in the middle. */
const HALFWAY = { ...FAST_NETWORK, totalBytesPerSecond: 6 * PART_BYTES }
/** Nothing arrives for now. */
const CRAWL = { ...FAST_NETWORK, totalBytesPerSecond: 1_000 }
const flag = join(tmpdir(), `onecut-full-${process.pid}`)

let place: ClientWorld
let file: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, QUICK_WAITS, { ONECUT_TEST_FULL_DISK_FLAG: flag })
  file = await place.world.makeFile('scene.mp4', PARTS * PART_BYTES - 1_000)
})
afterAll(async () => {
  await rm(flag, { force: true })
  await place.dispose()
})

const optionsOf = async (device: string): Promise<ClientRunOptions> => ({
  ...(await place.device(device)),
  file,
})

/** Everything that a device asks for meets the fault until the returned function is called. */
function spoilAll(device: string, fault: Fault): () => void {
  const state = { isOn: true }
  place.world.proxy.add({
    fault,
    times: Number.POSITIVE_INFINITY,
    match: (request) => state.isOn && request.device === device,
  })
  return () => {
    state.isOn = false
  }
}

const GATEWAYS: readonly (readonly [string, Fault])[] = [
  ['a captive portal', { kind: 'portal' }],
  ['a gateway that says 511', { kind: 'answer', status: 511, code: '', look: 'html' }],
  ['a gateway that says 404', { kind: 'answer', status: 404, code: '', look: 'html' }],
  ['a gateway that says 403', { kind: 'answer', status: 403, code: '', look: 'json' }],
  ['a gateway that says 401', { kind: 'answer', status: 401, code: '', look: 'empty' }],
]

it.each(GATEWAYS)('SAF-01 %s before everything for a while ends no upload', async (name, fault) => {
  const phases = ['before', 'halfway', 'reopened'] as const
  await inPool(phases, AT_ONCE, async (phase) => {
    const options = await optionsOf(`${name.replaceAll(' ', '-')}-${phase}`)
    const { device } = options
    const over: (() => void)[] = phase === 'before' ? [spoilAll(device, fault)] : []
    place.world.proxy.setNetwork(device, HALFWAY)
    const run = await startRun(options)
    if (phase !== 'before') {
      await run.until(({ safeBytes }) => safeBytes >= 3 * PART_BYTES)
      over.push(spoilAll(device, fault))
    }
    if (phase === 'reopened') await run.killAndReopen()
    await run.until(() => place.world.proxy.ledger.faults(device) >= 3)
    for (const end of over) end()
    place.world.proxy.setNetwork(device, FAST_NETWORK)
    expect(await wrongWith(options, await run.untilStill()), phase).toEqual([])
    await run.dispose()
  })
})

it('SAF-01 a disk that is full for a while stops uploads, and ends none', async () => {
  const devices = Array.from({ length: 4 }, (_, at) => `full-${at}`)
  const long = await place.world.makeFile('long.mp4', 5 * PARTS * PART_BYTES)
  const runs = await Promise.all(
    devices.map(async (device) => {
      const options = { ...(await optionsOf(device)), file: long }
      place.world.proxy.setNetwork(device, HALFWAY)
      const run = await startRun(options)
      await run.until(({ safeBytes }) => safeBytes >= 3 * PART_BYTES)
      place.world.proxy.setNetwork(device, CRAWL)
      return { options, run }
    }),
  )
  await writeFile(flag, '')
  for (const device of devices) place.world.proxy.setNetwork(device, FAST_NETWORK)
  const options = await optionsOf('full-at-first')
  runs.push({ options, run: await startRun(options) })
  const { ledger } = place.world.proxy
  for (const { run, options: at } of runs)
    await run.until(
      () =>
        (['create', 'part', 'append'] as const)
          .flatMap((kind) => ledger.of(at.device, kind))
          .filter(({ status }) => status === 507).length >= 2,
    )
  await rm(flag)
  for (const { run, options: at } of runs) {
    place.world.proxy.setNetwork(at.device, FAST_NETWORK)
    expect(await wrongWith(at, await run.untilStill()), at.device).toEqual([])
    await run.dispose()
  }
})

it('SAF-01 SAF-02 bad days end with the whole file, whatever comes together', async () => {
  const failed: Record<number, readonly string[]> = {}
  await inPool(SEEDS, AT_ONCE, async (seed) => {
    const random = createRandom(seed)
    const device = `mixed-${seed}`
    const options = { ...(await optionsOf(device)), rules: mixedRules(device, PART_BYTES, random) }
    place.world.proxy.setNetwork(device, HALFWAY)
    const run = await startRun(options)
    try {
      for (const turn of mixedTurns(place.world.proxy, device, random)) await turn(run)
      place.world.proxy.setNetwork(device, FAST_NETWORK)
      const wrong = await wrongWith(options, await settle(run, 150_000))
      if (wrong.length > 0) failed[seed] = wrong
    } catch (error) {
      failed[seed] = [error instanceof Error ? error.message : String(error)]
    } finally {
      await run.dispose()
    }
  })
  expect(failed).toEqual({})
}, 400_000)
