import { photograph } from '#tests/e2e/flow-helpers.ts'
import { anyOf, expect, FAILED_REQUESTS, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'

// The connection goes away, a call is refused, and one page cannot keep anything.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the device could not be opened/) })

const SUPPORT = 'support@onecut.example'
let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer({ ONECUT_SUPPORT_MAIL: SUPPORT })
})
test.afterAll(async () => {
  await server.dispose()
})

test('LIF-05 the help is found, searched and read without a connection', async ({ page }) => {
  await page.goto(`${server.origin}/help`)
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
  await photograph(page, 'help')
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  await page.reload()
  await page.context().setOffline(true)
  await page.goto(`${server.origin}/help`)
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('refund')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Refunds/ })
    .click()
  await expect(page).toHaveURL(`${server.origin}/help/refunds`)
  await expect(page.getByRole('heading', { level: 1, name: 'Refunds' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Refunds' })).toBeVisible()
  await page.context().setOffline(false)
})

test('LIF-05 a problem leads to the page that explains it, in a tab of its own', async ({
  page,
}) => {
  await beSignedIn(page, server)
  await page.route('**/v1/storage', async (route) => {
    const error = { code: 'auth/permission-missing', message: 'You may not see this.' }
    await route.fulfill({ status: 403, json: { error } })
  })
  await page.goto(`${server.origin}/user-profile`)
  const problem = page.getByText('Unable to fetch your storage')
  await expect(problem).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await page
    .getByRole('region', { name: 'Storage' })
    .getByRole('link', { name: 'Help with this' })
    .click()
  const help = await opened
  await expect(help.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(help.url()).pathname).toMatch(/^\/help\/[a-z-]+$/)
  await expect(problem).toBeVisible()
})

test('LIF-05 a browser that keeps nothing is told so, with the address for questions', async ({
  page,
}) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('No storage here', 'UnknownError')
    }
  })
  await page.goto(`${server.origin}/login`)
  await expect(
    page.getByRole('heading', { name: 'Onecut cannot start in this browser' }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: SUPPORT })).toHaveAttribute(
    'href',
    `mailto:${SUPPORT}`,
  )
  await photograph(page, 'start-failure')
})
