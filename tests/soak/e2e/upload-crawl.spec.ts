import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { carriesBytes } from '#tests/faults/faults.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'

// Connections are reset here.
test.use({ expectedNoise: FAILED_REQUESTS })

test.describe('0.5 Mbit/s, 300 ms, 2 % resets', () => {
  /**
   * Alone on this network such a part takes 11 s, five at once 54 s: the sizes are scaled down, not
   * the network.
   */
  const SMALL_PART_BYTES = 660 * 1_024
  const PARTS = 6
  const BYTES_PER_SECOND = 500_000 / 8
  const device = 'slow'

  let world: FaultWorld
  let file: TestFile
  test.beforeAll(async () => {
    world = await startFaultWorld(
      { ONECUT_TEST_PART_BYTES: String(SMALL_PART_BYTES) },
      'tests/setup/odd-server.ts',
    )
    file = await world.makeFile('scene.mp4', PARTS * SMALL_PART_BYTES)
  })
  test.afterAll(async () => {
    await world.dispose()
  })

  test('UPL-09 SAF-03 the file arrives, and nothing twice but what was reset', async ({ page }) => {
    const { ledger } = world.proxy
    const random = createRandom(3)
    await signInContext(page.context(), world.client, device)
    world.proxy.setNetwork(device, {
      latencyMs: 300,
      totalBytesPerSecond: BYTES_PER_SECOND,
      connectionBytesPerSecond: null,
    })
    world.proxy.add(
      // Two in a hundred requests are few here, so one part is sure to meet it.
      {
        fault: { kind: 'reset', afterBytes: SMALL_PART_BYTES / 8 },
        times: 1,
        match: ({ kind, partNumber }) => carriesBytes(kind) && partNumber === PARTS - 1,
      },
      {
        fault: { kind: 'reset', afterBytes: SMALL_PART_BYTES / 8 },
        times: Infinity,
        match: ({ kind }) => kind !== 'other' && random() < 0.02,
      },
    )
    const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
    await expectDone(page, 150_000)
    const parts = ledger.bodies(device)
    expect(await world.storedSha256(uploadRequestId)).toBe(file.sha256)
    expect(ledger.mostConcurrentParts(device), 'at once').toBeLessThanOrEqual(5)
    const resets = parts.filter(({ fault }) => fault === 'reset').length
    expect(resets).toBeGreaterThan(0)
    // What a reset had let through to the server is kept, so a piece is lost at the most.
    expect(ledger.receivedBytes(device) - file.sizeBytes).toBeLessThanOrEqual(resets * (MIB / 4))
  })
})
