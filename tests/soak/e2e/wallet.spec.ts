import { expect, test } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

/** Tokens by card on the labelled test page, and where they came from afterwards. */
test.describe('the wallet', () => {
  let server: E2eServer

  test.beforeAll(async () => {
    server = await startE2eServer()
  })
  test.afterAll(() => server.dispose())

  test('WAL-09 tokens are bought in the page, are booked once, and the history leads to the purchase', async ({
    page,
  }) => {
    const client = await beSignedIn(page, server)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: '1,000 tokens' }).click()
    await expect(page.getByText('Ready to Use')).toBeVisible()
    await expect(page.getByText('Welcome tokens')).toBeVisible()
    await photograph(page, 'wallet')
    await page.getByRole('link', { name: 'Add $20' }).click()
    const inner = page.frameLocator('iframe[title="Payment"]')
    await expect(inner.getByText('TEST - no money moves')).toBeVisible()
    const address = page.url()
    await page.reload()
    expect(page.url()).toBe(address)
    await inner.getByRole('button', { name: 'Decline' }).click()
    await expect(inner.getByText('Your card was declined. Try another one.')).toBeVisible()
    await inner.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(page.getByText('Payment successful')).toBeVisible({ timeout: patience(60) })
    await photograph(page, 'purchase-paid')
    await page.getByRole('link', { name: 'Back to Your Wallet' }).click()
    await expect(page.getByText('3,000 tokens').first()).toBeVisible()
    await page.getByRole('link', { name: 'View purchase' }).click()
    await expect(page.getByText('Payment successful')).toBeVisible()
    const { body } = await client.get<{ wallets: { coinBalance: number }[] }>('/v1/wallets')
    expect(body.wallets.map(({ coinBalance }) => coinBalance)).toEqual([3000])
  })
})
