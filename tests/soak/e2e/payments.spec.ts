import { expect, test } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

/** What a person paid: the receipt, and giving unused tokens back. */
test.describe('payments', () => {
  let server: E2eServer

  test.beforeAll(async () => {
    server = await startE2eServer()
  })
  test.afterAll(() => server.dispose())

  test('LIF-04 a payment has a receipt, and its unused tokens are given back once', async ({
    page,
  }) => {
    const client = await beSignedIn(page, server)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'My Payments' }).click()
    await expect(page.getByText('No Payments Yet')).toBeVisible()
    await photograph(page, 'payments-none')
    await page.getByRole('link', { name: 'Your Wallet' }).click()
    await page.getByRole('link', { name: 'Add $20' }).click()
    const inner = page.frameLocator('iframe[title="Payment"]')
    await inner.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(page.getByText('Payment successful')).toBeVisible({ timeout: patience(60) })
    await page.getByRole('link', { name: 'Back to Your Wallet' }).click()
    await page.getByRole('link', { name: 'Payments and Receipts' }).click()
    await expect(page.getByRole('heading', { name: '$20.00 for 2,000 tokens' })).toBeVisible()
    await photograph(page, 'payments-paid')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Receipt \d{4}-000001$/ }).click()
    expect((await download).suggestedFilename()).toMatch(/^receipt-\d{4}-000001\.pdf$/)
    await page.getByRole('button', { name: 'Give Tokens Back' }).click()
    const question = page.getByRole('alertdialog', { name: 'Give unused tokens back?' })
    await expect(question.getByText(/2,000 tokens .* \$20\.00 goes back/)).toBeVisible()
    await photograph(page, 'payments-question', false)
    await question.getByRole('button', { name: 'Give Tokens Back' }).click()
    await expect(page.getByText('Refunded', { exact: true })).toBeVisible()
    await photograph(page, 'payments-refunded')
    await page.getByRole('link', { name: 'View wallet' }).click()
    await expect(page.getByText('Tokens given back')).toBeVisible()
    const { body } = await client.get<{ wallets: { coinBalance: number }[] }>('/v1/wallets')
    expect(body.wallets.map(({ coinBalance }) => coinBalance)).toEqual([1000])
    await expect
      .poll(async () => (await server.mails())[0]?.subject)
      .toBe('Your refund is on its way')
  })

  test('REF-07 a friend redeems a code where the first subscription is paid, and both are rewarded', async ({
    page,
    browser,
  }) => {
    const owner = await beSignedIn(page, server)
    await page.goto(`${server.origin}/referral-codes`)
    await page.getByRole('textbox', { name: 'Referral code' }).fill('mara2026')
    await page.getByText('I am at least 18 years old.').click()
    await page.getByRole('button', { name: 'Create Custom Code' }).click()
    await expect(page.getByRole('heading', { name: 'MARA2026' })).toBeVisible()
    await photograph(page, 'referrals')
    await page.getByRole('link', { name: 'referral terms' }).first().click()
    await expect(page.getByRole('heading', { name: 'Referral Terms' })).toBeVisible()
    await photograph(page, 'referral-terms')
    const context = await browser.newContext()
    const friendPage = await context.newPage()
    const friend = await beSignedIn(friendPage, server)
    await friendPage.goto(`${server.origin}/subscriptions/stripe/checkout`)
    const box = friendPage.getByRole('region', { name: 'Referral code' })
    await box.getByRole('button', { name: 'Do you have a referral code?' }).click()
    await box.getByRole('textbox', { name: 'Referral code' }).fill('mara2026')
    await box.getByText('I am at least 18 years old.').click()
    await box.getByRole('button', { name: 'Redeem' }).click()
    await expect(box.getByLabel('Redeemed referral code')).toHaveValue('MARA2026')
    await friendPage
      .frameLocator('iframe[title="Payment"]')
      .getByRole('button', { name: 'Pay', exact: true })
      .click()
    await expect(friendPage.getByText('Payment successful')).toBeVisible({ timeout: patience(60) })
    await expect(box.getByText('You have received 1,900 tokens for it.')).toBeVisible()
    await photograph(friendPage, 'subscription-paid')
    await context.close()
    const balance = async (client: typeof owner) => {
      const { body } = await client.get<{ wallets: { coinBalance: number }[] }>('/v1/wallets')
      return body.wallets.map(({ coinBalance }) => coinBalance)
    }
    expect(await balance(friend)).toEqual([1000 + 1900 + 1900])
    expect(await balance(owner)).toEqual([1000 + 1900])
    await page.goto(`${server.origin}/wallets`)
    await page.getByRole('link', { name: 'View referrals' }).click()
    await expect(page.getByText('Rewarded')).toBeVisible()
  })
})
