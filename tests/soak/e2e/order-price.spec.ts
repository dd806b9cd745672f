import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makePaddedMovie } from '#tests/setup/padded-movie.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// Parts are held back, and some are cut when a test ends.
test.use({ expectedNoise: FAILED_REQUESTS })

const MIB = 1024 ** 2
/** 61 s of video: two started minutes at 20 tokens. */
const PRICE = /^Pay .* 40 tokens/

/**
 * Prices that go by the length: exact before a byte is sent, the same in the order, and known as
 * early as can be.
 */
test.describe('prices by the minute', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer({ ONECUT_PART_SIZE_BYTES: String(5 * MIB) })
    folder = await mkdtemp(join(tmpdir(), 'onecut-price-'))
    await makePaddedMovie(join(folder, 'index last.mp4'), 61, 'end', 18 * MIB)
    await makePaddedMovie(join(folder, 'live.mp4'), 61, 'spread', 18 * MIB)
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('JOB-04 FMT-06 ORD-08 an order is priced and paid while the upload runs, and the work follows by itself', async ({
    page,
  }, info) => {
    await beSignedIn(page, server)
    const gate = await holdMiddleParts(page)
    await chooseWatermark(page, join(folder, 'index last.mp4'))
    const begun = Date.now()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('button', { name: PRICE })).toBeVisible()
    info.annotations.push({
      type: 'from Submit to the priced order, in mid-upload',
      description: `${Date.now() - begun} ms`,
    })
    await expect.poll(gate.heldCount).toBeGreaterThan(0)
    await expect(page.getByText('2 min at 20 tokens')).toBeVisible()
    await expect(page.getByText(/not 40 tokens|on the server and as/)).toHaveCount(0)
    await photograph(page, 'price-early-payment')
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible()
    expect(await spendable(page)).toBe(960)
    gate.release()
    await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(150) })
    expect(await spendable(page)).toBe(960)
  })

  test('JOB-04 JOB-05 where only the whole file tells its length, the order comes with the last part, and the price is shown before', async ({
    page,
  }, info) => {
    await beSignedIn(page, server)
    const gate = await holdMiddleParts(page)
    await chooseWatermark(page, join(folder, 'live.mp4'))
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('heading', { name: 'Preparing Your Order' })).toBeVisible()
    await expect(
      page.getByText(/The server measures the length as soon as enough of the video has arrived/),
    ).toBeVisible()
    await expect(page.getByText('40 tokens for 2 min')).toBeVisible()
    await photograph(page, 'price-preparing')
    const complete = page.waitForResponse(
      (response) =>
        response.request().method() === 'PATCH' &&
        response.url().includes('/upload-requests/') &&
        response.ok(),
    )
    gate.release()
    await complete
    const arrived = Date.now()
    await expect(page.getByRole('button', { name: PRICE })).toBeVisible()
    info.annotations.push({
      type: 'from the last part to the priced order',
      description: `${Date.now() - arrived} ms`,
    })
  })

  test('JOB-04 JOB-03 after the upload the order is priced at once; a length that the server counts otherwise is told before paying; Back after a change leads to what was before the checkout', async ({
    page,
  }, info) => {
    await beSignedIn(page, server)
    await chooseWatermark(page, join(folder, 'index last.mp4'))
    await expect(
      page.getByText('Your video has been uploaded and is ready for editing'),
    ).toBeVisible({ timeout: patience(60) })
    // As if this device had read 59 s.
    await page.evaluate(setProbedLength, 59_000)
    await page.reload()
    await expect(page.getByText('1 edit · 20 tokens')).toBeVisible()
    const begun = Date.now()
    const submit = page.getByRole('button', { name: 'Submit for Editing' })
    await attest(page)
    await submit.click()
    await expect(page.getByRole('button', { name: PRICE })).toBeVisible()
    info.annotations.push({
      type: 'from Submit to the priced order, after the upload',
      description: `${Date.now() - begun} ms`,
    })
    await expect(page.getByText('The price is 40 tokens, not 20 tokens')).toBeVisible()
    await expect(
      page.getByText(/counts as 2 min on the server and as 1 min on this device/),
    ).toBeVisible()
    await photograph(page, 'price-differs')

    const checkout = page.url()
    await page.getByRole('button', { name: 'Change Requested Edits' }).click()
    await expect(submit).toBeVisible()
    await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
    await submit.click()
    await expect(page.getByRole('button', { name: /^Pay .* 190 tokens/ })).toBeVisible({
      timeout: patience(30),
    })
    expect(page.url()).toBe(checkout)
    await page.goBack()
    await expect(page).toHaveURL(`${server.origin}/uploads/new`)
  })
})

/** Lets the first and the last part of an upload pass and keeps the others until `release`. */
async function holdMiddleParts(page: Page): Promise<{ heldCount(): number; release(): void }> {
  let open = (): void => undefined
  let held = 0
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.context().route(/\/editors\/api\/v1\/parts\/[^/]+\/(2|3)\b/, async (route) => {
    held += 1
    await opened
    held -= 1
    await route.continue().catch(() => undefined)
  })
  return { heldCount: () => held, release: open }
}

async function chooseWatermark(page: Page, path: string): Promise<void> {
  await page.getByLabel('Choose a video').setInputFiles(path)
  const anyway = page.getByRole('button', { name: 'Upload anyway' })
  const formats = page.getByRole('heading', { name: 'Select formats to generate from your video.' })
  await expect(anyway.or(formats)).toBeVisible()
  if (await anyway.isVisible()) await anyway.click()
  await page.waitForURL(/\/media-jobs\/new$/)
  const card = page.getByRole('button', { name: 'Dynamic Watermark', exact: true })
  await expect(page.getByText('40 tokens for 2 min').first()).toBeVisible()
  await card.click()
  await page.getByLabel('Name or Social Tag').fill('@someusername')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('1 edit · 40 tokens')).toBeVisible()
}

function spendable(page: Page): Promise<number | undefined> {
  return page.evaluate(
    async () =>
      (
        (await (await fetch('/editors/api/v1/wallets')).json()) as {
          wallets: { spendableCoinAmount: number }[]
        }
      ).wallets[0]?.spendableCoinAmount,
  )
}

/** Runs in the page: changes the length that this device probed, in its database. */
async function setProbedLength(durationMs: number): Promise<void> {
  const name =
    (await indexedDB.databases())
      .map((database) => database.name ?? '')
      .find((found) => found.startsWith('onecut-account-')) ?? ''
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name)
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(new Error('not opened')))
  })
  const store = db.transaction('uploads', 'readwrite').objectStore('uploads')
  await new Promise<void>((resolve, reject) => {
    const reading = store.getAll()
    reading.addEventListener('success', () => {
      const row = (reading.result as { probe: { durationMs: number } }[])[0]
      if (row === undefined) return reject(new Error('no upload'))
      const writing = store.put({ ...row, probe: { ...row.probe, durationMs } })
      writing.addEventListener('success', () => resolve())
    })
  })
  db.close()
}
