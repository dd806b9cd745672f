import { copyFile, open, rename, rm, stat, truncate, utimes } from 'node:fs/promises'
import { settle, startRun, wrongWith, type ClientRun, type ClientRunOptions } from './client-run.ts'
import { QUICK_WAITS, startClientWorld, type ClientWorld } from './client-world.ts'
import { FAST_NETWORK } from './faults.ts'
import { createRandom, pickNumber } from './random.ts'
import { sha256OfFile, type TestFile } from './test-files.ts'

/** What may happen to a file while its upload waits for the next visit. */
type Change = 'touched' | 'changed in place' | 'replaced' | 'truncated' | 'deleted'

/** Uploads of files that change between two visits. */
export interface FileRuns {
  readonly place: ClientWorld
  newFile(device: string): Promise<TestFile>
  /**
   * Changes the file when half of it is sent; one that is asked for comes back unchanged. Returns
   * what is wrong with the upload at its end: of what the file is then, byte for byte one version.
   */
  change(how: Change): Promise<readonly string[]>
  dispose(): Promise<void>
}

const PART_BYTES = 512 * 1_024
const PARTS = 12
/** These are safe before the file changes. */
const SENT_PARTS = 5

/** Starts the real server behind the proxy. */
export async function startFileRuns(): Promise<FileRuns> {
  const place = await startClientWorld(PART_BYTES, QUICK_WAITS)
  const { proxy, makeFile } = place.world
  const newFile = async (device: string): Promise<TestFile> =>
    await makeFile(`${device}.mp4`, PARTS * PART_BYTES - 1_000)
  return {
    place,
    newFile,
    async change(how) {
      const device = how.replaceAll(' ', '-')
      const options = { ...(await place.device(device)), file: await newFile(device) }
      proxy.setNetwork(device, { ...FAST_NETWORK, totalBytesPerSecond: 4 * PART_BYTES })
      const run = await startRun(options)
      try {
        await run.until(({ safeBytes }) => safeBytes >= SENT_PARTS * PART_BYTES)
        await run.leave()
        const goOn = (): void => proxy.setNetwork(device, FAST_NETWORK)
        return await (how === 'truncated' || how === 'deleted'
          ? loseForAWhile(options, run, how, goOn)
          : goOnChanged(options, run, how, goOn))
      } finally {
        await run.dispose()
      }
    },
    dispose: () => place.dispose(),
  }
}

async function goOnChanged(
  options: ClientRunOptions,
  run: ClientRun,
  how: 'touched' | 'changed in place' | 'replaced',
  goOn: () => void,
): Promise<readonly string[]> {
  const { path } = options.file
  if (how === 'touched') await utimes(path, new Date(), new Date(Date.now() + 5_000))
  if (how === 'changed in place') await scribble(path)
  if (how === 'replaced') {
    await copyFile(path, `${path}.new`)
    await scribble(`${path}.new`)
    await rename(`${path}.new`, path)
  }
  await run.reopen()
  goOn()
  if (how === 'touched') return await wrongWith(options, await run.untilStill())
  const file = { path, sizeBytes: (await stat(path)).size, sha256: await sha256OfFile(path) }
  if (file.sha256 === options.file.sha256) return ['the file did not change']
  return await wrongWith({ ...options, file }, await settle(run))
}

async function loseForAWhile(
  options: ClientRunOptions,
  run: ClientRun,
  how: 'truncated' | 'deleted',
  goOn: () => void,
): Promise<readonly string[]> {
  const { path } = options.file
  const { atime, mtime } = await stat(path)
  await copyFile(path, `${path}.kept`)
  await (how === 'truncated' ? truncate(path, 5 * PART_BYTES) : rm(path))
  await run.reopen()
  const { state } = await run.untilStill()
  if (state.kind !== 'needs-file' && state.kind !== 'conflict')
    return [`it does not ask for the file, but is ${JSON.stringify(state)}`]
  await run.leave()
  await rename(`${path}.kept`, path)
  await utimes(path, atime, mtime)
  await run.reopen()
  goOn()
  return await wrongWith(options, await settle(run))
}

/**
 * Changes bytes in one part that was sent and in one that was not; never in the first or last MiB,
 * which the fingerprint covers.
 */
async function scribble(path: string): Promise<void> {
  const random = createRandom(1)
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
