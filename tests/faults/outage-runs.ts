import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settle, startRun, wrongWith, type ClientRunOptions } from './client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from './client-world.ts'
import { FAST_NETWORK, type Fault } from './faults.ts'
import { inPool } from './in-pool.ts'
import { mixedRules, mixedTurns } from './mixed-turns.ts'
import { createRandom } from './random.ts'

/** What each upload is wrong with, by its device; empty when all end with the whole file. */
type Failed = Readonly<Record<string, readonly string[]>>

/** When something stands before everything that a device asks for. */
export const PHASES = ['before', 'halfway', 'reopened'] as const

/** What answers instead of the server for a while, and from when on. */
export interface Outage {
  readonly name: string
  readonly fault: Fault
  readonly phase: (typeof PHASES)[number]
}

export const GATEWAYS: readonly Omit<Outage, 'phase'>[] = [
  { name: 'a captive portal', fault: { kind: 'portal' } },
  { name: 'a gateway that says 511', fault: answer(511, 'html') },
  { name: 'a gateway that says 404', fault: answer(404, 'html') },
  { name: 'a gateway that says 403', fault: answer(403, 'json') },
  { name: 'a gateway that says 401', fault: answer(401, 'empty') },
]

/** Uploads during which nothing works for a while. */
export interface OutageRuns {
  /** Where they are. Its parts have 48 KiB. */
  readonly place: ClientWorld
  sitOut(outages: readonly Outage[]): Promise<Failed>
  /** The disk of the server is full while uploads are under way, and when one begins. */
  sitOutFullDisk(devices: readonly string[]): Promise<Failed>
  /** Faults of every sort, and a person who leaves, pauses and comes back. */
  haveBadDays(seeds: readonly number[]): Promise<Failed>
  dispose(): Promise<void>
}

const PART_BYTES = 48 * 1_024
const PARTS = 10
const AT_ONCE = 8
/** A third of the file a virtual second or so: an outage begins in the middle. */
const HALFWAY = { ...FAST_NETWORK, totalBytesPerSecond: 6 * PART_BYTES }
/** Nothing arrives for now. */
const CRAWL = { ...FAST_NETWORK, totalBytesPerSecond: 1_000 }

/** Starts the real server behind the proxy, and makes the files. */
export async function startOutageRuns(): Promise<OutageRuns> {
  const flag = join(tmpdir(), `onecut-full-${process.pid}`)
  const place = await startClientWorld(PART_BYTES, QUICK_WAITS, {
    ONECUT_TEST_FULL_DISK_FLAG: flag,
  })
  const { world } = place
  const { ledger } = world.proxy
  const file = await world.makeFile('scene.mp4', PARTS * PART_BYTES - 1_000)
  const optionsOf = async (device: string): Promise<ClientRunOptions> => ({
    ...(await place.device(device)),
    file,
  })

  /** Everything that a device asks for meets the fault until the returned function is called. */
  function spoilAll(device: string, fault: Fault): () => void {
    const state = { isOn: true }
    world.proxy.add({
      fault,
      times: Number.POSITIVE_INFINITY,
      match: (request) => state.isOn && request.device === device,
    })
    return () => {
      state.isOn = false
    }
  }

  async function sitOutOne({ name, fault, phase }: Outage): Promise<readonly string[]> {
    const options = await optionsOf(`${name.replaceAll(' ', '-')}-${phase}`)
    const { device } = options
    const over: (() => void)[] = phase === 'before' ? [spoilAll(device, fault)] : []
    world.proxy.setNetwork(device, HALFWAY)
    const run = await startRun(options)
    if (phase !== 'before') {
      await run.until(({ safeBytes }) => safeBytes >= 3 * PART_BYTES)
      over.push(spoilAll(device, fault))
    }
    if (phase === 'reopened') await run.killAndReopen()
    await run.until(() => ledger.faults(device) >= 3)
    for (const end of over) end()
    world.proxy.setNetwork(device, FAST_NETWORK)
    const wrong = await wrongWith(options, await run.untilStill())
    await run.dispose()
    return wrong
  }

  async function sitOutFullDisk(devices: readonly string[]): Promise<Failed> {
    const long = await world.makeFile('long.mp4', 2 * PARTS * PART_BYTES)
    const runs = await Promise.all(
      devices.map(async (device) => {
        const options = { ...(await optionsOf(device)), file: long }
        world.proxy.setNetwork(device, HALFWAY)
        const run = await startRun(options)
        await run.until(({ safeBytes }) => safeBytes >= 3 * PART_BYTES)
        world.proxy.setNetwork(device, CRAWL)
        return { options, run }
      }),
    )
    await writeFile(flag, '')
    for (const device of devices) world.proxy.setNetwork(device, FAST_NETWORK)
    const atFirst = await optionsOf('full-at-first')
    runs.push({ options: atFirst, run: await startRun(atFirst) })
    for (const { run, options: at } of runs)
      await run.until(
        () =>
          (['create', 'part', 'append'] as const)
            .flatMap((kind) => ledger.of(at.device, kind))
            .filter(({ status }) => status === 507).length >= 2,
      )
    await rm(flag)
    const failed: Record<string, readonly string[]> = {}
    for (const { run, options: at } of runs) {
      world.proxy.setNetwork(at.device, FAST_NETWORK)
      const wrong = await wrongWith(at, await run.untilStill())
      if (wrong.length > 0) failed[at.device] = wrong
      await run.dispose()
    }
    return failed
  }

  async function haveBadDay(seed: number): Promise<readonly string[]> {
    const random = createRandom(seed)
    const device = `mixed-${seed}`
    const options = { ...(await optionsOf(device)), rules: mixedRules(device, PART_BYTES, random) }
    world.proxy.setNetwork(device, HALFWAY)
    const run = await startRun(options)
    try {
      for (const turn of mixedTurns(world.proxy, device, random)) await turn(run)
      world.proxy.setNetwork(device, FAST_NETWORK)
      return await wrongWith(options, await settle(run))
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    } finally {
      await run.dispose()
    }
  }

  return {
    place,
    sitOut: (outages) => failuresOf(outages, ({ name, phase }) => `${name}, ${phase}`, sitOutOne),
    sitOutFullDisk,
    haveBadDays: (seeds) => failuresOf(seeds, (seed) => `seed ${seed}`, haveBadDay),
    dispose: async () => {
      await rm(flag, { force: true })
      await place.dispose()
    },
  }
}

async function failuresOf<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  wrongWithOne: (thing: T) => Promise<readonly string[]>,
): Promise<Failed> {
  const failed: Record<string, readonly string[]> = {}
  await inPool(things, AT_ONCE, async (thing) => {
    const wrong = await wrongWithOne(thing)
    if (wrong.length > 0) failed[nameOf(thing)] = wrong
  })
  return failed
}

function answer(status: number, look: 'html' | 'json' | 'empty'): Fault {
  return { kind: 'answer', status, code: '', look }
}
