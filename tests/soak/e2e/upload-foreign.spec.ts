import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { startForeignStore, type StoreCors } from '#tests/faults/foreign-store.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectWhole } from '#tests/faults/upload-run.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

const PARTS = 8

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PARTS - 1) * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

/** Uploads to a storage on another origin; `look` gets the page that follows the upload. */
async function uploadTo(
  cors: StoreCors,
  page: Page,
  look: (uploadRequestId: string) => Promise<void>,
): Promise<void> {
  const store = await startForeignStore(world.proxy, cors, cors)
  try {
    await signInContext(page.context(), world.client, cors)
    await look(await beginUpload(page, world.proxy.origin, chooseByInput(file.path)))
  } finally {
    await store.close()
  }
}

test('UPL-09 a storage elsewhere that hides the ETag: the list of the server supplies it, and no part is sent twice', async ({
  page,
}) => {
  const device = 'hides-etag'
  await uploadTo(device, page, async (uploadRequestId) => {
    await expectDone(page)
    expect(world.proxy.ledger.bodies(device)).toHaveLength(PARTS)
    expect(
      world.proxy.ledger.of(device, 'urls').length,
      'the list was asked for the ETags',
    ).toBeGreaterThanOrEqual(1)
    await expectWhole(world, device, uploadRequestId, file, 0)
  })
})

test('UPL-11 a storage elsewhere that does not let pages send: the page says whose settings are wrong', async ({
  page,
}) => {
  const device = 'none'
  await uploadTo(device, page, async (uploadRequestId) => {
    await expect(page.getByText(/^A part of the video is not accepted\./).first()).toBeVisible()
    await expect(
      page
        .getByText(
          /^The storage of this server does not accept uploads from browsers \(CORS\)\. The operator of the server has to change its settings\./,
        )
        .first(),
    ).toBeVisible()
    expect(world.proxy.ledger.bodies(device)).toEqual([])
    expect(
      (
        await world.client.get<{ readonly uploadRequest: { readonly state: string } }>(
          `/v1/upload-requests/${uploadRequestId}`,
        )
      ).body.uploadRequest.state,
      'nothing is given up at the server',
    ).toBe('open')
  })
})
