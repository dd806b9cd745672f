/**
 * `npm run bench -- browser-kills [kills] [megabytes] [seed]`: kills a real Chromium at random
 * moments of one upload (50 kills in 2,000 MB), opens it again each time, and prints what was sent
 * twice because of it. Fails unless exactly the file has arrived.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { median } from './statistics.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import {
  chooseByPath,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import { createRandom } from '#tests/faults/random.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, expectDone, signInContext } from '#tests/faults/upload-page.ts'

const DEVICE = 'kills'
const PART_BYTES = 16 * MIB
/** Fast enough to end soon, slow enough that all slots are busy whenever a kill comes. */
const NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 25_000_000 }
const LONGEST_MS = 120_000

const [kills = 50, megabytes = 2_000, seed = 1] = process.argv.slice(2).map(Number)
await measure(kills, megabytes * 1_000_000, seed)

async function measure(kills: number, fileBytes: number, seed: number): Promise<void> {
  const world = await startFaultWorld({ ONECUT_PART_SIZE_BYTES: String(PART_BYTES) })
  const profile = await mkdtemp(join(tmpdir(), 'onecut-kills-'))
  const random = createRandom(seed)
  const browser: { now: KillableChromium } = { now: await startChromium(profile) }
  try {
    const file = await world.makeFile('kills.mp4', fileBytes)
    world.proxy.setNetwork(DEVICE, NETWORK)
    await signInContext(browser.now.context, world.client, DEVICE)
    const page = await browser.now.context.newPage()
    const id = await beginUpload(page, world.proxy.origin, chooseByPath(file.path))
    const backMs: number[] = []
    for (let kill = 0; kill < kills && received(world) < fileBytes; kill += 1) {
      await untilBytes(world, nextKillAt(world, fileBytes, kills - kill, random))
      await browser.now.kill()
      browser.now = await startChromium(profile)
      backMs.push(await goOn(world, browser.now, id, file))
      console.log(`${backMs.length} kills, ${(received(world) / 1e6).toFixed(0)} MB received`)
    }
    await expectDone(await lastPage(browser.now), LONGEST_MS)
    await print(world, id, file, backMs)
  } finally {
    await browser.now.kill()
    await world.dispose()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

function received(world: FaultWorld): number {
  return world.proxy.ledger.receivedBytes(DEVICE)
}

/** Spreads the kills that are left over the bytes that are left, at random. */
function nextKillAt(
  world: FaultWorld,
  fileBytes: number,
  killsLeft: number,
  random: () => number,
): number {
  const leftBytes = Math.max(0, fileBytes - received(world))
  return received(world) + (leftBytes / (killsLeft + 1)) * (0.2 + 1.4 * random())
}

async function untilBytes(world: FaultWorld, bytes: number): Promise<void> {
  for (const endMs = performance.now() + LONGEST_MS; received(world) < bytes;) {
    if (performance.now() > endMs) throw new Error(`no byte moves at ${received(world)}`)
    await delay(5)
  }
}

/** Opens the upload's page; returns the milliseconds until bytes moved. */
async function goOn(
  world: FaultWorld,
  browser: KillableChromium,
  id: string,
  file: TestFile,
): Promise<number> {
  // Chromium writes cookies to the disk every 30 s; a sign-in younger than that dies with it.
  await signInContext(browser.context, world.client, DEVICE)
  const page = await browser.context.newPage()
  const startedAtMs = performance.now()
  const before = received(world)
  await page.goto(`${world.proxy.origin}/uploads/${id}/media-jobs/new`)
  const isMoving = untilBytes(world, before + 1)
  // A browser that had no time for a copy of the file asks for it.
  const isAsked = page
    .getByRole('button', { name: /^Choose the file again/ })
    .first()
    .waitFor({ timeout: LONGEST_MS })
    .then(() => chooseByPath(file.path)(page))
    .catch(() => undefined)
  // The last byte may have been on its way when the kill came.
  const isDone = expectDone(page, LONGEST_MS)
  isDone.catch(() => undefined)
  await Promise.race([isMoving, isAsked])
  await Promise.any([isMoving, isDone])
  return performance.now() - startedAtMs
}

async function lastPage(browser: KillableChromium): Promise<Page> {
  const page = browser.context.pages().at(-1)
  if (page === undefined) throw new Error('no page')
  return page
}

async function print(
  world: FaultWorld,
  id: string,
  file: TestFile,
  backMs: readonly number[],
): Promise<void> {
  const kills = backMs.length
  if ((await world.storedSha256(id)) !== file.sha256) throw new Error('other bytes are stored')
  const extraBytes = received(world) - file.sizeBytes
  const percent = ((100 * extraBytes) / file.sizeBytes).toFixed(2)
  console.log(
    `\n## ${kills} kills of the browser in ${(file.sizeBytes / 1e9).toFixed(1)} GB, parts of ${PART_BYTES / MIB} MiB\n` +
      `| sent beyond the file | ${(extraBytes / MIB).toFixed(1)} MiB, ${percent} %, ${(extraBytes / MIB / kills).toFixed(2)} MiB a kill |\n` +
      `| from the page's start to the first byte | ${(median(backMs) / 1_000).toFixed(1)} s (most ${(Math.max(...backMs) / 1_000).toFixed(1)} s) |`,
  )
}
