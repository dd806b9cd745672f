import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { photograph, signUpInBrowser } from './flow-helpers.ts'

/** What can happen between choosing edits and the end of the payment. */
test.describe('orders', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-order-'))
    await makeClip(join(folder, 'short scene.mp4'), 12, { size: '640x360' })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('OPT-02 JOB-03 asks for the length of a tube cut, and lets edits be changed until something is paid', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await signUpInBrowser(page, server, 'changes@example.com')
    await upload(page)
    await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
    const minutes = page.getByRole('textbox', { name: 'Target duration in minutes' })
    await expect(minutes).toHaveValue('6')
    await minutes.press('Minus')
    await expect(minutes).toHaveValue('6')
    await minutes.focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', '-5')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    })
    await expect(page.getByText('Negative target duration is not allowed')).toBeVisible()
    await photograph(page, 'options-tube-cut', false)
    await minutes.fill('')
    await minutes.blur()
    await expect(page.getByText('Keeps the full length of your video.')).toBeVisible()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Full length')).toBeVisible()
    await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
    await submit(page)
    await expect(page.getByText('Pay 700 tokens now.')).toBeVisible()

    await page.getByRole('button', { name: 'Change Requested Edits' }).click()
    await expect(page.getByText('2 edits · 700 tokens')).toBeVisible()
    await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
    await expect(page.getByText('1 edit · 300 tokens')).toBeVisible()
    await submit(page)
    await expect(page.getByText('Pay 300 tokens now.')).toBeVisible()
    await page.goto(`${server.origin}/edits`)
    await page.getByRole('link', { name: 'Finish payment' }).click()
    await expect(page.getByText('Pay 300 tokens now.')).toBeVisible()
  })

  test('ORD-10 pays a part when the wallet cannot cover all, and says what is left', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await signUpInBrowser(page, server, 'partial@example.com')
    await upload(page)
    await page.getByRole('button', { name: '60s Teaser', exact: true }).click()
    await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
    await page.getByRole('button', { name: 'Social Media GIF Pack', exact: true }).click()
    await expect(
      page.getByText('You have 1,000 tokens. You need 150 tokens more to order.'),
    ).toBeVisible()
    await submit(page)
    await expect(page.getByText('Pay 1,000 now, 150 left')).toBeVisible()
    await page.getByRole('button', { name: 'Make Partial Payment' }).click()
    await expect(page.getByText('Payment successful')).toBeVisible()
    await expect(page.getByText('This wallet has no tokens to spend.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pay & Complete Order' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Change Requested Edits' })).toBeDisabled()
    await photograph(page, 'payment-partial')
  })

  test('ORD-05 spends once when the answer of a payment is lost', async ({ page }) => {
    test.setTimeout(180_000)
    await signUpInBrowser(page, server, 'lost-answer@example.com')
    await upload(page)
    await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
    await submit(page)
    const payments = '**/payments/orders/*/wallet-coin-transactions'
    await page.route(payments, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.route('**/v1/orders/*', (route) => route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText(/do not know yet whether/)).toBeVisible({ timeout: 60_000 })
    await photograph(page, 'payment-unknown')
    // The choice survives a reload.
    await page.reload()
    await expect(page.getByText('An earlier payment was not confirmed')).toBeVisible()
    await page.unroute(payments)
    await page.getByRole('button', { name: 'Check payment' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible({ timeout: 20_000 })
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

  test('JOB-02 keeps a submission while the server is away, and sends it when it is back', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await signUpInBrowser(page, server, 'server-away@example.com')
    await upload(page)
    await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
    await server.kill()
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('heading', { name: 'Preparing Your Order' })).toBeVisible()
    await expect(
      page.getByText(/saved on this device and will be sent as soon as possible/),
    ).toBeVisible({
      timeout: 60_000,
    })
    await photograph(page, 'preparing-away')
    await server.start()
    // If the device has sent it on its own by now, the button is gone and the order is there.
    const arrived = page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: 60_000 })
    await Promise.race([
      arrived,
      page.getByRole('button', { name: 'Retry now' }).click({ timeout: 60_000 }),
    ])
    await arrived
  })

  test("ORD-07 JOB-07 says 'Order not found', and asks for a subscription where the right to order is missing", async ({
    page,
    context,
  }) => {
    await signUpInBrowser(page, server, 'no-right@example.com')
    await page.goto(`${server.origin}/uploads/orders/0197a3f2-7c1e-7b90-a111-5d2c8e4f0a01/checkout`)
    await expect(page.getByText('Order not found')).toBeVisible()
    await photograph(page, 'order-missing')
    // What the page displays comes from the readable cookie; the server decides by its own rows.
    const token = (await context.cookies()).find((cookie) => cookie.name === 'editorUserAuthJwt')
    const [head = '', payload = '', signature = ''] = (token?.value ?? '').split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      user: { permissions: string[] }
    }
    claims.user.permissions = claims.user.permissions.filter(
      (permission) => permission !== 'create:orders',
    )
    await context.addCookies([
      {
        name: 'editorUserAuthJwt',
        value: [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join(
          '.',
        ),
        url: server.origin,
      },
    ])
    await page.route('**/editors/api/**', (route) => route.abort())
    await page.goto(`${server.origin}/uploads/new`)
    await expect(page.getByRole('alertdialog', { name: 'Subscription Required' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await photograph(page, 'subscription-required', false)
    await page.getByRole('link', { name: 'Back to Your Edits' }).click()
    await expect(page).toHaveURL(`${server.origin}/edits`)
  })

  async function upload(page: Page): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'short scene.mp4'))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const formats = page.getByRole('heading', {
      name: 'Select formats to generate from your video.',
    })
    await expect(anyway.or(formats)).toBeVisible({ timeout: 30_000 })
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
    await formats.waitFor()
  }

  async function submit(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: 60_000 })
  }
})
