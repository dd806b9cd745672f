import { createHash } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { Client } from 'pg'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import {
  chooseByPath,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import { watchProcesses } from '#tests/faults/process-watch.ts'
import { makeSparseVideo, sha256OfRange } from '#tests/faults/sparse-file.ts'
import { beginUpload, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { patience } from '#tests/setup/patience.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

const GIB = 1_024 * MIB
const SIZE_BYTES = 25 * GIB
const PART_BYTES = 16 * MIB
const PART_COUNT = SIZE_BYTES / PART_BYTES
/** Parts that are really sent before the page is closed: they contain bytes that are not zero. */
const ENDS = (partNumber: number): boolean => partNumber <= 2 || partNumber > PART_COUNT - 6
const DEVICE = 'size'
const SLOW_NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 24 * MIB }

/**
 * A page of this app, five parts in memory while they are hashed, and what the browser's allocator
 * keeps of them for later.
 */
const MEMORY_BYTES = 400 * MIB
const HEAP_BYTES = 40 * MIB
/** What is sent, hashed, probed and compared: far from the whole. */
const READ_BYTES = 2 * GIB

let world: FaultWorld
let browser: KillableChromium
let folder: string
test.beforeAll(async () => {
  world = await startFaultWorld({ ONECUT_PART_SIZE_BYTES: String(PART_BYTES) })
  folder = await mkdtemp(join(tmpdir(), 'onecut-size-'))
  browser = await startChromium(join(folder, 'profile'))
})
test.afterAll(async () => {
  await browser.kill()
  await world.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/**
 * Tells the server that it has these parts: its file for them is a hole, as the chosen one is
 * there.
 */
async function storeHoles(uploadRequestId: string, partNumbers: readonly number[]): Promise<void> {
  const { connection } = await launchPostgres(world.server.dataDir)
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query(
      `insert into upload_parts (upload_request_id, part_number, e_tag, size_bytes, stored_at)
       select $1, n, $2, $3, now() from unnest($4::int[]) n`,
      [
        uploadRequestId,
        createHash('sha256').update(Buffer.alloc(PART_BYTES)).digest('hex'),
        PART_BYTES,
        partNumbers,
      ],
    )
  } finally {
    await client.end()
  }
}

/** Tells the device that it sent these parts: then it need not compare them with the file. */
async function rememberHoles(page: Page, partNumbers: readonly number[]): Promise<void> {
  const sha256 = createHash('sha256').update(Buffer.alloc(PART_BYTES)).digest()
  const part = {
    eTag: sha256.toString('hex'),
    sha256: sha256.toString('base64'),
    sizeBytes: PART_BYTES,
    safeAtEpochMs: 0,
  }
  await page.evaluate(
    async ({ numbers, row }) => {
      const name = (await indexedDB.databases())
        .map((database) => database.name ?? '')
        .find((database) => database.startsWith('onecut-account-'))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const opening = indexedDB.open(name ?? '')
      opening.onsuccess = () => {
        const writing = opening.result.transaction(['uploads', 'uploadParts'], 'readwrite')
        const reading = writing.objectStore('uploads').getAllKeys()
        reading.onsuccess = () => {
          for (const partNumber of numbers)
            writing
              .objectStore('uploadParts')
              .put({ ...row, partNumber, uploadId: reading.result[0] })
        }
        writing.oncomplete = () => {
          opening.result.close()
          resolve()
        }
        writing.onerror = () => reject(writing.error)
      }
      opening.onerror = () => reject(opening.error)
      return promise
    },
    { numbers: [...partNumbers], row: part },
  )
}

async function heapBytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize
}

test('UPL-09 25 GB: planned, checked, resumed after a reload, and sent, with flat memory and without reading the whole file', async () => {
  const { bavail, bsize } = await statfs(folder)
  expect(bavail * bsize, 'bytes free for a server that promises room').toBeGreaterThan(
    SIZE_BYTES + 2 * GIB,
  )
  const path = join(folder, 'scene.mp4')
  await makeSparseVideo(path, SIZE_BYTES, 20 * MIB)
  await signInContext(browser.context, world.client, DEVICE)
  const page = await browser.context.newPage()
  world.proxy.setNetwork(DEVICE, SLOW_NETWORK)
  await page.goto(`${world.proxy.origin}/uploads/new`)
  const watch = await watchProcesses(browser.pid)

  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByPath(path))
  const sent = (): readonly number[] =>
    world.proxy.ledger
      .parts(DEVICE)
      .map(({ partNumber }) => partNumber)
      .toSorted((a, b) => a - b)
  const safeParts = (): number =>
    world.proxy.ledger.bodies(DEVICE).filter(({ status }) => status === 200).length
  await expect.poll(safeParts, { timeout: patience(60) }).toBeGreaterThanOrEqual(6)
  await page.goto('about:blank')
  await expect
    .poll(() => world.proxy.ledger.bodies(DEVICE).every(({ isOver }) => isOver))
    .toBe(true)
  const all = Array.from({ length: PART_COUNT }, (_, index) => index + 1)
  const before = new Set(sent())
  const really = all.filter((partNumber) => before.has(partNumber) || ENDS(partNumber))
  await storeHoles(
    uploadRequestId,
    all.filter((partNumber) => !really.includes(partNumber)),
  )

  await page.goto(`${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`)
  await expect(
    page.getByText(/^Choose scene\.mp4 again to continue from \d+%$/).first(),
  ).toBeVisible()
  await rememberHoles(
    page,
    all.filter((partNumber) => !really.includes(partNumber)),
  )
  world.proxy.setNetwork(DEVICE, FAST_NETWORK)
  await chooseAgain(page, path)
  // The server hashes all 25 GB before it looks into the file.
  await expectDone(page, patience(900))

  const { ledger } = world.proxy
  expect(sent(), 'nothing else went over the line').toEqual(really)
  expect(ledger.receivedBytes(DEVICE)).toBeLessThanOrEqual((really.length + 5) * PART_BYTES)
  const stored = join(world.server.dataDir, 'store', 'objects', 'uploads', uploadRequestId)
  for (const partNumber of really) {
    const range = [PART_BYTES * (partNumber - 1), PART_BYTES * partNumber] as const
    expect(await sha256OfRange(stored, ...range), `part ${partNumber}`).toBe(
      await sha256OfRange(path, ...range),
    )
  }
  watch.stop()
  const readBytes = await watch.readBytes()
  const heap = await heapBytes(page)
  test.info().annotations.push({
    type: 'measured',
    description: JSON.stringify({
      rendererMib: Math.round(watch.peakBytes('renderer') / MIB),
      browserMib: Math.round(watch.peakBytes('browser') / MIB),
      heapMib: Math.round(heap / MIB),
      readMib: Math.round(readBytes / MIB),
    }),
  })
  expect(watch.peakBytes('renderer'), 'memory of the page and its workers').toBeLessThan(
    MEMORY_BYTES,
  )
  expect(watch.peakBytes('browser'), 'memory of the process that reads files').toBeLessThan(
    MEMORY_BYTES,
  )
  expect(heap, 'heap of the page').toBeLessThan(HEAP_BYTES)
  expect(readBytes, 'bytes read').toBeLessThan(READ_BYTES)
})

/** By the path: the button would open a dialog that no test can answer. */
async function chooseAgain(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'input[type=file]',
  })
  await devtools.send('DOM.setFileInputFiles', { nodeId, files: [path] })
  await devtools.detach()
}
