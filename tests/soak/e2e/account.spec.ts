import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { expect, test, type Page } from '@playwright/test'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { unzip } from '#tests/setup/zip.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { askForMail, newestCode, signUp } from '#tests/e2e/people.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

async function logIn(page: Page, email: string): Promise<void> {
  await askForMail(page, server, '/login', email)
  const code = await newestCode(server, email)
  await page.getByLabel('Enter the 6-digit code from the email').fill(code)
  await expect(page).not.toHaveURL(/\/login/)
}
const accountsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () =>
    (await indexedDB.databases()).flatMap(({ name = '' }) =>
      /[0-9a-f-]{36}/.test(name) ? [name] : [],
    ),
  )

test('LIF-01 two devices: sign one out, take the data along, delete the account, come back', async ({
  page,
  browser,
}) => {
  const email = 'leaving@example.com'
  await signUp(page, server, email)
  const phone = await (await browser.newContext()).newPage()
  await logIn(phone, email)
  await phone.goto(`${server.origin}/user-profile`)
  await expect(phone.getByText('This device', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'My Account' }).click()
  await expect(page.getByRole('heading', { name: 'Your Account' })).toBeVisible()
  const others = page.getByRole('button', { name: /^Sign out Chrome/ })
  await expect(others).toHaveCount(1)
  await photograph(page, 'user-profile')

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  const files = unzip(await buffer(createReadStream(await (await download).path())))
  expect(files.get('account.json')?.toString()).toContain(email)

  await others.click()
  await expect(page.getByText('The device is signed out.')).toBeVisible()
  await expect(others).toHaveCount(0)
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'Your Account' })).toHaveCount(0)
  await expect.poll(() => accountsOn(phone)).toEqual([])

  await logIn(phone, email)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await question.getByLabel('Type the email address of your account').fill(email)
  await photograph(page, 'user-profile-delete', false)
  await question.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(`${server.origin}/login`)
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible()
  await expect.poll(() => accountsOn(page)).toEqual([])
  await phone.reload()
  await expect.poll(() => accountsOn(phone)).toEqual([])

  await logIn(page, email)
  await expect
    .poll(async () => (await server.mails()).find(({ to }) => to === email)?.subject)
    .toBe('Your Onecut account stays')
  await page.goto(`${server.origin}/user-profile`)
  await expect(page.getByText('1,000 tokens to spend')).toBeVisible()
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
})
