import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRun, wrongWith, type ClientRunOptions } from '#tests/faults/client-run.ts'
import { startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'

const PART_BYTES = 16 * 1_024
const PART_COUNT = 130

let place: ClientWorld
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, 1)
}, 120_000)
afterAll(() => place.dispose())

it('UPL-09 an upload of many parts asks for the URLs that answers leave out, also after a kill', async () => {
  const { world, time } = place
  const options: ClientRunOptions = {
    world,
    account: await world.signUp(),
    device: 'long',
    clock: time.clock,
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
    await run.close()
  }
}, 120_000)
