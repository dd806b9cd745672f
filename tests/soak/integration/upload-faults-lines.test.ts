import { afterAll, beforeAll, expect, it } from 'vitest'
import { inPool } from '#tests/faults/in-pool.ts'
import { extraBytes, startRun, wrongWith } from '#tests/faults/client-run.ts'
import { startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { MIB } from '#tests/faults/fault-world.ts'
import { useLine, type BreakingLine } from '#tests/faults/breaking-line.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { TestFile } from '#tests/faults/test-files.ts'

/** The time of the devices, and with it the lines. The parts are as large as usual. */
const SPEED = 10
const PART_BYTES = 16 * MIB
/** Others repeat a run: `ONECUT_FAULT_SEEDS=7,8`. */
const SEEDS = (process.env['ONECUT_FAULT_SEEDS'] ?? '1').split(',').map(Number)
const AT_ONCE = 4

const LINES: readonly (BreakingLine & { readonly name: string })[] = [
  {
    name: '1 Mbit/s that breaks for 2 s each 45 s',
    bytesPerSecond: 125_000,
    breakEveryMs: 45_000,
    brokenMs: 2_000,
  },
  {
    name: '0.5 Mbit/s that breaks for 2 s each 60 s',
    bytesPerSecond: 62_500,
    breakEveryMs: 60_000,
    brokenMs: 2_000,
  },
]

let place: ClientWorld
/** Of two whole parts, and of one, and a little more. */
let long: TestFile
let short: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, { idle: SPEED, moving: SPEED, timers: SPEED })
  long = await place.world.makeFile('long.mp4', 2 * PART_BYTES + MIB)
  short = await place.world.makeFile('short.mp4', PART_BYTES + MIB)
})
afterAll(() => place.dispose())

it('SAF-03 an upload finishes on slow lines that break, and 4 of 5 bytes that it sends count', async () => {
  const cases = LINES.flatMap((line) => SEEDS.map((seed) => ({ line, seed })))
  await inPool(cases, AT_ONCE, async ({ line, seed }) => {
    const what = `${line.name}, seed ${seed}`
    const options = {
      ...(await place.device(`line-${line.bytesPerSecond}-${seed}`)),
      file: line.bytesPerSecond < 100_000 ? short : long,
    }
    const use = useLine(place.world.proxy, options.device, line, SPEED, createRandom(seed))
    const run = await startRun(options)
    try {
      const row = await run.untilStill()
      const carriedBytes = options.file.sizeBytes + extraBytes(options)
      expect(await wrongWith(options, row), what).toEqual([])
      expect(use.breaks(), 'breaks').toBeGreaterThan(1)
      expect(options.file.sizeBytes / carriedBytes, what).toBeGreaterThanOrEqual(0.8)
    } finally {
      use.end()
      await run.dispose()
    }
  })
})
