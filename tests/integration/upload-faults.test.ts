import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  settle,
  startRun,
  wrongWith,
  type ClientRun,
  type ClientRunOptions,
} from '#tests/faults/client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { inPool } from '#tests/faults/in-pool.ts'
import {
  FAILURES_OF_A_CALL,
  partsOf,
  rulesOf,
  statusCases,
  type StatusCase,
} from '#tests/faults/status-cases.ts'
import type { AnswerLook } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

const PART_BYTES = 48 * 1_024
/**
 * Others may be given, as single numbers and ranges: `ONECUT_FAULT_STATUSES=400-511 npx vitest run
 * tests/integration/upload-faults.test.ts`.
 */
const STATUSES = (process.env['ONECUT_FAULT_STATUSES'] ?? '400-511').split(',').flatMap((range) => {
  const [first = 0, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
})
/** Uploads mostly wait. */
const AT_ONCE = 8

let place: ClientWorld
let file: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, QUICK_WAITS)
  const parts = partsOf({ statuses: STATUSES.slice(0, FAILURES_OF_A_CALL) })
  file = await place.world.makeFile('scene.mp4', parts * PART_BYTES - 1_000)
}, 120_000)
afterAll(() => place.dispose())

/** Sends the file to the statuses; returns what is wrong with the upload in the end. */
async function meet(
  given: StatusCase,
  live: (run: ClientRun, device: string) => Promise<UploadRow>,
): Promise<readonly string[]> {
  const device = given.name.replaceAll(' ', '-')
  const options: ClientRunOptions = {
    ...(await place.device(device)),
    file,
    rules: rulesOf(given, device, PART_BYTES),
  }
  const run = await startRun(options)
  try {
    return await wrongWith(options, await live(run, device))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    await run.dispose()
  }
}

/** What each case is wrong with; empty when all end with the whole file. */
async function meetAll(
  cases: readonly StatusCase[],
  live: (given: StatusCase) => (run: ClientRun, device: string) => Promise<UploadRow>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const failed: Record<string, readonly string[]> = {}
  await inPool(cases, AT_ONCE, async (given) => {
    const wrong = await meet(given, live(given))
    if (wrong.length > 0) failed[given.name] = wrong
  })
  return failed
}

/** One tab is killed in the middle; after that no person touches the upload. */
const killedOnce =
  (given: StatusCase) =>
  async (run: ClientRun, device: string): Promise<UploadRow> => {
    const isHanging = (): boolean =>
      place.world.proxy.ledger.bodies(device).some(({ fault }) => fault === 'black-hole')
    const enough = (partsOf(given) - 2) * PART_BYTES
    await run.until(({ safeBytes }) => isHanging() && safeBytes >= enough)
    await run.killAndReopen()
    return await run.untilStill()
  }

const FOREIGN: readonly AnswerLook[] = ['json', 'html', 'empty']

/** Looks rotate over calls and statuses; ONECUT_FAULT_LOOKS=all runs every one of them on all. */
const LOOKS: readonly (readonly AnswerLook[])[] =
  process.env['ONECUT_FAULT_LOOKS'] === 'all' ? FOREIGN.map((look) => [look]) : [FOREIGN]

it.each(LOOKS.flatMap((looks) => [1, 3].map((times) => [times, looks] as const)))(
  'SAF-01 statuses of a gateway end no upload, %i times in a row, on any call: %s',
  async (times, looks) => {
    expect(await meetAll(statusCases(STATUSES, looks, times), killedOnce)).toEqual({})
  },
  300_000,
)

it('SAF-01 after statuses of the server itself an upload goes on, if need be when a person says so', async () => {
  const live = () => (run: ClientRun) => settle(run)
  expect(await meetAll(statusCases(STATUSES, ['coded'], 1), live)).toEqual({})
}, 300_000)
