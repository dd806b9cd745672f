import { expect, test, FAILED_REQUESTS, anyOf } from '#tests/e2e/quiet.ts'
import { expectAccessible } from '#tests/e2e/accessible.ts'
import { askForMail, clientBeside, newestCode, newestLink, signUp } from '#tests/e2e/people.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

// Sessions end, and networks too, so that a screen cannot be loaded.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /a screen failed/) })

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})
test.use({ serviceWorkers: 'block' })

test('AUT-01 signing up by the mailbox page: the link shows a button, the button signs in, the profile is chosen', async ({
  page,
  context,
}) => {
  await page.goto(server.mailboxUrl())
  await expect(page).toHaveURL(`${server.origin}/dev/mail`)
  await expect(page.getByText('No mail yet.')).toBeVisible()
  await page.goto(`${server.origin}/signup`)
  await expect(
    page.getByText('Reclaim 5+ hours weekly with one-click editing for adult creators'),
  ).toBeVisible()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await expect(page.getByText('Verified: you are human')).toBeVisible()
  await page.getByRole('button', { name: 'Sign up & get 1,000 tokens' }).click()
  await expect(
    page.getByText('Please check your email for a confirmation link (check spam)'),
  ).toBeVisible()
  await expectAccessible(page)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the local mailbox' }).click()
  const mailbox = await opened
  await mailbox
    .getByRole('link', { name: /Confirm and sign in|callback/ })
    .first()
    .click()
  const linkPage = context.pages().at(-1) ?? mailbox
  for (const colorScheme of ['dark', 'light'] as const) {
    await linkPage.emulateMedia({ colorScheme })
    await expectAccessible(linkPage)
  }
  await linkPage.getByRole('button', { name: 'Sign in to Onecut' }).click()
  await expect(linkPage.getByText('I am a')).toBeVisible()
  await expectAccessible(linkPage)
  await linkPage.getByRole('button', { name: 'Video Editor' }).click()
  await expect(linkPage).toHaveURL(`${server.origin}/uploads/new`)
})

test('AUT-06 the code signs in on the page that asked, and leads to the page that was wanted', async ({
  page,
}) => {
  await signUp(page, server, 'bea@example.com')
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${server.origin}/edits?sort=nameAsc`)
  await expect(page).toHaveURL(`${server.origin}/`)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('E-mail').fill('bea@example.com')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(
    page.getByText('Please check your email for a login link (check spam)'),
  ).toBeVisible()
  await page
    .getByLabel('Enter the 6-digit code from the email')
    .fill(await newestCode(server, 'bea@example.com'))
  await expect(page).toHaveURL(/\/edits\?sort=/)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
})

test('AUT-06 a link that was used leads to the log-in page, which says it in words', async ({
  page,
}) => {
  await askForMail(page, server, '/signup', 'dora@example.com')
  const link = await newestLink(server, 'dora@example.com')
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in to Onecut' }).click()
  await expect(page).toHaveURL(`${server.origin}/create-profile`)
  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByText(/This link has expired or was already used/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Log In to the product' })).toBeVisible()
  await page.goto(`${server.origin}/login?message=link-expired`)
  await expect(page.getByText(/This link has expired or was already used/)).toBeVisible()
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

test('AUT-01 the whole sign-up works by keyboard alone', async ({ page }) => {
  await page.goto(`${server.origin}/signup`)
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type('gil@example.com')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Please check your email for a confirmation link (check spam)'),
  ).toBeVisible()
  const code = await newestCode(server, 'gil@example.com')
  const field = page.getByLabel('Enter the 6-digit code from the email')
  // As a phone does on the way back from the mail.
  await page.reload()
  await expect(field).toBeFocused()
  await page.keyboard.type(code)
  await expect(page.getByText('I am a')).toBeVisible()
  const other = page.getByRole('button', { name: 'Other' })
  while (!(await other.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.origin}/uploads/new`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Upload your video' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
})

test('APP-12 the account menu shows the balance and logs out; at 360 px the list does', async ({
  page,
}) => {
  await signUp(page, server, 'joy@example.com')
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('link', { name: 'Balance: 1,000 tokens' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'New Upload',
    'My Edits',
    'Referrals',
    'Subscribe',
  ])
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByText('1,000 tokens')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Account' })).toBeFocused()
  await page.setViewportSize({ width: 360, height: 780 })
  await expect(page.getByRole('link', { name: 'Balance: 1,000 tokens' })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByText('1,000 tokens')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${server.origin}/login`)
})

test('AUT-07 logging out leaves nothing on the device and Back shows nothing', async ({
  page,
  context,
}) => {
  await signUp(page, server, 'kim@example.com')
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  const userId = await page.evaluate(async () =>
    (await indexedDB.databases())
      .map((db) => db.name ?? '')
      .find((name) => name.startsWith('onecut-') && name !== 'onecut-device'),
  )
  expect(userId).toBeDefined()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${server.origin}/login`)
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map((db) => db.name)),
  ).toEqual(['onecut-device'])
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  expect(
    (await context.cookies()).filter((cookie) =>
      ['editorUserAuthJwt', 'onecut_session'].includes(cookie.name),
    ),
  ).toEqual([])
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toHaveCount(0)
  await expect(page.getByText('kim@example.com')).toHaveCount(0)
})

test('AUT-07 logging out without network wipes the device too, and the server hears of it later', async ({
  page,
  context,
}) => {
  await signUp(page, server, 'lea@example.com')
  const beside = await clientBeside(context, server.origin)
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${server.origin}/login`)
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map((db) => db.name)),
  ).toEqual(['onecut-device'])
  expect((await beside.get('/v1/users/me')).status, 'the server does not know yet').toBe(200)
  await context.setOffline(false)
  await page.goto(`${server.origin}/login`)
  await expect.poll(async () => (await beside.get('/v1/users/me')).status).toBe(401)
})
