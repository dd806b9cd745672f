import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { expectAccessible } from './accessible.ts'
import { askForMail, newestLink } from './people.ts'
import { beSignedIn } from './signed-in.ts'

/** What a newcomer stumbled over. */
test.describe('first use', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-eyes-'))
    await makeClip(join(folder, 'first scene.mp4'), 12, { size: '1280x720' })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('the tab that waits for the mail goes on when the link was opened in another tab', async ({
    page,
    context,
  }) => {
    const email = 'two-tabs@example.com'
    await askForMail(page, server, '/signup', email)
    const other = await context.newPage()
    await other.goto(await newestLink(server, email))
    await other.getByRole('button').first().click()
    await expect(other).toHaveURL(`${server.origin}/create-profile`)
    await expect(page).toHaveURL(`${server.origin}/create-profile`)
  })

  test('the keyboard focus is seen on tabs and formats', async ({ page }) => {
    await beSignedIn(page, server)
    await page.locator('input[type=file]').setInputFiles(join(folder, 'first scene.mp4'))
    await page.waitForURL('**/media-jobs/new')
    const outline = (name: string, role: 'tab' | 'button') =>
      page
        .getByRole(role, { name, exact: role === 'button' })
        .evaluate((element) => getComputedStyle(element).outlineStyle)
    await page.getByRole('tab', { name: 'Promotional Edits' }).press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    expect(await outline('Promotional Edits', 'tab')).toBe('solid')
    await page.getByRole('button', { name: 'Social Media GIF Pack', exact: true }).press('Space')
    expect(await outline('Social Media GIF Pack', 'button')).toBe('solid')
  })

  test('the step of the edits shows what was found of the video, also after a reload, and a part payment can be taken back', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await beSignedIn(page, server)
    await page.locator('input[type=file]').setInputFiles(join(folder, 'first scene.mp4'))
    await page.waitForURL('**/media-jobs/new')
    await page.reload()
    await expect(page.getByRole('img', { name: 'First frame of the video' })).toBeVisible()
    await expect(page.getByText('1280 × 720')).toBeVisible()
    await expect(page.getByText('0:12')).toBeVisible()
    await expectAccessible(page)

    for (const name of ['60s Teaser', '15s Teaser', 'Social Media GIF Pack'])
      await page.getByRole('button', { name, exact: true }).click()
    await expect(
      page.getByText('You have 1,000 tokens. You need 150 tokens more to order.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByText('Pay 1,000 now, 150 left')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Make Partial Payment' }).click()
    await expect(page.getByText('This wallet has no tokens to spend.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(
      page.getByText('Order cancelled. 1,000 tokens returned to your wallet.'),
    ).toBeVisible()

    await expect(page.getByText('3 edits · 1,150 tokens')).toBeVisible()
    await page.getByRole('button', { name: '60s Teaser', exact: true }).click()
    await expect(page.getByText('You have 1,000 tokens. 450 tokens will be left.')).toBeVisible()
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByText('Pay 550 tokens now.')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible()
  })
})
