import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Browser } from '@playwright/test'
import type { components } from '#openapi/schema.gen.ts'
import { patience } from '#tests/setup/patience.ts'
import type { FaultCase } from './fault-cases.ts'
import { PART_BYTES, type FaultWorld } from './fault-world.ts'
import type { TestFile } from './test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from './upload-page.ts'

type Answer = { readonly uploadRequest: components['schemas']['UploadRequest'] }

/**
 * Uploads a file in a separate browser while the faults of the case strike; returns the server's
 * id.
 */
export async function uploadUnder(
  world: FaultWorld,
  browser: Browser,
  device: string,
  fault: FaultCase,
  file: TestFile,
  timeoutMs: number,
): Promise<string> {
  const context = await browser.newContext()
  try {
    await signInContext(context, world.client, device)
    world.proxy.add(...fault.rules(device))
    const page = await context.newPage()
    const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
    await expectDone(page, timeoutMs)
    return uploadRequestId
  } finally {
    await context.close()
  }
}

/**
 * Asserts that the server has exactly this file, from this one upload, and that no abort was sent.
 * `repeats`: how many parts' worth of bytes may have been sent again.
 */
export async function expectWhole(
  world: FaultWorld,
  device: string,
  uploadRequestId: string,
  file: TestFile,
  repeats: number,
  partBytes = PART_BYTES,
): Promise<void> {
  const { ledger } = world.proxy
  expect(await world.storedSha256(uploadRequestId), 'the stored bytes are those of the file').toBe(
    file.sha256,
  )
  expect(
    (await world.client.get<Answer>(`/v1/upload-requests/${uploadRequestId}`)).body.uploadRequest
      .state,
  ).toBe('validated')
  expect(ledger.of(device, 'abort')).toEqual([])
  expect(new Set(ledger.of(device, 'complete').map(({ facts }) => facts.uploadId))).toEqual(
    new Set([uploadRequestId]),
  )
  expect(new Set(ledger.bodies(device).map(({ facts }) => facts.uploadId))).toEqual(
    new Set([uploadRequestId]),
  )
  expect(ledger.mostConcurrentParts(device), 'parts at the same time').toBeLessThanOrEqual(5)
  // In bytes, because an attempt that broke after a few of them costs little.
  expect(
    ledger.receivedBytes(device) - file.sizeBytes,
    `parts sent again: ${JSON.stringify(ledger.parts(device).filter(({ attempts }) => attempts > 1))}`,
  ).toBeLessThanOrEqual(repeats * partBytes)
}

/** Parts of a device that the storage has accepted. */
export function safeParts(world: FaultWorld, device: string): number {
  return world.proxy.ledger.bodies(device).filter(({ status }) => status === 200).length
}

/** Waits until some parts are safe; the rest of a `HALFWAY_NETWORK` is in flight then. */
export async function expectHalfway(world: FaultWorld, device: string, parts = 1): Promise<void> {
  await expect
    .poll(() => safeParts(world, device), { timeout: patience(30), intervals: [100] })
    .toBeGreaterThanOrEqual(parts)
}

/** How many uploads the server's disk holds, finished and unfinished. */
export async function countUploads(
  world: FaultWorld,
): Promise<{ readonly finished: number; readonly unfinished: number }> {
  const count = async (folder: string): Promise<number> =>
    (await readdir(join(world.server.dataDir, 'store', folder)).catch(() => [])).length
  return { finished: await count('objects/uploads'), unfinished: await count('multipart') }
}
