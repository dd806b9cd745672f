import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { components } from '#openapi/schema.gen.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { unzip } from '#tests/setup/zip.ts'
import { attest } from '#tests/e2e/flow-helpers.ts'
import { makeScene } from '#tests/e2e/flow-media.ts'
import { expect, FAILED_REQUESTS, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// The server goes away in between.
test.use({ expectedNoise: FAILED_REQUESTS })

let server: E2eServer
let folder: string
test.beforeAll(async () => {
  server = await startE2eServer()
  folder = await mkdtemp(join(tmpdir(), 'onecut-evening-'))
  // Its edits take long enough to kill the server at work.
  await makeScene(join(folder, 'beach day.mp4'), 32, { width: 1920, height: 1080 })
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('REC-26 uploads and orders in the evening, closes everything, and finds one mail and all edits, also when the server was killed at work', async ({
  page,
  context,
}) => {
  test.setTimeout(420_000)
  const client = await beSignedIn(page, server)
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'beach day.mp4'))
  await page.waitForURL(/\/media-jobs\/new$/)
  for (const name of ['15s Teaser', 'Still Pack'])
    await page.getByRole('button', { name, exact: true }).click()
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click({ timeout: patience(60) })
  await expect(
    page.getByText('You can close this page and switch this device off. Your library shows it.'),
  ).toBeVisible()
  await page.close()

  await expect.poll(() => statesOfEdits(), { timeout: patience(120) }).toContain('started')
  await server.kill()
  await server.start()
  const told = async () => (await server.mails()).filter(({ subject }) => subject.includes('ready'))
  await expect.poll(async () => (await told()).length, { timeout: patience(240) }).toBe(1)
  const [mail] = await told()
  expect(mail?.subject).toBe('Your edits are ready')

  const morning = await context.newPage()
  await morning.goto(new RegExp(`${server.origin}/\\S+`).exec(mail?.text ?? '')?.[0] ?? '')
  await morning.getByRole('link', { name: 'View All Edits' }).click()
  const begun = morning.waitForEvent('download')
  await morning.getByRole('link', { name: /^Download all results of beach day/ }).click()
  const archive = join(folder, 'all.zip')
  await (await begun).saveAs(archive)
  const names = [...unzip(await readFile(archive)).keys()]
  expect(names.filter((name) => name.endsWith('.mp4'))).toHaveLength(1)
  expect(names.filter((name) => /still.*\.jpg$/.test(name))).toHaveLength(12)
  expect(new Set(await statesOfEdits())).toEqual(new Set(['succeeded']))
  expect(await told()).toHaveLength(1)

  async function statesOfEdits(): Promise<readonly string[]> {
    const { body } = await client.get<{ mediaJobs: readonly components['schemas']['MediaJob'][] }>(
      '/v1/media-jobs/paginated?limit=5',
    )
    return body.mediaJobs.flatMap(({ tasks }) => tasks.map(({ status }) => status))
  }
})
