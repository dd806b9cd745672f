import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, type CDPSession, type Page } from '@playwright/test'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { askForMail, newestCode, signUp } from '#tests/e2e/people.ts'

const run = promisify(execFile)

/** Passkeys belong to a name, which 127.0.0.1 is not. */
let server: E2eServer
test.beforeAll(async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const started = await startE2eServer({ PORT: String(port), ONECUT_PUBLIC_ORIGIN: origin })
  server = { ...started, origin }
})
test.afterAll(async () => {
  await server.dispose()
})

/** A device with a fingerprint reader, on which the person holds the finger. */
async function holdFinger(
  page: Page,
): Promise<{ readonly lift: (isLifted: boolean) => Promise<void> }> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    lift: async (isLifted) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isLifted })
    },
  }
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/(?:login)?$/)
}
const withPasskey = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })
const account = (page: Page) => page.getByRole('button', { name: 'Account', exact: true })
const subjects = async (): Promise<string[]> => (await server.mails()).map(({ subject }) => subject)

test('TRU-05 a passkey is added, logs in by a button and by the e-mail field, and is removed', async ({
  page,
}) => {
  const finger = await holdFinger(page)
  await signUp(page, server, 'keys@example.com')
  await page.goto(`${server.origin}/user-profile`)
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('The passkey is added.')).toBeVisible()
  const passkey = page.getByRole('listitem').filter({ hasText: 'My laptop' })
  await expect(passkey).toContainText('Not used yet')
  await photograph(page, 'passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible()

  // Without the finger the field offers nothing, and the button waits for the next press.
  await finger.lift(true)
  await logOut(page)
  await page.goto(`${server.origin}/login`)
  await expect(withPasskey(page)).toBeEnabled()
  await photograph(page, 'login-passkey')
  await finger.lift(false)
  await withPasskey(page).click()
  await expect(account(page)).toBeVisible()
  await page.goto(`${server.origin}/user-profile`)
  await expect(passkey).toContainText('Used')

  await logOut(page)
  await page.goto(`${server.origin}/login`)
  await expect(account(page)).toBeVisible()

  await page.goto(`${server.origin}/user-profile`)
  await page.getByRole('button', { name: /^Remove My laptop/ }).click()
  await expect(page.getByText('The passkey is removed.')).toBeVisible()
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
  await expect
    .poll(subjects)
    .toEqual(
      expect.arrayContaining([
        'A passkey was added to your Onecut account',
        'A passkey was removed from your Onecut account',
      ]),
    )
  await finger.lift(true)
  await logOut(page)
  await page.goto(`${server.origin}/login`)
  await expect(withPasskey(page)).toBeEnabled()
  await finger.lift(false)
  await withPasskey(page).click()
  await expect(
    page.getByText('This passkey did not work. Try again, or log in by email.'),
  ).toBeVisible()
})

test('TRU-06 the operator locks an account beside the running server, and its person reads so', async ({
  page,
}) => {
  const email = 'locked@example.com'
  await signUp(page, server, email)
  const env = { ...process.env, ONECUT_DATA_DIR: server.dataDir }
  const operator = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, ['scripts/operator.ts', ...args], { env })).stdout
  expect(await operator('lock', email)).toContain('locked since')
  await page.reload()
  await expect(page.getByText(/^Your session has ended/)).toBeVisible()
  await askForMail(page, server, '/login', email)
  await page
    .getByLabel('Enter the 6-digit code from the email')
    .fill(await newestCode(server, email))
  await expect(page.getByText('This account is locked.')).toBeVisible()
  expect(await operator('log', '--account', email)).toContain('"event":"locked-refused"')
})
