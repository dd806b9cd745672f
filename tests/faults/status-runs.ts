import { settle, startRun, wrongWith, type ClientRun, type ClientRunOptions } from './client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from './client-world.ts'
import { inPool } from './in-pool.ts'
import { MOST_PARTS, rulesOf, type StatusCase } from './status-cases.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** What each case is wrong with, by its name; empty when all end with the whole file. */
type Failed = Readonly<Record<string, readonly string[]>>

/** Uploads that meet statuses on their calls. */
interface StatusCases {
  /** One tab of each upload is killed on its way; then no person does anything. */
  withoutAPerson(cases: readonly StatusCase[]): Promise<Failed>
  /** A person does what each upload asks for. */
  withAPerson(cases: readonly StatusCase[]): Promise<Failed>
}

/** The same in a world of their own. */
export interface StatusRuns extends StatusCases {
  dispose(): Promise<void>
}

const PART_BYTES = 48 * 1_024
/** Uploads mostly wait. */
const AT_ONCE = 8

/** Starts the real server behind the proxy. */
export async function startStatusRuns(): Promise<StatusRuns> {
  const place = await startClientWorld(PART_BYTES, QUICK_WAITS)
  return { ...(await statusCasesIn(place)), dispose: () => place.dispose() }
}

/** Makes the file that all uploads send, in a world whose parts have 48 KiB. */
export async function statusCasesIn(place: ClientWorld): Promise<StatusCases> {
  const { ledger } = place.world.proxy
  const file = await place.world.makeFile('statuses.mp4', MOST_PARTS * PART_BYTES - 1_000)

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

  async function meetAll(
    cases: readonly StatusCase[],
    live: (run: ClientRun, device: string) => Promise<UploadRow>,
  ): Promise<Failed> {
    const failed: Record<string, readonly string[]> = {}
    await inPool(cases, AT_ONCE, async (given) => {
      const wrong = await meet(given, live)
      if (wrong.length > 0) failed[given.name] = wrong
    })
    return failed
  }

  /** The tab is killed when a part hangs and the others are safe. */
  async function killedOnce(run: ClientRun, device: string): Promise<UploadRow> {
    const isHanging = (): boolean =>
      ledger.bodies(device).some(({ fault }) => fault === 'black-hole')
    await run.until(({ safeBytes }) => isHanging() && safeBytes > (MOST_PARTS - 2.5) * PART_BYTES)
    await run.killAndReopen()
    return await run.untilStill()
  }

  return {
    withoutAPerson: (cases) => meetAll(cases, killedOnce),
    withAPerson: (cases) => meetAll(cases, (run) => settle(run)),
  }
}
