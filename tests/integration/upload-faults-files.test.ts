import { copyFile, open, rename, rm, stat, truncate, utimes } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  settle,
  startRun,
  wrongWith,
  type ClientRun,
  type ClientRunOptions,
} from '#tests/faults/client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from '#tests/faults/client-world.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { createRandom, pickNumber } from '#tests/faults/random.ts'
import { sha256OfFile, type TestFile } from '#tests/faults/test-files.ts'
import { swapUrls } from '#tests/faults/swap-urls.ts'

const PART_BYTES = 512 * 1_024
const PARTS = 12
/** These are safe before the file changes. */
const SENT_PARTS = 5

let place: ClientWorld
beforeAll(async () => {
  place = await startClientWorld(PART_BYTES, QUICK_WAITS)
})
afterAll(() => place.dispose())

/** A device in the middle of an upload of a file of its own. */
async function halfway(
  device: string,
): Promise<{ readonly options: ClientRunOptions; readonly run: ClientRun }> {
  const { world } = place
  const file = await world.makeFile(`${device}.mp4`, PARTS * PART_BYTES - 1_000)
  const options = { ...(await place.device(device)), file }
  world.proxy.setNetwork(device, { ...FAST_NETWORK, totalBytesPerSecond: 4 * PART_BYTES })
  const run = await startRun(options)
  await run.until(({ safeBytes }) => safeBytes >= SENT_PARTS * PART_BYTES)
  return { options, run }
}

const sameTime = (path: string): Promise<() => Promise<void>> =>
  stat(path).then(
    ({ atime, mtime }) =>
      () =>
        utimes(path, atime, mtime),
  )

/**
 * Changes bytes in one part that was sent and in one that was not; never in the first or last MiB,
 * which the fingerprint covers.
 */
async function scribble(path: string, random: () => number): Promise<void> {
  await using file = await open(path, 'r+')
  const bytes = Buffer.from('other bytes of the same length')
  for (const part of [pickNumber(random, 2, SENT_PARTS - 1), PARTS - 3])
    await file.write(
      bytes,
      0,
      bytes.length,
      part * PART_BYTES + pickNumber(random, 0, PART_BYTES - bytes.length),
    )
}

/** The file as it is now. */
const nowOf = async ({ path }: TestFile): Promise<TestFile> => ({
  path,
  sizeBytes: (await stat(path)).size,
  sha256: await sha256OfFile(path),
})

describe('between two visits', () => {
  it('SAF-02 a file that was only touched is sent on', async () => {
    const { options, run } = await halfway('touched')
    await run.leave()
    await utimes(options.file.path, new Date(), new Date(Date.now() + 5_000))
    await run.reopen()
    place.world.proxy.setNetwork(options.device, FAST_NETWORK)
    expect(await wrongWith(options, await run.untilStill())).toEqual([])
    await run.dispose()
  })

  it.each(['changed in place', 'replaced'] as const)(
    'SAF-02 of a file that was %s only one version arrives',
    async (how) => {
      const { options, run } = await halfway(how.replaceAll(' ', '-'))
      const { path } = options.file
      await run.leave()
      if (how === 'replaced') await copyFile(path, `${path}.new`)
      await scribble(how === 'replaced' ? `${path}.new` : path, createRandom(1))
      if (how === 'replaced') await rename(`${path}.new`, path)
      await run.reopen()
      place.world.proxy.setNetwork(options.device, FAST_NETWORK)
      const file = await nowOf(options.file)
      expect(file.sha256).not.toBe(options.file.sha256)
      expect(await wrongWith({ ...options, file }, await settle(run))).toEqual([])
      await run.dispose()
    },
  )

  it.each(['truncated', 'deleted'] as const)(
    'SAF-02 a file that was %s is asked for, and goes on when it is back',
    async (how) => {
      const { options, run } = await halfway(how)
      const { path } = options.file
      await run.leave()
      const restoreTime = await sameTime(path)
      await copyFile(path, `${path}.kept`)
      if (how === 'truncated') await truncate(path, 5 * PART_BYTES)
      else await rm(path)
      await run.reopen()
      expect((await run.untilStill()).state.kind).toMatch(/^(needs-file|conflict)$/)
      await run.leave()
      await rename(`${path}.kept`, path)
      await restoreTime()
      await run.reopen()
      place.world.proxy.setNetwork(options.device, FAST_NETWORK)
      expect(await wrongWith(options, await settle(run))).toEqual([])
      await run.dispose()
    },
  )
})

it('SAF-02 parts whose URLs were exchanged in one answer arrive in their places', async () => {
  const { world } = place
  const device = 'swap'
  const file = await world.makeFile(`${device}.mp4`, PARTS * PART_BYTES - 1_000)
  const options = { ...(await place.device(device)), file }
  const swapped = swapUrls(world.proxy, device, createRandom(1))
  const run = await startRun(options)
  expect(await wrongWith(options, await run.untilStill())).toEqual([])
  expect(swapped()).toBe(1)
  await run.dispose()
})
