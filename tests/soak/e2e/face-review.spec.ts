import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { photographs } from '#tests/fixtures/photographs.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { uploadFile } from '#tests/setup/upload.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'

const run = promisify(execFile)
const FILTERS = 'scale=1024:684,setsar=1'
const WIDTH = 1024
const [people] = photographs

let server: E2eServer
let folder: string
test.beforeAll(async () => {
  server = await startE2eServer()
  folder = await mkdtemp(join(tmpdir(), 'onecut-faces-'))
  // Three people who keep still: what differs afterwards is what the edit did.
  const picture = ['-loop', '1', '-framerate', '10', '-i', people?.path ?? '']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=330:sample_rate=48000']
  const coded = ['-vf', FILTERS, '-c:v', 'libx264', '-crf', '16', '-pix_fmt', 'yuv420p']
  const written = ['-c:a', 'aac', '-t', '3', join(folder, 'scene.mp4')]
  await run('ffmpeg', ['-v', 'error', ...picture, ...sound, ...coded, ...written])
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('REC-18 who stays visible is decided by keyboard in a review, and the delivered video covers all others', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const client = await beSignedIn(page, server)
  const { _id } = await uploadFile(client, join(folder, 'scene.mp4'))
  await page.goto(`${server.origin}/uploads/${_id}/media-jobs/new`)
  await page.getByRole('tab', { name: 'Full Scene Edits' }).click()
  await page.getByRole('button', { name: 'Face Blur', exact: true }).click()
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.waitForURL(/\/checkout$/, { timeout: patience(60) })
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
  const path = join(folder, 'covered.mp4')
  await (await begun).saveAs(path)
  const [before, after] = [
    await middlePicture(join(folder, 'scene.mp4')),
    await middlePicture(path),
  ]
  const changes = (people?.faces ?? []).map((face) => meanChange(before, after, face))
  expect(changes.filter((change) => change > 10)).toHaveLength(2)
  expect(changes.filter((change) => change < 3)).toHaveLength(1)
})

/** Its brightness, a byte for each point. */
const middlePicture = (path: string): Promise<Buffer> =>
  rawPictures(path, 'format=gray', { fromS: 1.5, count: 1 })

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
