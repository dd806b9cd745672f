import { expect, test, FAILED_REQUESTS, anyOf } from '#tests/e2e/quiet.ts'
import { BLACK_HOLES, FAULT_CASES, mixedCase, type FaultCase } from '#tests/faults/fault-cases.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { startAhead } from '#tests/faults/ahead.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { countUploads, expectWhole, uploadUnder } from '#tests/faults/upload-run.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

/**
 * Any of them may be given to repeat a run: `ONECUT_FAULT_SEEDS=7,8 npx playwright test
 * upload-faults`.
 */
const SEEDS = (process.env['ONECUT_FAULT_SEEDS'] ?? '1,2').split(',').map(Number)
const CASES: readonly FaultCase[] = [
  ...FAULT_CASES,
  ...SEEDS.map((seed) => mixedCase(seed, createRandom(seed))),
  ...BLACK_HOLES,
]
/** Uploads mostly wait; two cores carry some of them at a time. */
const AHEAD = 2
const PARTS = 6
const deviceOf = (fault: FaultCase): string => `case-${CASES.indexOf(fault)}`

// Uploads outlive the test in which they began; recording is bound to one test.
test.use({ trace: 'off' })

let world: FaultWorld
let file: TestFile
/** Cases begin in the background, so that waits overlap; each test looks at its own. */
let runs: ReturnType<typeof startAhead<FaultCase, string>>

test.beforeAll(async ({ browser }) => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PARTS - 1) * PART_BYTES + MIB)
  runs = startAhead(CASES, AHEAD, (fault) =>
    uploadUnder(world, browser, deviceOf(fault), fault, file, 150_000),
  )
  // They take a minute of doing nothing: the others go on meanwhile.
  for (const fault of BLACK_HOLES) void runs.outcome(fault)
})
test.afterAll(async () => {
  await world.dispose()
})

for (const fault of CASES) {
  test(`UPL-09 SAF-02 the file arrives whole, once: ${fault.name}`, async () => {
    const uploadRequestId = await runs.outcome(fault)
    const device = deviceOf(fault)
    expect(world.proxy.ledger.faults(device), 'the fault struck').toBeGreaterThan(0)
    await expectWhole(world, device, uploadRequestId, file, fault.repeats)
  })
}

test('UPL-08 each of these files is one upload at the server, and none is left unfinished', async () => {
  const begun = await Promise.all(runs.begun())
  expect(new Set(begun).size).toBe(begun.length)
  expect(await countUploads(world)).toEqual({ finished: begun.length, unfinished: 0 })
})
