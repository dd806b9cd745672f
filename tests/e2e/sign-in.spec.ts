import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './journey.ts'
import { askForMail, clientBeside, newestCode } from './people.ts'
import { anyOf, FAILED_REQUESTS } from './quiet.ts'

// The network ends, so that a screen cannot be loaded.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /a screen failed/), serviceWorkers: 'block' })

test('AUT-01 AUT-06 AUT-07 signing up by the link of the mailbox, logging out, which leaves nothing, logging in by code, and logging out without network, of which the server hears later', async ({
  page,
  context,
  server,
}) => {
  const email = `ada-${crypto.randomUUID()}@example.com`
  await page.goto(server.mailboxUrl())
  await expect(page).toHaveURL(`${server.origin}/dev/mail`)
  await askForMail(page, server, '/signup', email)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the local mailbox' }).click()
  const other = await opened
  await other
    .getByRole('link', { name: /Confirm and sign in|callback/ })
    .first()
    .click()
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Sign in to Onecut' }).click()
  await expect(other.getByText('I am a')).toBeVisible()
  await expectAccessible(other)
  // The tab that waits for the mail goes on when the link was opened in another tab.
  await expect(page).toHaveURL(`${server.origin}/create-profile`)
  await other.close()
  await page.getByRole('button', { name: 'Video Editor' }).click()
  await expect(page).toHaveURL(`${server.origin}/uploads/new`)

  await page.goto(`${server.origin}/edits`)
  await expectEdits(page)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'New Upload',
    'My Edits',
    'Referrals',
    'Subscribe',
  ])
  expect(await databases(page)).toHaveLength(2)
  await logOut(page)
  await expect(page).toHaveURL(`${server.origin}/login`)
  expect(await databases(page)).toEqual(['onecut-device'])
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  expect(
    (await context.cookies()).filter(({ name }) =>
      ['editorUserAuthJwt', 'onecut_session'].includes(name),
    ),
  ).toEqual([])
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toHaveCount(0)
  await expect(page.getByText(email)).toHaveCount(0)

  // The log-in leads to the page that was wanted.
  await page.goto(`${server.origin}/edits?sort=nameAsc`)
  await expect(page).toHaveURL(`${server.origin}/`)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(
    page.getByText('Please check your email for a login link (check spam)'),
  ).toBeVisible()
  await page
    .getByLabel('Enter the 6-digit code from the email')
    .fill(await newestCode(server, email))
  await expect(page).toHaveURL(/\/edits\?sort=/)
  await expectEdits(page)
  const beside = await clientBeside(context, server.origin)
  await context.setOffline(true)
  await logOut(page)
  await expect(page).toHaveURL(`${server.origin}/login`)
  expect(await databases(page)).toEqual(['onecut-device'])
  expect((await beside.get('/v1/users/me')).status, 'the server does not know yet').toBe(200)
  await context.setOffline(false)
  await page.goto(`${server.origin}/login`)
  await expect.poll(async () => (await beside.get('/v1/users/me')).status).toBe(401)
})

async function expectEdits(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

function databases(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
}
