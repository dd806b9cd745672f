import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Browser } from '@playwright/test'
import type { components } from '#openapi/schema.gen.ts'
import type { FaultCase } from './fault-cases.ts'
import { PART_BYTES, type FaultWorld } from './fault-world.ts'
import type { TestFile } from './test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from './upload-page.ts'

type Answer = { readonly uploadRequest: components['schemas']['UploadRequest'] }

/**
 * Uploads a file in a browser of its own while the case's faults strike; returns the server's id.
 */
export async function uploadUnder(
  world: FaultWorld,
  browser: Browser,
  lane: string,
  fault: FaultCase,
  file: TestFile,
  timeoutMs: number,
): Promise<string> {
  const context = await browser.newContext()
  try {
    await signInContext(context, world.client, lane)
    world.proxy.add(...fault.rules(lane))
    const page = await context.newPage()
    const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
    await expectDone(page, timeoutMs)
    return uploadRequestId
  } finally {
    await context.close()
  }
}

/**
 * The server has exactly this file, of this one upload, and nobody asked to abort it. `repeats`:
 * how many parts' worth of bytes may have been sent again.
 */
export async function expectWhole(
  world: FaultWorld,
  lane: string,
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
  expect(ledger.of(lane, 'abort')).toEqual([])
  expect(new Set(ledger.of(lane, 'complete').map(({ facts }) => facts.uploadId))).toEqual(
    new Set([uploadRequestId]),
  )
  expect(new Set(ledger.of(lane, 'part').map(({ facts }) => facts.uploadId))).toEqual(
    new Set([uploadRequestId]),
  )
  expect(ledger.mostConcurrentParts(lane), 'parts at the same time').toBeLessThanOrEqual(5)
  // In bytes: an attempt that broke after a few of them costs little.
  expect(
    ledger.receivedBytes(lane) - file.sizeBytes,
    `parts sent again: ${JSON.stringify(ledger.parts(lane).filter(({ attempts }) => attempts > 1))}`,
  ).toBeLessThanOrEqual(repeats * partBytes)
}

/** Parts of a lane that the store has taken. */
export function safeParts(world: FaultWorld, lane: string): number {
  return world.proxy.ledger.of(lane, 'part').filter(({ status }) => status === 200).length
}

/** Waits until some parts are safe; the rest of a `HALFWAY_LINE` is under way then. */
export async function expectHalfway(world: FaultWorld, lane: string, parts = 1): Promise<void> {
  await expect
    .poll(() => safeParts(world, lane), { timeout: 30_000, intervals: [100] })
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
