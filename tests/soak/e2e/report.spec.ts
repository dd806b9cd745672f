import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { uploadFile } from '#tests/setup/upload.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { expect, FAILED_REQUESTS, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// A held video answers 451.
test.use({ expectedNoise: FAILED_REQUESTS })

let server: E2eServer
let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-report-'))
  await makeClip(join(folder, 'garden scene.mp4'), 4, { size: '320x180' })
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

async function operator(...args: readonly string[]): Promise<string> {
  const ran = await promisify(execFile)(
    process.execPath,
    ['scripts/operator.ts', 'reports', ...args],
    { env: { ...process.env, ONECUT_DATA_DIR: server.dataDir } },
  )
  return ran.stdout
}

test('TRU-09 a stranger reports a video, the operator holds it, its creator reads so, and a release gives it back', async ({
  page,
  browser,
}) => {
  const creator = await beSignedIn(page, server)
  const upload = await uploadFile(creator, join(folder, 'garden scene.mp4'), {
    name: 'garden scene.mp4',
  })
  const job = await requestEdits(creator, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await payFor(creator, job._id)
  await expect
    .poll(async () => (await fetchJob(creator, job._id)).tasks.map(({ status }) => status), {
      timeout: patience(90),
    })
    .toEqual(['succeeded'])
  await page.goto(`${server.origin}/edits`)
  const card = page.getByRole('heading', { name: 'garden scene' })
  const held = page.getByText('This video is being reviewed and is not available for now.')
  await expect(card).toBeVisible()
  await expect(held).toHaveCount(0)

  const stranger = await browser.newContext()
  const visit = await stranger.newPage()
  await visit.goto(`${server.origin}/content-policy`)
  await visit.getByRole('main').getByRole('link', { name: 'Report a video', exact: true }).click()
  await visit.getByLabel('Which video?').fill('The garden scene at https://example.com/1')
  await visit.getByLabel('Why do you report it?').fill('I never agreed to it.')
  await visit.reload()
  await expect(visit.getByLabel('Why do you report it?')).toHaveValue('I never agreed to it.')
  await visit.getByLabel('Your e-mail').fill('mara@example.com')
  await visit.getByLabel('Your name, as a signature').fill('Mara Example')
  await visit.getByText(/^What I write here is true/).click()
  await visit.getByRole('button', { name: 'Send report' }).click()
  const receipt = visit.getByText(/^R-\d{4}-[0-9A-Z]{8}$/)
  await expect(receipt).toBeVisible()
  await photograph(visit, 'report-received')
  const receiptNumber = (await receipt.textContent()) ?? ''
  await stranger.close()

  expect(await operator('list')).toContain(receiptNumber)
  await operator('hold', receiptNumber, upload._id)
  await page.reload()
  await expect(held).toBeVisible()
  await expect(card).toBeVisible()
  await expect(page.getByRole('button', { name: /Show Edits/ })).toHaveCount(0)
  await photograph(page, 'report-held')
  await operator('release', receiptNumber)
  await page.reload()
  await expect(card).toBeVisible()
  await expect(held).toHaveCount(0)
})
