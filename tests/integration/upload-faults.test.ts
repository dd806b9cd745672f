import { STATUS_CODES } from 'node:http'
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
  allOnAll,
  eachOnOne,
  MOST_PARTS,
  rulesOf,
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
/** Those that have a meaning: what is rarer than one answer is tried with them alone. */
const NAMED = STATUSES.filter((status) => STATUS_CODES[status] !== undefined)
/** Each status on each call, in every look, takes some 20 minutes: `ONECUT_FAULT_ALL=1`. */
const IS_WHOLE_TABLE = process.env['ONECUT_FAULT_ALL'] === '1'
const LONGEST_MS = IS_WHOLE_TABLE ? 3_600_000 : 300_000
/** Uploads mostly wait. */
const AT_ONCE = 8

let place: ClientWorld
let file: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, QUICK_WAITS)
  file = await place.world.makeFile('scene.mp4', MOST_PARTS * PART_BYTES - 1_000)
})
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
  live: (run: ClientRun, device: string) => Promise<UploadRow>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const failed: Record<string, readonly string[]> = {}
  await inPool(cases, AT_ONCE, async (given) => {
    const wrong = await meet(given, live)
    if (wrong.length > 0) failed[given.name] = wrong
  })
  return failed
}

/** One tab is killed when a part hangs and the others are safe; then no person does anything. */
async function killedOnce(run: ClientRun, device: string): Promise<UploadRow> {
  const isHanging = (): boolean =>
    place.world.proxy.ledger.bodies(device).some(({ fault }) => fault === 'black-hole')
  await run.until(({ safeBytes }) => isHanging() && safeBytes > (MOST_PARTS - 2.5) * PART_BYTES)
  await run.killAndReopen()
  return await run.untilStill()
}

const FOREIGN: readonly AnswerLook[] = ['json', 'html', 'empty']

/** Without the whole table, looks rotate over calls and statuses. */
const TABLES: readonly (readonly [string, readonly StatusCase[]])[] = IS_WHOLE_TABLE
  ? FOREIGN.flatMap((look) =>
      [1, 3].map((times) => [`${look}, ${times}`, allOnAll(STATUSES, [look], times)] as const),
    )
  : [
      ['each on each call, once', allOnAll(STATUSES, FOREIGN, 1)],
      ['each that has a name on one call, three times', eachOnOne(NAMED, FOREIGN, 3)],
    ]

it.each(TABLES)(
  'SAF-01 statuses of a gateway end no upload: %s',
  async (_name, cases) => {
    expect(await meetAll(cases, killedOnce)).toEqual({})
  },
  LONGEST_MS,
)

it(
  'SAF-01 after statuses of the server itself an upload goes on, if need be when a person says so',
  async () => {
    const cases = IS_WHOLE_TABLE ? allOnAll(STATUSES, ['coded'], 1) : eachOnOne(NAMED, ['coded'], 1)
    expect(await meetAll(cases, (run) => settle(run))).toEqual({})
  },
  LONGEST_MS,
)
