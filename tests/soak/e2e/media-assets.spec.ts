import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, FAILED_REQUESTS, anyOf } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway } from '#tests/faults/upload-run.ts'
import { makeClip } from '#tests/setup/media.ts'
import { averageBrightness, probeFile } from '#tests/e2e/flow-media.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { patience } from '#tests/setup/patience.ts'
import { breakFilePicker } from './upload-device.ts'

// The page is closed in the middle of its requests.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

const run = promisify(execFile)
const INTRO_SECONDS = 3

/** From the file of an intro to a delivered tube cut that begins with it. */
let world: FaultWorld
let folder: string
test.beforeAll(async () => {
  world = await startFaultWorld()
  folder = await mkdtemp(join(tmpdir(), 'onecut-assets-'))
  await makeClip(join(folder, 'scene.mp4'), 40)
  await makeWhiteIntro(join(folder, 'intro.mp4'))
})
test.afterAll(async () => {
  await world.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('AST-03 OPT-03 an intro whose page was killed is named, chosen in a tube cut, and stands at its beginning', async ({
  context,
}) => {
  test.setTimeout(300_000)
  const device = 'creator'
  await signInContext(context, await world.signUp(), device)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const first = await context.newPage()
  await breakFilePicker(first)
  await first.goto(`${world.proxy.origin}/media-assets`)
  await photograph(first, 'media-assets-empty')
  await first.getByLabel('Choose a file').setInputFiles(join(folder, 'intro.mp4'))
  await first.waitForURL(/\/create-media-asset\?upload=/)
  await first.getByPlaceholder('Your asset name').fill('Opening logo')
  await photograph(first, 'create-media-asset')
  await expectHalfway(world, device)
  const address = first.url()
  await first.close()

  const page = await context.newPage()
  await breakFilePicker(page)
  await page.goto(address)
  await expect(page.getByPlaceholder('Your asset name')).toHaveValue('Opening logo')
  world.proxy.setNetwork(device, FAST_NETWORK)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL(/\/media-assets$/)
  await expect(page.getByText('Type: video')).toBeVisible({ timeout: patience(60) })
  await expect(page.getByText('0:00:03')).toBeVisible()
  await photograph(page, 'media-assets')

  await page.goto(`${world.proxy.origin}/uploads/new`)
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'scene.mp4'))
  const anyway = page.getByRole('button', { name: 'Upload anyway' })
  const tab = page.getByRole('heading', { name: 'Select formats to generate from your video.' })
  await expect(anyway.or(tab)).toBeVisible()
  if (await anyway.isVisible()) await anyway.click()
  await page.waitForURL(/\/media-jobs\/new$/)
  await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Tube Cut' })
  await dialog.getByRole('textbox', { name: 'Target duration in minutes' }).fill('0')
  await dialog.getByRole('group', { name: 'Intro Media Assets' }).getByText('Opening logo').click()
  await expect(dialog.getByText('1 chosen, 3 s together')).toBeVisible()
  await photograph(page, 'options-intro', false)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Full length · 1 intro')).toBeVisible()
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  const download = page.getByRole('link', { name: /^Download/ }).first()
  await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
    timeout: patience(200),
  })
  const href = await download.getAttribute('href')
  const answer = await context.request.get(new URL(href ?? '', world.proxy.origin).href)
  const cut = join(folder, 'cut.mp4')
  await writeFile(cut, await answer.body())
  const { durationMs } = await probeFile(cut)
  expect(durationMs).toBeGreaterThan((40 + INTRO_SECONDS - 1) * 1000)
  expect(await averageBrightness(cut, 1)).toBeGreaterThan(220)
  expect(await averageBrightness(cut, INTRO_SECONDS + 2)).toBeLessThan(200)
})

/** White, and so large by an empty box at its end that its upload can be interrupted. */
async function makeWhiteIntro(path: string): Promise<void> {
  const source = `color=white:size=640x360:rate=30:duration=${INTRO_SECONDS}`
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    source,
    '-pix_fmt',
    'yuv420p',
    path,
  ])
  const box = Buffer.alloc(7 * PART_BYTES + MIB)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4, 'latin1')
  await appendFile(path, box)
}
