import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRun, wrongWith, type ClientRunOptions } from '#tests/faults/client-run.ts'
import { startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { partsOf, rulesOf, statusCases, type StatusCase } from '#tests/faults/status-cases.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import type { TestClient } from '#tests/setup/client.ts'

/** Back-offs of minutes take seconds. */
const SPEED = 40
const PART_BYTES = 48 * 1_024
const MOST_PARTS = 8
/**
 * Others may be given, as single numbers and ranges: `ONECUT_FAULT_STATUSES=400-511 npx vitest run
 * tests/integration/upload-faults.test.ts`.
 */
const STATUSES = (process.env['ONECUT_FAULT_STATUSES'] ?? '500,502-504')
  .split(',')
  .flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
/** Uploads mostly wait. */
const AT_ONCE = 8

let place: ClientWorld
let file: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, SPEED)
  file = await place.world.makeFile('scene.mp4', MOST_PARTS * PART_BYTES - 1_000)
}, 120_000)
afterAll(() => place.dispose())

/** Runs the work for all things, `AT_ONCE` at a time. */
async function forAll<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = things.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const thing of left) await work(thing)
    }),
  )
}

/** One upload, opened again in its middle; returns what is wrong in the end. */
async function meet(given: StatusCase, account: TestClient): Promise<readonly string[]> {
  const { world, time } = place
  const device = given.name.replaceAll(' ', '-')
  const rules = rulesOf(given, device, PART_BYTES)
  const options: ClientRunOptions = { world, account, device, clock: time.clock, file, rules }
  const run = await startRun(options)
  const isHanging = (): boolean =>
    world.proxy.ledger.bodies(device).some(({ fault }) => fault === 'black-hole')
  try {
    await run.until(
      ({ safeBytes }) => isHanging() && safeBytes >= (partsOf(given) - 2) * PART_BYTES,
    )
    await run.killAndReopen()
    return await wrongWith(options, await run.untilStill())
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    await run.close()
  }
}

describe.each(['json', 'html', 'empty'] as const)('an answer of a gateway, %s,', (look) => {
  it.each([1, 3])(
    'SAF-01 ends no upload, %i times in a row, on any call',
    async (times) => {
      const account = await place.world.signUp()
      const failed: Record<string, readonly string[]> = {}
      await forAll(statusCases(STATUSES, look, times), async (given) => {
        const wrong = await meet(given, account)
        if (wrong.length > 0) failed[given.name] = wrong
      })
      expect(failed).toEqual({})
    },
    300_000,
  )
})
