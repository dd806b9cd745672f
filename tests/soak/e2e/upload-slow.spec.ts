import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import type { LedgerEntry } from '#tests/faults/fault-ledger.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, type RequestKind } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** On this network all parts move without a pause, and the file takes about ten seconds. */
const STEADY_NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 8 * MIB, quickParts: 2 }
/** Sent again at most because of one fault. */
const IN_FLIGHT = 5

test.describe('a black hole', () => {
  /**
   * A connection that the other side does not read takes a few MB on one machine: little of such a
   * part.
   */
  const USUAL_PART_BYTES = 16 * MIB
  let world: FaultWorld
  let file: TestFile
  test.beforeAll(async () => {
    world = await startFaultWorld({ ONECUT_PART_SIZE_BYTES: String(USUAL_PART_BYTES) })
    file = await world.makeFile('scene.mp4', 5 * USUAL_PART_BYTES + MIB)
  })
  test.afterAll(async () => {
    await world.dispose()
  })

  const startedAfter = (device: string, kind: RequestKind, sinceMs: number) =>
    world.proxy.ledger.of(device, kind).filter(({ startedAtMs }) => startedAtMs >= sinceMs)
  const bodyAfter = (device: string, sinceMs: number) =>
    world.proxy.ledger
      .bodies(device)
      .find(({ startedAtMs, firstByteAtMs }) => startedAtMs >= sinceMs && firstByteAtMs !== null)

  async function begin(page: Page, device: string): Promise<string> {
    await signInContext(page.context(), world.client, device)
    world.proxy.setNetwork(device, STEADY_NETWORK)
    const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
    await expectHalfway(world, device, 2)
    return uploadRequestId
  }

  // How soon a question follows is timed in engine.test.ts and reachability.test.ts, where no other
  // work takes the processor.
  for (const { what, words, asks } of [
    { what: 'all', words: /Connection lost\. .* is safe/, asks: 'ping' },
    { what: 'parts', words: /Waiting for the storage\. .* is safe/, asks: 'offset' },
  ] as const) {
    test(`UPL-09 for ${what}: the page says so, and sends after the first answer that follows its end`, async ({
      page,
    }) => {
      const device = `hole-${what}`
      const uploadRequestId = await begin(page, device)
      const isSaid = expect(page.getByText(words).first()).toBeVisible()
      const mendedAtMs = await world.proxy.cutUntil(device, isSaid, 'dead', what)
      await expect.poll(() => bodyAfter(device, mendedAtMs)).toBeDefined()
      const answeredAtMs = startedAfter(device, asks, mendedAtMs)[0]?.endedAtMs ?? Infinity
      const body = bodyAfter(device, mendedAtMs)
      expect(body?.startedAtMs).toBeGreaterThanOrEqual(answeredAtMs)
      const isOfBody = ({ startedAtMs, facts }: LedgerEntry): boolean =>
        startedAtMs < (body?.startedAtMs ?? 0) &&
        (asks === 'ping' || facts.partNumber === body?.facts.partNumber)
      expect(
        startedAfter(device, asks, answeredAtMs).filter(isOfBody).length,
        'questions between the first answer and the first byte',
      ).toBeLessThanOrEqual(1)
      world.proxy.setNetwork(device, FAST_NETWORK)
      await expectDone(page)
      await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT, USUAL_PART_BYTES)
    })
  }

  test('UPL-09 of 2 s that connections outlive costs nothing', async ({ page }) => {
    const device = 'blink'
    const uploadRequestId = await begin(page, device)
    await world.proxy.cutUntil(device, delay(2_000), 'outlived')
    world.proxy.setNetwork(device, FAST_NETWORK)
    await expectDone(page)
    await expectWhole(world, device, uploadRequestId, file, 0)
  })
})
