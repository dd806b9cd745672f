import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { signInContext } from '#tests/faults/upload-page.ts'
import { photographs } from '#tests/fixtures/photographs.ts'
import { patience } from '#tests/setup/patience.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { attest, photograph } from './flow-helpers.ts'
import { expect, test } from './journey.ts'
import { seedVideo } from './seed.ts'

const run = promisify(execFile)
const FILTERS = 'scale=1024:684,setsar=1'
const WIDTH = 1024
const [people] = photographs

// Nothing here begins offline; without a service worker the page loads less.
test.use({ serviceWorkers: 'block' })

test('REC-18 who stays visible is decided by keyboard in a review, and the delivered video covers all others', async ({
  context,
  page,
  server,
}) => {
  const scene = test.info().outputPath('scene.mp4')
  await makeScene(scene)
  const person = await seedVideo(server, scene)
  await signInContext(context, person.client, 'direct')
  await page.goto(server.origin + person.path)
  await page.getByRole('tab', { name: 'Full Scene Edits' }).click()
  await page.getByRole('button', { name: 'Face Blur', exact: true }).click()
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.waitForURL(/\/checkout$/)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await page.getByRole('link', { name: /^Review faces/ }).click({ timeout: patience(120) })

  const cover = page.getByRole('checkbox', { name: /^Cover the face/ })
  // Those that the search is least sure of come first; some of them are no faces.
  await expect(cover.nth(2)).toBeVisible()
  const found = await cover.count()
  await cover.last().focus()
  await page.keyboard.press('Space')
  await expect(cover.last()).not.toBeChecked()
  await photograph(page, 'face-review')
  const make = page.getByRole('button', { name: 'Make the edit' })
  await expect(make).toBeEnabled()
  await make.focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Make the edit now?' })
  const covered = `${found - 1} of ${found} faces found are covered, 1 stays visible.`
  await expect(question.getByText(covered)).toBeVisible()
  await question.getByRole('button', { name: 'Make the edit' }).press('Enter')
  await page.getByRole('link', { name: 'View All Edits' }).click()
  await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(120) })

  await page.getByRole('button', { name: /^Show Edits/ }).click()
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download video with hidden faces' }).click()
  const [before, after] = [
    await middlePicture(scene),
    await middlePicture(await (await begun).path()),
  ]
  const changes = (people?.faces ?? []).map((face) => meanChange(before, after, face))
  expect(changes.filter((change) => change > 10)).toHaveLength(2)
  expect(changes.filter((change) => change < 3)).toHaveLength(1)
})

/** Three people who keep still for a second: what differs afterwards is what the edit did. */
async function makeScene(path: string): Promise<void> {
  const picture = ['-loop', '1', '-framerate', '5', '-i', people?.path ?? '']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=330:sample_rate=48000']
  const coded = ['-vf', FILTERS, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16']
  const written = ['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-t', '1', path]
  await run('ffmpeg', ['-v', 'error', ...picture, ...sound, ...coded, ...written])
}

/** Its brightness, a byte for each point. */
const middlePicture = (path: string): Promise<Buffer> =>
  rawPictures(path, 'format=gray', { fromS: 0.5, count: 1 })

/** How much the points of a box changed in the mean, of 255. */
function meanChange(
  before: Buffer,
  after: Buffer,
  [left, top, width, height]: readonly [number, number, number, number],
): number {
  const points = Array.from(
    { length: width * height },
    (_, at) => (top + Math.floor(at / width)) * WIDTH + left + (at % width),
  )
  const changes = points.map((point) => Math.abs((before[point] ?? 0) - (after[point] ?? 0)))
  return changes.reduce((sum, change) => sum + change, 0) / points.length
}
