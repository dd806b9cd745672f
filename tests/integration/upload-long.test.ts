import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRun, wrongWith, type ClientRunOptions } from '#tests/faults/client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'

const PART_BYTES = 16 * 1_024
const PART_COUNT = 130

let place: ClientWorld
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, QUICK_WAITS)
})
afterAll(() => place.dispose())

it('UPL-09 an upload of many parts asks for the URLs that answers leave out, also after a kill', async () => {
  const { world } = place
  const options: ClientRunOptions = {
    ...(await place.device('long')),
    file: await world.makeFile('long.mp4', PART_COUNT * PART_BYTES - 1_000),
  }
  const run = await startRun(options)
  try {
    await run.until(({ safeBytes }) => safeBytes > 60 * PART_BYTES)
    await run.killAndReopen()
    expect(await wrongWith(options, await run.untilStill())).toEqual([])
    const asked = world.proxy.ledger.of('long', 'urls').length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(PART_COUNT / 5)
  } finally {
    await run.dispose()
  }
})
