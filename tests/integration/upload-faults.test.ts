import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRun, wrongWith, type ClientRunOptions } from '#tests/faults/client-run.ts'
import { GATEWAYS, startOutageRuns, type OutageRuns } from '#tests/faults/outage-runs.ts'
import { eachOnOne } from '#tests/faults/status-cases.ts'
import { statusCasesIn } from '#tests/faults/status-runs.ts'

/** One for each call; the soak tries all from 400 to 511, on every call, in a row too. */
const OF_A_GATEWAY = [403, 404, 408, 413, 429, 500, 502, 503]
const OF_THE_SERVER = [400, 401, 403, 404, 409, 410, 413, 507]
const PART_BYTES = 48 * 1_024
/** More than an answer has URLs for. */
const MANY_PARTS = 130

let runs: OutageRuns
let statuses: Awaited<ReturnType<typeof statusCasesIn>>
beforeAll(async () => {
  runs = await startOutageRuns()
  statuses = await statusCasesIn(runs.place)
})
afterAll(() => runs.dispose())

it('SAF-01 statuses of a gateway end no upload, whichever call they answer', async () => {
  const cases = eachOnOne(OF_A_GATEWAY, ['json', 'html', 'empty'], 1)
  expect(await statuses.withoutAPerson(cases)).toEqual({})
})

it('SAF-01 after statuses of the server itself an upload goes on, if need be when a person says so', async () => {
  expect(await statuses.withAPerson(eachOnOne(OF_THE_SERVER, ['coded'], 1))).toEqual({})
})

it('SAF-01 a gateway or captive portal before everything for a while ends no upload, when it begins or is opened again', async () => {
  const [portal, gateway] = GATEWAYS
  const outages = [
    { ...portal!, phase: 'before' },
    { ...gateway!, phase: 'reopened' },
  ] as const
  expect(await runs.sitOut(outages)).toEqual({})
})

it('SAF-01 a disk that is full for a while stops uploads, and ends none', async () => {
  expect(await runs.sitOutFullDisk(['full-1'])).toEqual({})
})

it('UPL-09 an upload of many parts asks for the URLs that answers leave out, also after a kill', async () => {
  const { world, device } = runs.place
  const options: ClientRunOptions = {
    ...(await device('long')),
    file: await world.makeFile('long.mp4', MANY_PARTS * PART_BYTES - 1_000),
  }
  const run = await startRun(options)
  try {
    await run.until(({ safeBytes }) => safeBytes > 60 * PART_BYTES)
    await run.killAndReopen()
    expect(await wrongWith(options, await run.untilStill())).toEqual([])
    const asked = world.proxy.ledger.of('long', 'urls').length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(MANY_PARTS / 5)
  } finally {
    await run.dispose()
  }
})
