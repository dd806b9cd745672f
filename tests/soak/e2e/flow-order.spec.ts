import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { expectAccessible } from '#tests/e2e/accessible.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// Servers go away and answers are lost here.
test.use({ expectedNoise: FAILED_REQUESTS })

const ORDER = /\/uploads\/orders\/[0-9a-f-]+\/checkout$/

/** What can happen between choosing edits and the end of the payment. */
test.describe('orders', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-order-'))
    await makeClip(join(folder, 'short scene.mp4'), 20, { size: '640x360' })
    await makeClip(join(folder, 'large scene.mp4'), 62, { size: '1280x720' })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('JOB-03 edits can be changed until something is paid', async ({ page }) => {
    await beSignedIn(page, server)
    await upload(page)
    await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
    const minutes = page.getByRole('textbox', { name: 'Target duration in minutes' })
    await photograph(page, 'options-tube-cut', false)
    await minutes.fill('0.2')
    await minutes.blur()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Up to 12 s')).toBeVisible()
    await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
    await submit(page)
    await expect(page.getByRole('button', { name: /^Pay .* 700 tokens/ })).toBeVisible()

    await page.getByRole('button', { name: 'Change Requested Edits' }).click()
    await expect(page.getByText('2 edits · 700 tokens')).toBeVisible()
    await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
    await expect(page.getByText('1 edit · 300 tokens')).toBeVisible()
    // What was attested of this video holds for its later orders.
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(ORDER, { timeout: patience(60) })
    await expect(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
    await page.goto(`${server.origin}/edits`)
    await page.getByRole('link', { name: 'Finish payment' }).click()
    await expect(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
  })

  test.describe('without a service worker', () => {
    // Requests of a page that a service worker controls pass by the routes of the test.
    test.use({ serviceWorkers: 'block' })

    test('ORD-05 spends once when the answer of a payment is lost', async ({ page }) => {
      await beSignedIn(page, server)
      await upload(page)
      await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
      await submit(page)
      const payments = '**/payments/orders/*/wallet-coin-transactions'
      await page.route(payments, async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      })
      // Each of these answers would tell that the order is paid.
      await page.route(/\/api\/v1\/(orders|media-jobs)\b/, (route) =>
        route.abort('connectionreset'),
      )
      await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
      await expect(page.getByText(/do not know yet whether/)).toBeVisible({ timeout: patience(60) })
      await photograph(page, 'payment-unknown')
      // The choice survives a reload.
      await page.reload()
      await expect(page.getByText('An earlier payment was not confirmed')).toBeVisible()
      await page.unroute(payments)
      await page.getByRole('button', { name: 'Finish payment' }).click()
      await expect(page.getByText('Order is fully paid!')).toBeVisible()
      const spendable = await page.evaluate(
        async () =>
          (
            (await (await fetch('/editors/api/v1/wallets')).json()) as {
              wallets: { spendableCoinAmount: number }[]
            }
          ).wallets[0]?.spendableCoinAmount,
      )
      expect(spendable).toBe(850)
    })
  })

  test('JOB-02 keeps a submission while the server is away, and sends it when it is back', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    await upload(page)
    await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
    await server.kill()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('heading', { name: 'Preparing Your Order' })).toBeVisible()
    await expect(
      page.getByText(/saved on this device and will be sent as soon as possible/),
    ).toBeVisible({
      timeout: patience(60),
    })
    await photograph(page, 'preparing-away')
    await server.start()
    // If the device has sent it on its own by now, the button is gone and the order is there.
    const arrived = page.waitForURL(ORDER, { timeout: patience(60) })
    await Promise.race([
      arrived,
      page.getByRole('button', { name: 'Retry now' }).click({ timeout: patience(60) }),
    ])
    await arrived
  })

  test('the step of the edits shows what was found of the video, also after a reload, and a part payment can be taken back', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'large scene.mp4'))
    await page.waitForURL('**/media-jobs/new')
    await page.reload()
    await expect(page.getByRole('img', { name: 'First frame of the video' })).toBeVisible()
    await expect(page.getByText('1280 × 720')).toBeVisible()
    await expect(page.getByText('1:02')).toBeVisible()
    await expectAccessible(page)

    for (const name of ['60s Teaser', '15s Teaser', 'Social Media GIF Pack'])
      await page.getByRole('button', { name, exact: true }).click()
    await expect(
      page.getByText('You have 1,000 tokens. This order needs 150 tokens more.'),
    ).toBeVisible()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByText('Pay 1,000 now, 150 left')).toBeVisible({ timeout: patience(60) })
    await page.getByRole('button', { name: 'Make Partial Payment' }).click()
    await expect(page.getByText(/^You have no tokens to spend\./)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(
      page.getByText('Order cancelled. 1,000 tokens returned to your wallet.'),
    ).toBeVisible()

    await expect(page.getByText('3 edits · 1,150 tokens')).toBeVisible()
    await page.getByRole('button', { name: '60s Teaser', exact: true }).click()
    await expect(page.getByText('You have 1,000 tokens. 450 tokens will be left.')).toBeVisible()
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('button', { name: /^Pay .* 550 tokens/ })).toBeVisible({
      timeout: patience(60),
    })
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible()
  })

  async function upload(page: Page): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'short scene.mp4'))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const formats = page.getByRole('heading', {
      name: 'Select formats to generate from your video.',
    })
    await expect(anyway.or(formats)).toBeVisible()
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
    await formats.waitFor()
  }

  async function submit(page: Page): Promise<void> {
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(ORDER, { timeout: patience(60) })
  }
})
