import { expect, test } from '@playwright/test'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { requestEdits } from '#tests/setup/order.ts'
import { beginUpload } from '#tests/setup/upload.ts'
import { photograph, signUpInBrowser } from './flow-helpers.ts'
import { clientBeside } from './people.ts'

/** The library with more than one page, and with a server that fails. */
test.describe('the library', () => {
  let server: E2eServer
  test.beforeAll(async () => {
    server = await startE2eServer()
  })
  test.afterAll(async () => {
    await server.dispose()
  })

  test('EDT-03 EDT-04 JOB-06 APP-22 searches, sorts, loads more, and says what failed', async ({
    page,
    context,
  }) => {
    test.setTimeout(180_000)
    await signUpInBrowser(page, server, 'library@example.com')
    const client = await clientBeside(context, server.origin)
    const long = 'A very long name of a scene that no creator would want to read to its end, really'
    for (const name of [
      long,
      ...Array.from({ length: 11 }, (_, index) => `scene ${String.fromCharCode(97 + index)}`),
    ]) {
      const upload = await beginUpload(client, 1_000_000, { name: `${name}.mp4` })
      await requestEdits(client, upload._id, [{ mediaJobTaskPresetSlug: 'teaser-15s' }])
    }
    await page.goto(`${server.origin}/edits`)
    const names = page.getByRole('heading', { level: 2 })
    await expect(names).toHaveCount(10)
    await expect(names.first()).toHaveText('scene k')
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect(names).toHaveCount(12)
    await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(0)
    const shownName = await names.last().textContent()
    expect([...(shownName ?? '')].length).toBeLessThanOrEqual(60)
    expect(shownName).toMatch(/…$/)

    await page.getByLabel('Sort by').selectOption({ label: 'Name A-Z' })
    await expect(page).toHaveURL(/\?sort=name-a-z$/)
    await expect(names.nth(1)).toHaveText('scene a')
    await page.getByLabel('Search your edits').fill('scene c')
    await expect(names).toHaveCount(1)
    await expect(page).toHaveURL(/q=scene\+c/)
    await photograph(page, 'edits-search')
    await page.getByLabel('Search your edits').fill('nothing like it')
    await expect(page.getByText('Nothing found for “nothing like it”')).toBeVisible()

    const list = '**/v1/media-jobs/paginated*'
    await page.route(list, (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/json',
        body: JSON.stringify({
          error: { message: 'The list is not well today.', code: 'request/invalid' },
        }),
      }),
    )
    await page.getByLabel('Search your edits').fill('something else')
    await expect(page.getByText('Failed to search uploads')).toBeVisible()
    await page.goto(`${server.origin}/edits`)
    await expect(page.getByText('Error loading edits')).toBeVisible()
    await expect(page.getByText('The list is not well today.')).toBeVisible()
    await expect(names.first()).toHaveText('scene k')
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByText('Error loading edits')).toHaveCount(0)

    // A job without an order: the server refuses the order once, then makes it.
    const orders = '**/v1/orders'
    await page.route(orders, (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/json',
        body: JSON.stringify({ error: { message: 'Not today.', code: 'request/invalid' } }),
      }),
    )
    await page.getByRole('link', { name: 'Finish ordering' }).first().click()
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(
      page.getByText('There was a problem creating your order. Please try again.'),
    ).toBeVisible()
    await expect(page.getByText(/Not today\./)).toBeVisible()
    await page.unroute(orders)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/)
  })
})
