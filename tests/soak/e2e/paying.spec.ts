import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { clientBeside, newestCode } from '#tests/e2e/people.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { booked } from '#tests/setup/booked.ts'

/** Payments of several kinds, each checked in the ledger at its end. */
test.describe('paying', () => {
  let server: E2eServer
  let folder: string
  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-paying-'))
    // Long enough for a 60s Teaser.
    await makeClip(join(folder, 'scene.mp4'), 64, { size: '160x90' })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('ORD-06 an order is paid in part by tokens and the rest by card', async ({ page }) => {
    const client = await beSignedIn(page, server)
    await order(page, ['15s Teaser', '60s Teaser', 'Still Pack', 'Social Media GIF Pack'])
    await expect(page.getByText('Pay 1,000 now, 300 left')).toBeVisible()
    await page.getByRole('button', { name: 'Make Partial Payment' }).click()
    await page.getByRole('button', { name: 'Pay $3.00 by Card' }).click()
    await payInFrame(page)
    await expect(page.getByText('Order is fully paid!')).toBeVisible({ timeout: patience(60) })
    await photograph(page, 'paying-order-paid')
    expect(await booked(client)).toEqual([
      ['trial-grant', 1000],
      ['order-payment', -1000],
      ['purchase', 300],
      ['order-payment', -300],
    ])
  })

  test.describe('at once', () => {
    // The server may refuse the second payment.
    test.use({ expectedNoise: FAILED_REQUESTS })

    test('ORD-05 two devices that pay one order at once pay it once', async ({ page, browser }) => {
      const client = await beSignedIn(page, server)
      await order(page, ['15s Teaser'])
      await expect(page.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
      const phone = await browser.newContext()
      await phone.addCookies(await page.context().cookies())
      const other = await phone.newPage()
      await other.goto(page.url().replace('/uploads/orders/', '/orders/'))
      await expect(other.getByRole('button', { name: /^Pay .* 300 tokens/ })).toBeVisible()
      const buttons = [
        page.getByRole('button', { name: 'Pay & Complete Order' }),
        other.getByRole('button', { name: 'Pay with Credits' }),
      ]
      await Promise.all(buttons.map((button) => button.click()))
      for (const each of [page, other])
        await expect(each.getByText('Order is fully paid!')).toBeVisible({ timeout: patience(60) })
      await phone.close()
      expect(await booked(client)).toEqual([
        ['trial-grant', 1000],
        ['order-payment', -300],
      ])
    })
  })

  test('REF-07 a friend signs up by a link and subscribes, and both get their tokens', async ({
    page,
    browser,
  }) => {
    const client = await beSignedIn(page, server)
    await page.goto(`${server.origin}/referral-codes`)
    await page.getByRole('textbox', { name: 'Referral code' }).fill('MARA2026')
    await page.getByText('I am at least 18 years old.').click()
    await page.getByRole('button', { name: 'Create Custom Code' }).click()
    await expect(page.getByRole('heading', { name: 'MARA2026' })).toBeVisible()

    const context = await browser.newContext()
    const friend = await context.newPage()
    await friend.goto(`${server.origin}/invite/MARA2026`)
    await expect(friend).toHaveURL(`${server.origin}/signup`)
    await photograph(friend, 'paying-invited')
    const email = 'friend@example.com'
    await friend.getByLabel('E-mail').fill(email)
    await friend.getByRole('button', { name: 'Sign up & get 1,000 tokens' }).click()
    await friend
      .getByLabel('Enter the 6-digit code from the email')
      .fill(await newestCode(server, email))
    await friend.getByRole('button', { name: 'Creator/Model' }).click()
    await expect(friend).toHaveURL(`${server.origin}/uploads/new`)
    await friend.getByRole('link', { name: 'Subscribe' }).click()
    await payInFrame(friend)
    await expect(friend.getByText('Payment successful')).toBeVisible({ timeout: patience(60) })
    // Both come with the same commit, in any order.
    const ofFriend = await booked(await clientBeside(context, server.origin))
    expect(Object.fromEntries(ofFriend)).toEqual({
      'trial-grant': 1000,
      'subscription-grant': 1900,
      'referral-reward': 1900,
    })
    expect(ofFriend).toHaveLength(3)
    expect(await booked(client)).toEqual([
      ['trial-grant', 1000],
      ['referral-reward', 1900],
    ])
    await page.reload()
    await expect(page.getByText('Rewarded')).toBeVisible()
    await photograph(page, 'paying-rewarded')
    await context.close()
  })

  /** Uploads the scene and asks for edits; ends on the checkout. */
  async function order(page: Page, edits: readonly string[]): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'scene.mp4'))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const first = page.getByRole('button', { name: edits[0] ?? '', exact: true })
    await expect(anyway.or(first)).toBeVisible()
    if (await anyway.isVisible()) await anyway.click()
    for (const name of edits) await page.getByRole('button', { name, exact: true }).click()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: patience(60) })
  }

  async function payInFrame(page: Page): Promise<void> {
    const inner = page.frameLocator('iframe[title="Payment"]')
    await expect(inner.getByText('TEST - no money moves')).toBeVisible()
    await inner.getByRole('button', { name: 'Pay', exact: true }).click()
  }
})
