import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS, anyOf } from './quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { beSignedIn } from './signed-in.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

const run = promisify(execFile)
const READY = 'Your video has been uploaded and is ready for editing'

/** A short clip made long by an MP4 box that players skip, filled with noise. */
async function makeLongFile(path: string, paddingBytes: number): Promise<void> {
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1280x720:rate=25:duration=3',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    path,
  ])
  const header = Buffer.alloc(8)
  header.writeUInt32BE(paddingBytes)
  header.write('free', 4)
  await appendFile(path, header)
  const noise = Buffer.from(
    Array.from({ length: 1 << 20 }, (_, index) => ((index * 2_654_435_761) >>> 13) & 255),
  )
  for (let left = paddingBytes - 8; left > 0; left -= noise.byteLength)
    await appendFile(path, noise.subarray(0, Math.min(left, noise.byteLength)))
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Hashes of all files of this size below the folder: what the server made of the parts. */
async function storedWithSize(folder: string, sizeBytes: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if ((await stat(path)).size === sizeBytes) found.push(await sha256(path))
  }
  return found
}

/** Delays every part, so that there is a middle to interrupt. */
async function slowParts(page: Page, delayMs: number): Promise<{ readonly sent: string[] }> {
  const sent: string[] = []
  await page.context().route('**/editors/api/v1/parts/**', async (route) => {
    sent.push(new URL(route.request().url()).pathname)
    await new Promise((resolve) => {
      setTimeout(resolve, delayMs)
    })
    await route.continue().catch(() => undefined)
  })
  return { sent }
}

test.describe('an interrupted upload', () => {
  let server: E2eServer
  let folder: string
  let file: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-resume-'))
    file = join(folder, 'long scene.mp4')
    await makeLongFile(file, 300 * 1024 ** 2)
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('UPL-07 goes on by itself after a reload and after the server was killed, and arrives byte for byte', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const { sent } = await slowParts(page, 700)
    await beSignedIn(page, server)
    await page.getByLabel('Choose a video').setInputFiles(file)
    await page.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/)
    await expect.poll(() => sent.length).toBeGreaterThan(5)
    await page.reload({ waitUntil: 'commit' })
    // The old page sends until then; the new one must have all its scripts before the server goes
    // away.
    const sentBefore = sent.length
    await expect(page.getByText(/% Uploaded/).first()).toBeVisible({ timeout: 30_000 })
    await expect.poll(() => sent.length).toBeGreaterThan(sentBefore)
    await server.kill()
    await expect(page.getByText('is safe', { exact: false }).first()).toBeVisible({
      timeout: 30_000,
    })
    await server.start()
    await expect(page.getByText(READY).first()).toBeVisible({ timeout: 120_000 })
    expect(await storedWithSize(server.dataDir, (await stat(file)).size)).toEqual([
      await sha256(file),
    ])
    // 19 parts; at most five in flight at each of the two interruptions, and what was tried while
    // no server answered.
    expect(new Set(sent).size).toBe(19)
  })
})
