import { afterAll, beforeAll, expect, it } from 'vitest'
import { inPool } from '#tests/faults/in-pool.ts'
import { extraBytes, startRun, wrongWith, type ClientRun } from '#tests/faults/client-run.ts'
import { startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { MIB } from '#tests/faults/fault-world.ts'
import { createRandom, pickNumber } from '#tests/faults/random.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'

/** The time of the devices. The parts are as large as usual. */
const SPEED = 10
const PART_BYTES = 16 * MIB
const SLOTS = 5
/** What the server may not have kept of a part that broke off, for each of the slots. */
const LOST_BYTES = MIB
const AT_ONCE = 3
/** The file takes a few seconds, all slots busy. */
const STEADY = { ...FAST_NETWORK, totalBytesPerSecond: 8 * MIB }

let place: ClientWorld
/** Of one whole part and a little more. */
let file: TestFile
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, { idle: SPEED, moving: SPEED, timers: SPEED })
  file = await place.world.makeFile('long.mp4', PART_BYTES + MIB)
})
afterAll(() => place.dispose())

const WAYS: Readonly<Record<string, (run: ClientRun) => Promise<unknown>>> = {
  kill: (run) => run.killAndReopen(),
  reload: async (run) => {
    await run.leave()
    await run.reopen()
  },
  pause: async (run) => {
    await run.tab().commands.pause(run.uploadId)
    await run.tab().commands.resume(run.uploadId)
  },
}

it('SAF-03 each kill, reload and pause costs at most 1 MiB a slot', async () => {
  await inPool(Object.entries(WAYS), AT_ONCE, async ([name, interrupt]) => {
    const random = createRandom(1)
    const options = { ...(await place.device(name)), file }
    const { ledger } = place.world.proxy
    place.world.proxy.setNetwork(name, STEADY)
    const run = await startRun(options)
    let times = 0
    try {
      for (let atBytes = 0; ; times += 1) {
        atBytes += pickNumber(random, 2 * MIB, 6 * MIB)
        if (atBytes >= file.sizeBytes) break
        await run.until(() => ledger.receivedBytes(name) >= atBytes)
        await interrupt(run)
        atBytes = ledger.receivedBytes(name)
      }
      expect(await wrongWith(options, await run.untilStill()), name).toEqual([])
      expect(times, 'times').toBeGreaterThan(2)
      expect(extraBytes(options), name).toBeLessThanOrEqual(times * SLOTS * LOST_BYTES)
    } finally {
      await run.dispose()
    }
  })
})
